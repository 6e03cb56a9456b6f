/** A schema whose lists have no declared size is refused when it is loaded. */
import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { readDeclaredCosts } from '../../../src/graphql/cost/declared-costs.ts'
import { INPUT_UNITS } from '../../../src/graphql/cost/input-units.ts'
import { readSchemaText } from '../../../src/graphql/schema-files.ts'

const directives = /^directive @(?:cost|listSize)\([\s\S]*?^\)[^\n]*\n/gm
const DEFINITIONS = [...readSchemaText().matchAll(directives)].map(([text]) => text).join('\n')

const read = (field: string) =>
  readDeclaredCosts(
    buildSchema(`${DEFINITIONS}
      type Query { root: Page ${field} }
      type Page { entries: [Int] @listSize(assumedSize: 2) text: String }
      input Range { size: Int }`),
  )

test('the costs of the schema are valid', () => {
  expect(() => readDeclaredCosts(buildSchema(readSchemaText()))).not.toThrow()
})

test.each([
  ['list: [Int!]!', 'Query.list is a list and needs @listSize'],
  ['list: [Int]', 'Query.list is a list and needs @listSize'],
  ['list: [[Int!]!]! @listSize(assumedSize: 1)', 'Query.list is a list of lists'],
  ['list: [Int] @listSize', 'Query.list needs assumedSize or slicingArguments'],
  ['list(first: Int): [Int] @listSize(slicingArguments: ["last"])', 'Query.list has no argument last'],
  ['page: Page @listSize(assumedSize: 3)', 'Query.page is not a list'],
  ['page: Page @listSize(assumedSize: 3, sizedFields: ["text"])', 'Query.page returns no list text'],
  ['field: Int @cost(weight: "much")', 'Query.field must have a @cost with a weight'],
  ['field: Int @cost(weight: "-1")', 'Query.field must have a @cost with a weight'],
])('%s is refused', (field, fault) => {
  expect(() => read(field)).toThrow(fault)
})

test('directives on a field are read', () => {
  const schema = buildSchema(`${DEFINITIONS}
    type Query {
      page(range: Range): Page
        @cost(weight: "0.5") @listSize(assumedSize: 7, slicingArguments: ["range.size"], sizedFields: ["entries"])
      plain: Int
    }
    type Page { entries: [Int] @listSize(assumedSize: 2) }
    input Range { size: Int }`)
  const { page, plain } = schema.getQueryType()!.getFields()
  const costs = readDeclaredCosts(schema)
  expect(costs(page!)).toEqual({
    ...{ units: 50, assumedSize: 7, slicingArguments: [['range', 'size']], sizedFields: ['entries'] },
  })
  expect(costs(plain!)).toEqual({ units: 0.2, assumedSize: 0, slicingArguments: [], sizedFields: [] })
})

test('the work of every root field is declared', () => {
  const schema = buildSchema(readSchemaText())
  for (const root of ['Query', 'Mutation'] as const)
    expect(Object.keys(INPUT_UNITS[root]).sort()).toEqual(
      Object.keys((schema.getType(root) as { getFields(): object }).getFields()).sort(),
    )
})
