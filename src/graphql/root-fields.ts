/** The root fields of an operation, for the line of its response in the log. See docs/operations.md#logs. */
import type { DocumentNode, OperationDefinitionNode, SelectionSetNode } from 'graphql'
import { Kind } from 'graphql'
import { fragmentsIn } from './guards.ts'

/** The names that are logged of an operation with more. */
const NAMES_MAX = 5

export type FindRootFields = (document: DocumentNode, operation: OperationDefinitionNode) => string

/**
 * The returned function lists each root field once, in the order of the document: "rates,shipment". It expects a valid
 * document, and caches its result per operation.
 */
export function createFindRootFields(): FindRootFields {
  const found = new WeakMap<OperationDefinitionNode, string>()
  return (document, operation) => {
    const known = found.get(operation)
    if (known !== undefined) return known
    const names = rootFieldsOf(document, operation)
    found.set(operation, names)
    return names
  }
}

function rootFieldsOf(document: DocumentNode, operation: OperationDefinitionNode): string {
  const fragments = fragmentsIn(document)
  const names = new Set<string>()
  const seen = new Set<string>()
  const add = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) names.add(selection.name.value)
      else if (selection.kind === Kind.INLINE_FRAGMENT) add(selection.selectionSet)
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value)
        const fragment = fragments.get(selection.name.value)
        if (fragment !== undefined) add(fragment.selectionSet)
      }
    }
  }
  add(operation.selectionSet)
  const listed = [...names].slice(0, NAMES_MAX)
  return (names.size > NAMES_MAX ? [...listed, '…'] : listed).join(',')
}
