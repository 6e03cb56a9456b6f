/** Rewrites a query to forms that clients rarely write: fragments, aliases, merged fields, conditions, literals. */
import fc from 'fast-check'
import {
  astFromValue,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLSchema,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type NameNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  type ValueNode,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { isAccepted, type RandomDocument } from './random-document.ts'

/** A query, with the name of the operation to execute. */
export type RewrittenDocument = RandomDocument & { readonly operationName: string }

/** The operation must be called `Random`. Keeps the query as it is if a rewritten one is not accepted. */
export function rewritten(
  schema: GraphQLSchema,
  documents: fc.Arbitrary<RandomDocument>,
): fc.Arbitrary<RewrittenDocument> {
  return fc.tuple(documents, fc.infiniteStream(fc.nat(1_000_000))).map(([document, numbers]) => {
    const draw: Draw = (below) => Number(numbers.next().value) % below
    // Fewer changes are accepted more often.
    for (const rate of [4, 8, 16]) {
      const candidate = rewrite(schema, document, draw, rate)
      if (isAccepted(schema, candidate.query)) return candidate
    }
    return { ...document, operationName: 'Random' }
  })
}

/** Returns a random number below the maximum. */
type Draw = (below: number) => number

type Rewriting = {
  readonly schema: GraphQLSchema
  readonly draw: Draw
  /** One in this many places is changed. */
  readonly rate: number
  readonly fragments: FragmentDefinitionNode[]
  /** Types of new variables, by name. */
  readonly declarations: Map<string, string>
  readonly variables: Record<string, unknown>
}

function rewrite(
  schema: GraphQLSchema,
  { query, variables }: RandomDocument,
  draw: Draw,
  rate: number,
): RewrittenDocument {
  const rewriting: Rewriting = {
    ...{ schema, draw, rate, fragments: [], declarations: new Map() },
    variables: { ...variables },
  }
  let document = parse(query, { noLocation: true })
  document = writeLiterals(rewriting, document)
  document = rewriteSelections(rewriting, document)
  const declared = [...rewriting.declarations].map(([name, type]) => `$${name}: ${type}`).join(', ')
  const text = print({ ...document, definitions: [...document.definitions, ...rewriting.fragments] })
  const withVariables = declared === '' ? text : declare(text, declared)
  const isOneOfSeveral = draw(4) === 0
  return {
    query: isOneOfSeveral ? `query Other { carriers { id } } ${withVariables}` : withVariables,
    variables: rewriting.variables,
    operationName: 'Random',
  }
}

function declare(text: string, declared: string): string {
  return text.startsWith('query Random(')
    ? text.replace('query Random(', () => `query Random(${declared}, `)
    : text.replace('query Random', () => `query Random(${declared})`)
}

/** Replaces some variables by literals, and some values in the literals by new variables. */
function writeLiterals(rewriting: Rewriting, document: DocumentNode): DocumentNode {
  const { schema, draw, variables } = rewriting
  const info = new TypeInfo(schema)
  const replaced = new Set<string>()
  const written = visit(
    document,
    visitWithTypeInfo(info, {
      VariableDefinition: () => false,
      Variable({ name: { value: name } }) {
        const type = info.getInputType()
        if (draw(2) === 0 || type == null) return undefined
        const literal = astFromValue(variables[name], type)
        if (literal == null) return undefined
        replaced.add(name)
        return literal
      },
    }),
  )
  for (const name of replaced) delete variables[name]
  const withoutThem = visit(written, {
    VariableDefinition: ({ variable }) => (replaced.has(variable.name.value) ? null : undefined),
  })
  const literals = new TypeInfo(schema)
  const visitValue = (node: ValueNode): ValueNode | undefined => {
    const type = literals.getInputType()
    return type != null && node.kind !== Kind.VARIABLE && draw(5) === 0
      ? newVariable(rewriting, type, node)
      : undefined
  }
  return visit(
    withoutThem,
    visitWithTypeInfo(literals, {
      VariableDefinition: () => false,
      Directive: () => false,
      ...{ ObjectValue: visitValue, ListValue: visitValue, StringValue: visitValue, IntValue: visitValue },
      ...{ EnumValue: visitValue, BooleanValue: visitValue, FloatValue: visitValue },
    }),
  )
}

/** The value is given by the variable, or by its default. */
function newVariable(rewriting: Rewriting, type: GraphQLInputType, node: ValueNode): ValueNode {
  const { draw, declarations, variables } = rewriting
  const name = `v${declarations.size}`
  const isDefault = draw(3) === 0 && !/\$/.test(print(node))
  if (!isDefault) variables[name] = valueFromASTUntyped(node)
  declarations.set(name, isDefault ? `${type} = ${print(node)}` : String(type))
  return { kind: Kind.VARIABLE, name: nameNode(name) }
}

function rewriteSelections(rewriting: Rewriting, document: DocumentNode): DocumentNode {
  const info = new TypeInfo(rewriting.schema)
  return visit(
    document,
    visitWithTypeInfo(info, {
      SelectionSet: {
        leave(node) {
          const type = info.getParentType()
          return type == null ? undefined : rewriteSet(rewriting, type.name, node)
        },
      },
    }),
  )
}

const ALIASES = ['a', 'b', 'id', 'name', 'constructor', 'toString', '__proto__', 'then', 'length']

function rewriteSet(rewriting: Rewriting, typeName: string, set: SelectionSetNode): SelectionSetNode {
  const { draw, rate } = rewriting
  let selections = [...set.selections]
  const isChanged = (): boolean => draw(rate) === 0
  selections = selections.flatMap((node): readonly SelectionNode[] => {
    if (node.kind !== Kind.FIELD) return [isChanged() ? withCondition(rewriting, node) : node]
    if (isChanged()) return splitField(rewriting, node)
    if (isChanged()) return [{ ...node, alias: nameNode(ALIASES[draw(ALIASES.length)] ?? 'a') }]
    return [isChanged() ? withCondition(rewriting, node) : node]
  })
  if (isChanged()) selections.splice(draw(selections.length + 1), 0, fieldNode('__typename'))
  if (isChanged()) selections.unshift({ ...fieldNode('__typename'), alias: nameNode('t') })
  for (let times = 0; times < 2; times++)
    if (isChanged()) {
      const start = draw(selections.length)
      const count = 1 + draw(selections.length - start)
      const inner = selections.slice(start, start + count)
      selections.splice(start, count, wrap(rewriting, typeName, inner))
      // Sometimes selected twice, as after merging the fragments of several components.
      if (draw(3) === 0) selections.push(...inner)
    }
  return { ...set, selections }
}

/** Two selections of the field, with parts of its selection set. */
function splitField({ draw }: Rewriting, node: FieldNode): readonly SelectionNode[] {
  const inner = node.selectionSet?.selections ?? []
  if (inner.length < 2 || node.selectionSet === undefined) return [node, node]
  const middle = 1 + draw(inner.length - 1)
  const part = (selections: readonly SelectionNode[]): FieldNode => ({
    ...node,
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  })
  return [part(inner.slice(0, middle)), part(inner.slice(draw(middle + 1)))]
}

/** An inline fragment or the spread of a new fragment. */
function wrap(rewriting: Rewriting, typeName: string, selections: readonly SelectionNode[]): SelectionNode {
  const { schema, draw, fragments } = rewriting
  const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections }
  const type = schema.getType(typeName)
  const others = isObjectType(type) || isInterfaceType(type) ? type.getInterfaces() : []
  const members = isAbstractType(type) ? schema.getPossibleTypes(type) : []
  const conditions = [typeName, typeName, ...[...others, ...members].map(({ name }) => name)]
  const name = nameNode(conditions[draw(conditions.length)] ?? typeName)
  const typeCondition = { kind: Kind.NAMED_TYPE, name } as const
  if (draw(2) === 0) {
    const fragment = nameNode(draw(6) === 0 ? 'constructor' : `F${fragments.length}`)
    fragments.push({ kind: Kind.FRAGMENT_DEFINITION, name: fragment, typeCondition, selectionSet })
    return maybeConditional(rewriting, { kind: Kind.FRAGMENT_SPREAD, name: fragment })
  }
  return maybeConditional(rewriting, {
    ...{ kind: Kind.INLINE_FRAGMENT, selectionSet },
    ...(draw(2) === 0 && { typeCondition }),
  })
}

function maybeConditional(rewriting: Rewriting, node: SelectionNode): SelectionNode {
  return rewriting.draw(2) === 0 ? node : withCondition(rewriting, node)
}

/** Adds `@include` or `@skip`, or both, with a literal or a variable. */
function withCondition(rewriting: Rewriting, node: SelectionNode): SelectionNode {
  const { draw } = rewriting
  const directives = (['include', 'skip'] as const).filter(() => draw(2) === 0)
  const isConditional = (node.directives ?? []).length > 0
  return isConditional ? node : { ...node, directives: directives.map((name) => condition(rewriting, name)) }
}

function condition(rewriting: Rewriting, name: 'include' | 'skip'): DirectiveNode {
  const { draw, declarations, variables } = rewriting
  let value: ValueNode = { kind: Kind.BOOLEAN, value: draw(4) > 0 === (name === 'include') }
  if (draw(2) === 0) {
    const variable = `${name}${draw(3)}`
    declarations.set(variable, variable.endsWith('2') ? 'Boolean = true' : 'Boolean!')
    if (!variable.endsWith('2')) variables[variable] = variables[variable] ?? draw(2) === 0
    value = { kind: Kind.VARIABLE, name: nameNode(variable) }
  }
  const argument = { kind: Kind.ARGUMENT, name: nameNode('if'), value } as const
  return { kind: Kind.DIRECTIVE, name: nameNode(name), arguments: [argument] }
}

function nameNode(value: string): NameNode {
  return { kind: Kind.NAME, value }
}

function fieldNode(name: string): FieldNode {
  return { kind: Kind.FIELD, name: nameNode(name) }
}
