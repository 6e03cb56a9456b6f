/** Makes a page of the rows that a keyset query has found. */
import type { Page, PageRequest } from '../../operations/ports/pages.ts'

/** A row after the cursor in the direction of the page, or (`is_ahead` false) one on the other side. */
export type FoundRow<Row> = Row & { readonly is_ahead: boolean }

/**
 * `rows` are in the order of the list: up to `size` rows ahead and one more, which tells whether there is a further
 * page, and at most one row behind.
 */
export function pageOf<Row, Node>(
  rows: readonly FoundRow<Row>[],
  { size, direction }: Pick<PageRequest, 'size' | 'direction'>,
  edgeOf: (row: FoundRow<Row>) => { readonly cursor: string; readonly node: Node },
): Page<Node> {
  const isForward = direction === 'forward'
  const found = rows.filter((row) => row.is_ahead)
  const hasMoreAhead = found.length > size
  const hasMoreBehind = rows.length > found.length
  const page = !hasMoreAhead ? found : isForward ? found.slice(0, -1) : found.slice(1)
  return {
    kind: 'Page',
    edges: page.map(edgeOf),
    hasNextPage: isForward ? hasMoreAhead : hasMoreBehind,
    hasPreviousPage: isForward ? hasMoreBehind : hasMoreAhead,
  }
}
