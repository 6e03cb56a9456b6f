/**
 * The parts of pages that are generated from the code. In a page, such a part stands between `<!-- generated: name -->`
 * and `<!-- end -->`. "npm run docs" updates all of them.
 */
import {
  buildSchema,
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql'
import { coverageCells } from '../../src/cli/customs/coverage.ts'
import { MAX_CANDIDATES } from '../../src/core/classification/classify.ts'
import { customsCoverage } from '../../src/core/customs/coverage.ts'
import { MAX_ITEMS } from '../../src/core/customs/request.ts'
import { MAX_ANSWERS, MAX_FACT_LENGTHS, MAX_SKU_LENGTH } from '../../src/core/goods-facts.ts'
import { MAX_TEXT_LENGTH } from '../../src/core/input.ts'
import { CARD_LIMITS } from '../../src/core/rate-card-review/check/sizes.ts'
import { RATES_LIMITS } from '../../src/core/rating/request.ts'
import { MAX_REFERENCE_LENGTH } from '../../src/core/shipments/shipment.ts'
import { MAX_RESPONSE_BYTES } from '../../src/graphql/answer.ts'
import {
  MAX_INTROSPECTION_POINTS,
  MAX_POINTS,
  MAX_REPRESENTATIONS,
} from '../../src/graphql/cost/operation-cost.ts'
import { TEXT_LIMITS } from '../../src/graphql/document-text.ts'
import { MAX_VALUES } from '../../src/graphql/execution/variables.ts'
import { INTROSPECTION_DEPTH, LIMITS } from '../../src/graphql/guards.ts'
import { readSchemaText } from '../../src/graphql/schema-files.ts'
import { IDS_MAX } from '../../src/operations/list-shipments.ts'
import { BATCH_LIMITS } from '../../src/operations/quote-rates.ts'
import { PAGE_DEFAULT, PAGE_MAX } from '../../src/operations/read-page.ts'
import { TABLES } from '../core/shipments/cancellation-table.ts'
import { stepsOf } from '../doors/parity.ts'
import {
  ACCEPTED_FORMS,
  type Operation,
  PARITY,
  REFUSALS,
  type RequestRow,
  type ResponseRow,
} from '../doors/parity-table.ts'
import { shippedTables } from '../support/customs/shipped-tables.ts'
import { CUSTOMER_TEXTS } from './customer-texts.ts'

const schema = buildSchema(readSchemaText())

type Cells = readonly (string | number)[]

function table(head: readonly string[], rows: readonly Cells[]): string {
  const line = (cells: Cells) =>
    `| ${cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
    .map((row) => row.replaceAll(/ {2}(?=\|)/g, ' '))
    .join('\n')
}

const code = (text: string | number): string => `\`${text}\``

type Field = {
  readonly type: string
  readonly description: string
  readonly named: GraphQLNamedType | undefined
}

/** The fields of an input or object type. */
function fieldsOf(type: GraphQLNamedType | undefined): ReadonlyMap<string, Field> {
  const fields: readonly { name: string; type: GraphQLType; description?: string | null }[] =
    isObjectType(type) || isInputObjectType(type) ? Object.values(type.getFields()) : []
  return new Map(
    fields.map((field): [string, Field] => [
      field.name,
      {
        type: String(field.type),
        description: field.description ?? '',
        named: getNamedType(field.type) ?? undefined,
      },
    ]),
  )
}

/** The type of the field at the end of a pattern, such as `Decimal!`. */
function typeAt(typeName: string, pattern: string): string {
  let named = schema.getType(typeName)
  let type = ''
  for (const step of stepsOf(pattern).filter((name) => name !== '[]')) {
    const field = fieldsOf(named).get(step)
    named = field?.named
    type = field?.type ?? 'String!'
  }
  return type
}

const REQUEST_FORMS: Readonly<Record<RequestRow['form'], string>> = {
  list: '',
  same: '',
  decimal: 'GraphQL accepts text, `"12.5"`, and numbers.',
  enum: 'In capitals: `business` is `BUSINESS`.',
}

const RESPONSE_FORMS: Readonly<Record<ResponseRow['form'], string>> = {
  same: '',
  decimal: 'A number in REST, text in GraphQL: `14.25`, `"14.25"`.',
  id: 'A number in REST, text in GraphQL: `1201`, `"1201"`.',
  optional: 'Left out in REST if it is null in GraphQL.',
}

const remark = (text: string, note: string | undefined): string => [text, note].filter(Boolean).join(' ')

function requestTable({ request, inputType }: Operation): string {
  return table(
    ['REST', 'GraphQL', 'type', 'remark'],
    request.map(({ rest, graphql, form, note }) => [
      code(rest),
      code(graphql),
      code(typeAt(inputType, graphql)),
      remark(REQUEST_FORMS[form], note),
    ]),
  )
}

function responseRows(rows: readonly ResponseRow[], type: string): string {
  return table(
    ['REST', 'GraphQL', 'type', 'remark'],
    rows.map(({ rest, graphql, form, note }) => [
      code(rest),
      ...(graphql === undefined ? ['', ''] : [code(graphql), code(typeAt(type, graphql))]),
      note ?? RESPONSE_FORMS[form],
    ]),
  )
}

function outcomeTable({ outcomes }: Operation): string {
  return table(
    ['outcome', 'REST', 'GraphQL', '`code`'],
    outcomes.map(({ name, status, type, ...row }) => [
      name,
      status,
      code(type),
      'code' in row ? code(row.code) : '',
    ]),
  )
}

/** The first sentence of a description. */
function firstSentence(description: string): string {
  const text = description.replaceAll('\n', ' ')
  return /^.*?\.(?= [A-Z`]|$)/.exec(text)?.[0] ?? text
}

/** The fields of a type, and of the types below it, that no row mentions. */
function unmapped(
  type: GraphQLNamedType | undefined,
  patterns: readonly string[],
  path = '',
): readonly (readonly [string, Field])[] {
  return [...fieldsOf(type)].flatMap(([name, field]) => {
    const here = `${path}${name}${field.type.startsWith('[') ? '[]' : ''}`
    if (patterns.includes(here)) return []
    const isMapped = patterns.some((pattern) => pattern.startsWith(`${here}.`))
    return isMapped ? unmapped(field.named, patterns, `${here}.`) : [[here, field] as const]
  })
}

function onlyInGraphql(operation: Operation): string {
  const { inputType, request, response, outcomes } = operation
  const inputs = unmapped(
    schema.getType(inputType),
    request.map(({ graphql }) => graphql),
  ).map(([path, field]) => [code(path), 'request', firstSentence(field.description)])
  const types = new Set(outcomes.map(({ type }): string => type).filter((type) => type !== 'InputProblem'))
  const results = [...types].flatMap((type) =>
    unmapped(
      schema.getType(type),
      response.flatMap(({ graphql }) => graphql ?? []),
    ).map(([path, field]) => [code(path), code(type), firstSentence(field.description)]),
  )
  return table(['field', 'in', 'meaning'], [...inputs, ...results])
}

const VERDICTS = {
  accepted: 'accepted',
  '400': '400',
  InputProblem: '`InputProblem`',
  BAD_USER_INPUT: '`BAD_USER_INPUT`',
}

function acceptedForms(): string {
  return table(
    ['REST field', 'GraphQL field', 'value', 'REST', 'GraphQL'],
    ACCEPTED_FORMS.map(({ operation, field, value, rest, graphql }) => [
      code(field),
      code(PARITY[operation].request.find((row) => row.rest === field)?.graphql ?? field),
      value === undefined ? 'missing' : code(JSON.stringify(value)),
      VERDICTS[rest],
      VERDICTS[graphql],
    ]),
  )
}

function refusals(): string {
  return table(
    ['reason', 'REST', 'GraphQL', '`extensions.code`'],
    REFUSALS.map((row) => [row.name, row.rest, row.graphql, code(row.code)]),
  )
}

/** By the name in `extensions.limit`. */
function operationLimits(): string {
  return table(
    ['`limit`', 'maximum', 'counts'],
    [
      [code('cost'), MAX_POINTS, 'points of an operation'],
      [code('introspection cost'), MAX_INTROSPECTION_POINTS, 'points of its introspection fields'],
      [
        code('introspection depth'),
        INTROSPECTION_DEPTH,
        'lists of fields, arguments, interfaces or possible types inside each other',
      ],
      [code('tokens'), TEXT_LIMITS.tokens, 'tokens of the document'],
      [code('lines'), TEXT_LIMITS.lines, 'lines of the document'],
      [code('nesting'), TEXT_LIMITS.nesting, 'brackets within brackets'],
      [code('operations'), LIMITS.operations, 'operations in a document'],
      [code('fragments'), LIMITS.fragments, 'fragments in a document'],
      [
        code('selections'),
        LIMITS.selections,
        'fields and fragments; the fields of a fragment count once for each place that uses it',
      ],
      [code('depth'), LIMITS.depth, 'levels of fields'],
      [code('aliases'), LIMITS.aliases, 'aliases'],
      [
        code('selections of one field'),
        LIMITS.repeats,
        'selections with the same response name at the same path',
      ],
      [code('fields at the root of a query'), LIMITS.queryRoots, 'root fields of a query'],
      [code('fields at the root of a mutation'), LIMITS.mutationRoots, 'root fields of a mutation'],
      [
        code('recursive fields'),
        LIMITS.recursiveFields,
        'fields inside themselves: `carriers { products { carrier { products … } } }`',
      ],
      [code('values in the variables'), MAX_VALUES, 'list entries and object fields'],
      [
        code('representations'),
        MAX_REPRESENTATIONS,
        'representations of [entities](graphql-federation.md), of all `_entities` fields together',
      ],
      [code('response size'), MAX_RESPONSE_BYTES, 'bytes of the response'],
    ],
  )
}

function inputLimits(): string {
  return table(
    ['input', 'limit'],
    [
      ['parcel rows of a request', RATES_LIMITS.parcelRows],
      ['units of all parcel rows of a request', RATES_LIMITS.totalCount],
      ['content items of a request', MAX_ITEMS],
      ['requests of `ratesBatch`', BATCH_LIMITS.requests],
      ['parcel rows of all requests of `ratesBatch`', BATCH_LIMITS.parcelRows],
      ['`first` or `last` of a list', `${PAGE_MAX}, by default ${PAGE_DEFAULT}`],
      ['`filter.ids` of `shipments`', IDS_MAX],
      ['`first` of `classify`', MAX_CANDIDATES],
      ['`answers` about goods', MAX_ANSWERS],
      ['characters of `composition` and `category`', MAX_FACT_LENGTHS.category],
      ['characters of another fact about goods', MAX_FACT_LENGTHS.material],
      ['characters of a `sku`', MAX_SKU_LENGTH],
      ['characters of a `reference`', MAX_REFERENCE_LENGTH],
      ['characters of any other text', MAX_TEXT_LENGTH],
    ],
  )
}

function cardLimits(): string {
  return table(
    ['what', 'at most'],
    [
      ['surcharges of a product', CARD_LIMITS.surchargesOfProduct],
      [
        'conditions in all their triggers; names and numbers in their expressions and those of services, size classes and smallest weights',
        CARD_LIMITS.conditionsOfProduct,
      ],
      ['codes in all their `excludes`', CARD_LIMITS.exclusionsOfProduct],
      ['surcharges of a carrier', CARD_LIMITS.surchargesOfCarrier],
      ['rows of services of a carrier', CARD_LIMITS.servicesOfCarrier],
      ['slots of a service with a carrier', CARD_LIMITS.slotsOfService],
      ['pallet classes of a carrier', CARD_LIMITS.palletClassesOfCarrier],
      ['size classes of a carrier', CARD_LIMITS.sizeClassesOfCarrier],
      ['smallest weights of a carrier (min_weight.csv)', CARD_LIMITS.minimumWeightsOfCarrier],
      ['insurance bands of a carrier', CARD_LIMITS.insuranceBandsOfCarrier],
    ],
  )
}

/** The shipped data on the day of the newest set, so that the table does not change by itself. */
function coverageTable(): string {
  const tables = shippedTables()
  const day =
    [...tables.dataSets.values()]
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? ''
  const head = [
    ...[
      'country',
      'name',
      'duty',
      'chapters',
      'date',
      'tariff',
      'tax',
      'low value',
      'agreements',
      'confidence',
    ],
  ]
  return `Rules in force on ${day}:\n\n${table(head, customsCoverage(tables, day).map(coverageCells))}`
}

/** The generated parts by name. */
export const PARTS: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    Object.entries(PARITY).flatMap(([name, operation]) => [
      [`${name} request`, () => requestTable(operation)],
      [`${name} response`, () => responseRows(operation.response, operation.resultType)],
      [`${name} outcomes`, () => outcomeTable(operation)],
      [`${name} only in GraphQL`, () => onlyInGraphql(operation)],
    ]),
  ),
  'invalid rates request': () => responseRows(PARITY.rates.problem, 'InputProblem'),
  'invalid duties request': () => responseRows(PARITY.duties.problem, 'InputProblem'),
  'accepted forms': acceptedForms,
  refusals,
  'limits of an operation': operationLimits,
  'limits of inputs': inputLimits,
  'limits of rate cards': cardLimits,
  'customs coverage': coverageTable,
  ...CUSTOMER_TEXTS,
  ...Object.fromEntries(
    Object.entries(TABLES).map(([name, { corner, columns, rows }]) => [
      `steps of a cancellation: ${name}`,
      () =>
        table(
          [corner, ...columns],
          Object.entries(rows).map(([row, cells]) => [row, ...cells]),
        ),
    ]),
  ),
}

const PART = /<!-- generated: (.+?) -->\n[\s\S]*?<!-- end -->/g

/** The names of the generated parts in a page. */
export function partsIn(text: string): readonly string[] {
  return [...text.matchAll(PART)].map(([, name = '']) => name)
}

/** The page with its generated parts replaced. */
export function withGeneratedParts(text: string): string {
  return text.replace(PART, (_part, name: string) => {
    const part = PARTS[name]
    if (part === undefined) throw new Error(`there is no generated part "${name}"`)
    return `<!-- generated: ${name} -->\n${part()}\n<!-- end -->`
  })
}
