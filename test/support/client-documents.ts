/** The documents that clients start from: those of the client package, of the playground and of the documentation. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type FragmentDefinitionNode, Kind, type OperationDefinitionNode, parse, print, visit } from 'graphql'
import { EXAMPLES } from '../../src/graphql/playground/examples.ts'
import { ROOT, readPages } from '../docs/pages.ts'

const DOCUMENTS = path.join(ROOT, 'client/documents')

/** One operation, with inline fragments in place of named ones, which some clients restrict. */
export type ClientDocument = { readonly name: string; readonly text: string }

/** A document for each operation of a text that has all fragments. */
function operationsIn(text: string): readonly ClientDocument[] {
  const { definitions } = parse(text)
  const fragments = new Map(
    definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  )
  return definitions
    .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
    .map((node) => ({ name: node.name?.value ?? 'Anonymous', text: print(inlined(node, fragments)) }))
}

function inlined<Node extends OperationDefinitionNode | FragmentDefinitionNode>(
  node: Node,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Node {
  return visit(node, {
    FragmentSpread: {
      leave: ({ name }) => {
        const fragment = fragments.get(name.value)
        if (fragment === undefined) throw new Error(`there is no fragment ${name.value}`)
        const { typeCondition, selectionSet } = inlined(fragment, fragments)
        return { kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet }
      },
    },
  })
}

export const PACKAGED_TEXT = readdirSync(DOCUMENTS)
  .map((file) => readFileSync(path.join(DOCUMENTS, file), 'utf8'))
  .join('\n')

export const PACKAGED = operationsIn(PACKAGED_TEXT)

export const PLAYGROUND_EXAMPLES = EXAMPLES.flatMap(({ query }) => operationsIn(query))

/** The `graphql` blocks of the documentation that are whole documents, except those of gateways. */
export const SNIPPETS = readPages()
  .flatMap(({ blocks }) => blocks)
  .filter(
    ({ language, text }) => language === 'graphql' && /^\s*(?:#.*\n\s*)*(?:query|mutation|\{)/.test(text),
  )
  .flatMap(({ text }) => operationsIn(text))
  .filter(({ text }) => !text.includes('_entities'))
