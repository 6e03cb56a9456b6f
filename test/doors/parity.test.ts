/**
 * The parity table is complete: its fields exist, every field and outcome of both doors has a row, and values are
 * accepted and requests refused as it says. The tests of each operation check that its rows translate responses.
 */
import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSchemaText } from '../../src/graphql/schema-files.ts'
import { readPage } from '../docs/pages.ts'
import { openTestApp, type TestApp } from '../support/app/test-app.ts'
import { documentFor, stepsOf, toGraphqlInput, toRestBody } from './parity.ts'
import {
  ACCEPTED_FORMS,
  type AcceptedForm,
  type Operation,
  PARITY,
  REFUSALS,
  type ResponseRow,
  type Result,
} from './parity-table.ts'

const schema = buildSchema(readSchemaText())
const operations: readonly Operation[] = Object.values(PARITY)

/** The path of the pattern up to the last field that exists. */
function existingPath(typeName: string, pattern: string): string {
  const found: string[] = []
  let type: GraphQLNamedType | undefined = schema.getType(typeName)
  for (const step of stepsOf(pattern)) {
    if (step !== '[]' && step !== '__typename') {
      const fields = isObjectType(type) || isInputObjectType(type) ? type.getFields() : {}
      const field: { readonly type: GraphQLType } | undefined = fields[step]
      if (field === undefined) break
      type = getNamedType(field.type)
    }
    found.push(step)
  }
  return found.join('.')
}

describe.each(operations)('$title', (operation) => {
  test('names only fields that the schema has', () => {
    for (const { graphql } of operation.request)
      expect(existingPath(operation.inputType, graphql)).toBe(stepsOf(graphql).join('.'))
    const named = (rows: readonly ResponseRow[]) =>
      rows.flatMap(({ graphql }) => (graphql === undefined ? [] : [graphql]))
    for (const graphql of named(operation.response))
      expect(existingPath(operation.resultType, graphql)).toBe(stepsOf(graphql).join('.'))
    for (const graphql of named(operation.problem))
      expect(existingPath('InputProblem', graphql)).toBe(stepsOf(graphql).join('.'))
  })

  test('has a row for every type of the result', () => {
    const roots = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() }
    const result = getNamedType(roots[operation.operation]!.type)
    const members = isUnionType(result) ? result.getTypes().map(({ name }) => name) : []
    expect(members.length).toBeGreaterThan(1)
    expect([...new Set(operation.outcomes.map(({ type }) => type))].sort()).toEqual([...members].sort())
  })
})

/** Fields in the tables of a section of docs/rest-contract.md, such as `parcels[].weight`. */
function contractFields(section: string): readonly string[] {
  const lines = readPage('docs/rest-contract.md').prose.map(({ text }) => text)
  const begin = lines.indexOf(`## ${section}`)
  const end = lines.findIndex((text, index) => index > begin && text.startsWith('## '))
  return lines.slice(begin, end).flatMap((text) => {
    const [, cell = ''] = /^\| (`[^|]+`) \| (?:array|string|number|integer|decimal|boolean)/.exec(text) ?? []
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
    // In `data[].carrier`, `product` the second field has the same parent.
    const parent = /^(?:.*\.)?/.exec(names[0] ?? '')?.[0] ?? ''
    return names.map((name, index) => (index === 0 ? name : `${parent}${name}`))
  })
}

test.each([
  ['Rates', PARITY.rates],
  ['Duties and taxes', PARITY.duties],
] as const)('has a row for every field of the REST contract: %s', (section, operation) => {
  const listed = contractFields(section)
  expect(listed.length).toBeGreaterThan(10)
  const rows = [...operation.request, ...operation.response].map(({ rest }) => rest)
  const isCovered = (field: string) =>
    rows.some((rest) => rest === field || (/^[.[]/.test(rest.slice(field.length)) && rest.startsWith(field)))
  expect(listed.filter((field) => !isCovered(field))).toEqual([])
  expect(rows.filter((rest) => !listed.includes(rest))).toEqual([])
})

let app: TestApp
let limited: TestApp
beforeAll(async () => {
  app = await openTestApp()
  limited = await openTestApp({ WAYBILL_RATE_LIMIT_PER_MINUTE: '1' })
})
afterAll(() => Promise.all([app.close(), limited.close()]))

const VALID = {
  rates: {
    fromCountry: 'NL',
    toCountry: 'ES',
    parcels: [{ type: 'NONDOC', count: 1, weight: 5, length: 40, width: 30, height: 20 }],
  },
  duties: {
    fromCountry: 'NL',
    toCountry: 'GB',
    contentItems: [{ description: 'cotton t-shirt', numberOfItems: 1, cost: 20 }],
  },
} as const

/** A copy with a value at a path. `[]` is the first entry of a list. */
function withValue(target: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value
  if (step === '[]') return [withValue((target as unknown[])[0], rest, value)]
  const fields = (target ?? {}) as Readonly<Record<string, unknown>>
  return { ...fields, [step]: withValue(fields[step], rest, value) }
}

/** The field of GraphQL; a list or a field that does not exist has no row, and the same name. */
const graphqlField = ({ operation, field }: AcceptedForm) =>
  PARITY[operation].request.find(({ rest }) => rest === field)?.graphql ?? field

describe('accepted forms', () => {
  test.each(
    ACCEPTED_FORMS,
  )('$operation: $field may be $value: REST $rest, GraphQL $graphql', async (form) => {
    const { operation, field, value, rest, graphql } = form
    const row = PARITY[operation]
    const answer = await app.rest(row.endpoint, withValue(VALID[operation], stepsOf(field), value))
    expect(answer.status, answer.text).toBe(rest === 'accepted' ? 200 : 400)
    const input = toGraphqlInput(row.request, VALID[operation])
    const { data, errors } = await app.graphql(
      `query ($input: ${row.inputType}!) { ${row.operation}(input: $input) { __typename } }`,
      { input: withValue(input, stepsOf(graphqlField(form)), value) },
    )
    if (graphql === 'BAD_USER_INPUT') expect(errors?.[0]).toMatchObject({ extensions: { code: graphql } })
    else {
      const type = graphql === 'accepted' ? row.resultType : graphql
      expect({ data, errors }).toEqual({ data: { [row.operation]: { __typename: type } }, errors: undefined })
    }
  })
})

/** A value that the type of GraphQL accepts and both doors refuse. Other types have no such value. */
const REFUSED: Readonly<Record<string, unknown>> = {
  String: 'x'.repeat(501),
  CountryCode: 'XX',
  Int: -1,
  Decimal: -1,
}

/** The name of a row's type in GraphQL. */
function typeName(inputType: string, pattern: string): string {
  let type: GraphQLNamedType | undefined = schema.getType(inputType)
  for (const step of stepsOf(pattern).filter((name) => name !== '[]'))
    type = isInputObjectType(type) ? getNamedType(type.getFields()[step]!.type) : undefined
  return type?.name ?? ''
}

describe.each(['rates', 'duties'] as const)('faults of %s', (name) => {
  const row = PARITY[name]
  const rows = row.request.filter(({ graphql }) => typeName(row.inputType, graphql) in REFUSED)

  test.each(rows)('$rest and $graphql are the same field', async ({ rest, graphql }) => {
    const refused = REFUSED[typeName(row.inputType, graphql)]
    const body = withValue(VALID[name], stepsOf(rest), refused) as Readonly<Record<string, unknown>>
    const answer = await app.rest(row.endpoint, body)
    expect(answer).toMatchObject({
      status: 400,
      json: { message: expect.stringContaining(`${rest.replace('[]', '[0]')}: `) },
    })
    const input = toGraphqlInput(row.request, body)
    const { data } = await app.graphql(documentFor(row), { input })
    expect(answer.json).toEqual(toRestBody(row, data?.[row.operation] as Result))
  })
})

describe('refusals', () => {
  type Attempt = {
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly isLimited?: boolean
  }
  const ATTEMPTS: Readonly<Record<(typeof REFUSALS)[number]['name'], Attempt>> = {
    'malformed JSON': { body: '{' },
    'wrong credentials': { headers: { 'x-pp-api': 'demo@wrong' } },
    'body above 256 KiB': { body: ' '.repeat(256 * 1024 + 1) },
    'content type other than JSON': { headers: { 'content-type': 'text/plain' } },
    'budget of the API key used up': { isLimited: true },
    'more than 200 headers': {
      headers: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`x-header-${index}`, '1'])),
    },
  }

  test.each(REFUSALS)('$name: REST $rest, GraphQL $graphql with $code', async ({
    name,
    rest,
    graphql,
    code,
  }) => {
    const { headers = {}, body, isLimited } = ATTEMPTS[name]
    const target = isLimited === true ? limited : app
    const { server } = target.app
    const common = { 'x-pp-api': 'demo@demo-secret', 'content-type': 'application/json', ...headers }
    const send = (url: string, valid: object) =>
      server.inject({ method: 'POST', url, headers: common, payload: body ?? JSON.stringify(valid) })
    if (isLimited === true) await send('/graphql', { query: '{ __typename }' })
    expect((await send('/partners-api/v1/rates', VALID.rates)).statusCode).toBe(rest)
    const reply = await send('/graphql', { query: '{ __typename }' })
    expect([reply.statusCode, reply.json().errors[0].extensions.code]).toEqual([graphql, code])
  })
})
