/** Converts pages to the connections of the schema. */
import type { Page } from '../../operations/ports/pages.ts'

/** The fields that every connection has. */
export function presentPage<Stored, Presented>(
  { edges: stored, hasNextPage, hasPreviousPage }: Page<Stored>,
  present: (node: Stored) => Presented,
) {
  const edges = stored.map(({ cursor, node }) => ({ cursor, node: present(node) }))
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage,
      hasPreviousPage,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}
