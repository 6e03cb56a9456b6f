/** The documents of the client package select what their users need to understand a result. */
import {
  buildSchema,
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import * as client from '../../client/src/index.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'

const schema = buildSchema(readSchemaText())

const documents: readonly (readonly [string, DocumentNode])[] = Object.entries(client).flatMap(
  ([name, value]) =>
    name.endsWith('Document') && typeof value === 'string' ? [[name, parse(value)] as const] : [],
)

/** The paths of fields below each place of a type in a document, such as `rateOption.price.amount`. */
function selectionsOf(document: DocumentNode): readonly { type: string; paths: ReadonlySet<string> }[] {
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === 'FragmentDefinition' ? [[node.name.value, node]] : [],
    ),
  )
  const pathsIn = (node: FieldNode | { selectionSet?: FieldNode['selectionSet'] }): string[] =>
    (node.selectionSet?.selections ?? []).flatMap((selection) => {
      if (selection.kind === 'FragmentSpread') return pathsIn(fragments.get(selection.name.value) ?? {})
      if (selection.kind === 'InlineFragment') return pathsIn(selection)
      const inner = pathsIn(selection).map((path) => `${selection.name.value}.${path}`)
      return [selection.name.value, ...inner]
    })
  const found: { type: string; paths: ReadonlySet<string> }[] = []
  const types = new TypeInfo(schema)
  visit(
    document,
    visitWithTypeInfo(types, {
      enter: (node) => {
        if (node.kind !== 'Field' && node.kind !== 'InlineFragment' && node.kind !== 'FragmentDefinition')
          return
        const type = getNamedType(types.getType())
        if (isObjectType(type)) found.push({ type: type.name, paths: new Set(pathsIn(node)) })
      },
    }),
  )
  return found
}

/** The addends that the description of an amount names: "the sum of `goodsValue`, … and `clearanceFees.amount`". */
function addendsOf(description: string): readonly string[] {
  const [, after = ''] = description.split('the sum of ')
  const [sum = ''] = after.split(/\.(?:\s|$)/)
  return [...sum.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
}

const objects = Object.values(schema.getTypeMap()).filter(isObjectType)
const sums = objects.flatMap((type) =>
  Object.values(type.getFields()).flatMap(({ name, description }) => {
    const addends = addendsOf(description ?? '').filter((addend) => exists(type, addend))
    return addends.length === 0 ? [] : [{ type: type.name, field: name, addends }]
  }),
)

function exists(type: GraphQLObjectType, path: string): boolean {
  const [first = '', ...rest] = path.split('.')
  const field = type.getFields()[first]
  if (field === undefined) return false
  const inner = getNamedType(field.type)
  return rest.length === 0 || (isObjectType(inner) && exists(inner, rest.join('.')))
}

describe('a document that selects an amount', () => {
  test('the schema names the addends of totals', () => {
    expect(
      Object.fromEntries(sums.map(({ type, field, addends }) => [`${type}.${field}`, addends])),
    ).toMatchObject({
      'LandedCostOption.total': [
        'goodsValue',
        'rateOption.price',
        'insuranceCost',
        'duties.total',
        'clearanceFees.amount',
      ],
      'DutiesEstimate.total': ['taxes'],
      'ItemEstimate.total': ['taxes'],
      'RateOption.price': ['breakdown'],
    })
  })

  test.each(documents)('selects every addend of it: %s', (_name, document) => {
    const missing = selectionsOf(document).flatMap(({ type, paths }) =>
      sums
        .filter((sum) => sum.type === type && paths.has(sum.field))
        .flatMap(({ field, addends }) =>
          addends.filter((addend) => !paths.has(addend)).map((addend) => `${type}.${field}: ${addend}`),
        ),
    )
    expect(missing).toEqual([])
  })
})

test.each(documents)('%s selects the fields of Problem in every union', (_name, document) => {
  const problem = schema.getType('Problem')
  if (!isInterfaceType(problem)) throw new Error('Problem is not an interface')
  const types = new TypeInfo(schema)
  const without: string[] = []
  visit(
    document,
    visitWithTypeInfo(types, {
      Field: {
        enter: ({ name, selectionSet }) => {
          const spreads = selectionSet?.selections.map((node) => 'name' in node && node.name?.value) ?? []
          if (isUnionType(getNamedType(types.getType())) && !spreads.includes('ProblemFields'))
            without.push(name.value)
        },
      },
    }),
  )
  expect(without).toEqual([])
})

/** Fields that no document selects, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'PriceLine.rule': 'an explanation for people, larger than the price itself',
  'RateOption.chargeable': 'refused for publishable keys, which send these documents too',
  'TaxLine.items': 'the share of each item is in the items',
  'TaxLine.rule': 'an explanation for people',
  'TaxLine.quotas': 'of interest to importers that have a quota',
  'DutiesEstimate.range': 'calculates everything a second and a third time',
  'LandedCostOption.range': 'calculates everything a second and a third time',
  'DutiesEstimate.underOtherScheme': 'calculates everything a second time',
  'ItemEstimate.contentItem': 'the caller has it',
  'HsAlternative.estimate': 'calculates everything again for every alternative',
  'Classification.openQuestions': 'calculates everything again for every option',
  'SecondOpinion.alternatives': 'for a dialogue with the person who declares the goods',
  'ShipmentConnection.nodes': 'the same as the nodes of the edges',
  'WebhookDeliveryConnection.nodes': 'the same as the nodes of the edges',
  'TrackingEventConnection.edges': 'only clients that page through many events need the cursor of each',
}

test('every field of a type that the documents use is selected by one of them, except those with a reason', () => {
  const selected = new Map<string, Set<string>>()
  for (const [, document] of documents)
    for (const { type, paths } of selectionsOf(document)) {
      const fields = selected.get(type) ?? new Set<string>()
      for (const path of paths) fields.add(path.split('.')[0] ?? '')
      selected.set(type, fields)
    }
  const missing = [...selected].flatMap(([name, fields]) => {
    const type = schema.getType(name)
    if (!isObjectType(type)) return []
    return Object.values(type.getFields())
      .filter((field) => field.deprecationReason == null && !fields.has(field.name))
      .map((field) => `${name}.${field.name}`)
  })
  expect(missing.sort()).toEqual(Object.keys(LEFT_OUT).sort())
})
