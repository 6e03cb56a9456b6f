/** Pages of a connection. Types only. See docs/graphql.md#pagination. */

export type PageRequest = {
  readonly size: number
  /** Whether the page follows the entry at `cursor` or precedes it. Without a cursor: the first or the last page. */
  readonly direction: 'forward' | 'backward'
  readonly cursor?: string
}

/** A page in the order of the list, each entry with its cursor. */
export type Page<Node> = {
  readonly kind: 'Page'
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[]
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

export type InvalidCursor = {
  readonly kind: 'InvalidCursor'
  /** `other-list`: the cursor of a list with another filter or sort. */
  readonly reason: 'malformed' | 'other-list'
}
