/**
 * Which field of GraphQL corresponds to which field of REST, for requests and responses. The tests of both doors
 * translate requests and responses with this table (parity.ts), and docs/rest-and-graphql.md shows it.
 */

/** How a value is written in REST and in GraphQL. */
export type Form =
  /** Equal in both. */
  | 'same'
  /** A JSON number in REST, a `Decimal` in GraphQL: 14.25 and "14.25". */
  | 'decimal'
  /** An integer in REST, an `ID` in GraphQL: 1201 and "1201". */
  | 'id'
  /** A word in REST, an enum value in GraphQL: "business" and BUSINESS. */
  | 'enum'
  /** A word in REST, the name of a list in GraphQL: "DOC" and `documents`. */
  | 'list'
  /** Absent in REST if it is null in GraphQL. */
  | 'optional'

/** A path such as `parcels[].weight`. `[]` stands for every entry of a list. */
export type FieldPattern = string

export type RequestRow = {
  readonly rest: FieldPattern
  /** Within the input of the operation. */
  readonly graphql: FieldPattern
  readonly form: Exclude<Form, 'id' | 'optional'>
  /** Markdown. */
  readonly note?: string
}

/** A result of GraphQL, with all fields of the table. */
export type Result = { readonly __typename: string } & Readonly<Record<string, unknown>>

export type ResponseRow = {
  readonly rest: FieldPattern
  /** Within the type of the result. Undefined if GraphQL has no such field. */
  readonly graphql: FieldPattern | undefined
  readonly form: Exclude<Form, 'enum' | 'list'>
  readonly note?: string
  /** The setting of the account without which REST does not return the field. */
  readonly setting?: AccountSetting
} & (
  | object
  | {
      /** Calculates the value of REST. Undefined if REST does not return the field. */
      readonly derive: (result: Result, toRestPath: (path: readonly string[]) => string) => unknown
    }
)

/** See docs/rest-contract.md#r10 and docs/rest-contract.md#r26. */
export type AccountSetting = 'single transit time' | 'range of transit times' | 'price breakdown'

/** An outcome of an operation in both doors. `name` is the scenario of the test that causes it. */
export type OutcomeRow<Name extends string> = {
  readonly name: Name
  readonly status: number
  readonly type: string
  /** The `code` of a problem. */
  readonly code?: string
}

type FieldFault = { readonly path: readonly string[]; readonly message: string }

/** Faults as REST lists them: `parcels[0].weight: required for NONDOC; toCountry: required`. */
function faultsText(faults: readonly FieldFault[], toRestPath: (path: readonly string[]) => string): string {
  return faults.map(({ path, message }) => `${toRestPath(path)}: ${message}`).join('; ')
}

const problemMessage: ResponseRow = {
  rest: 'message',
  graphql: 'fields[].message',
  form: 'same',
  note: 'REST joins the faults: `toCountry: required; …`. In GraphQL, `message` is a summary, and a fault may carry more advice.',
  derive: ({ fields }, toRestPath) => faultsText(fields as readonly FieldFault[], toRestPath),
}

const ROUTE: readonly RequestRow[] = [
  { rest: 'fromCountry', graphql: 'from.country', form: 'same' },
  { rest: 'fromZipcode', graphql: 'from.postalCode', form: 'same' },
  { rest: 'fromCity', graphql: 'from.city', form: 'same' },
  { rest: 'toCountry', graphql: 'to.country', form: 'same' },
  { rest: 'toZipcode', graphql: 'to.postalCode', form: 'same' },
  { rest: 'toCity', graphql: 'to.city', form: 'same' },
]

const RATES = {
  title: 'Rates',
  endpoint: '/rates',
  operation: 'rates',
  inputType: 'RatesInput',
  resultType: 'RateQuote',
  request: [
    ...ROUTE,
    {
      rest: 'parcels[].type',
      graphql: 'parcels',
      form: 'list',
      note: 'GraphQL has a list for each type: `boxes` (NONDOC), `documents` (DOC) and `pallets` (PALLET). One of them is given. The rows below are those of `boxes`, which also have `shape`, `packaging` and `freightClass`, as `pallets` do; `documents` have `count` and `weightKg`.',
    },
    { rest: 'parcels[].count', graphql: 'parcels.boxes[].count', form: 'same' },
    {
      rest: 'parcels[].weight',
      graphql: 'parcels.boxes[].weightKg',
      form: 'decimal',
      note: 'It has up to three decimals; REST has one.',
    },
    { rest: 'parcels[].length', graphql: 'parcels.boxes[].lengthCm', form: 'same' },
    { rest: 'parcels[].width', graphql: 'parcels.boxes[].widthCm', form: 'same' },
    { rest: 'parcels[].height', graphql: 'parcels.boxes[].heightCm', form: 'same' },
    { rest: 'parcels[].stackable', graphql: 'parcels.pallets[].stackable', form: 'same' },
    { rest: 'recipientType', graphql: 'recipientType', form: 'enum' },
    { rest: 'insured', graphql: 'insured', form: 'same' },
    { rest: 'totalValue', graphql: 'totalValue.amount', form: 'decimal' },
  ] satisfies readonly RequestRow[] as readonly RequestRow[],
  response: [
    {
      rest: 'errors',
      graphql: '__typename',
      form: 'same',
      note: '`false` for `RateQuote`, `true` for `InputProblem`.',
      derive: () => false,
    },
    {
      rest: 'message',
      graphql: 'options',
      form: 'same',
      note: 'A sentence with the number of options. GraphQL has no such text.',
      derive: ({ options }) => countText((options as readonly unknown[]).length),
    },
    { rest: 'data[].carrier', graphql: 'options[].product.carrier.name', form: 'same' },
    { rest: 'data[].product', graphql: 'options[].product.name', form: 'same' },
    { rest: 'data[].productId', graphql: 'options[].product.id', form: 'id' },
    {
      rest: 'data[].price',
      graphql: 'options[].price.amount',
      form: 'decimal',
      note: 'GraphQL has two decimals: `"12.30"`. The currency is in `price.currency`.',
    },
    {
      rest: 'data[].estimatedTransitTimeInWorkingDays',
      graphql: 'options[].transit.maxWorkingDays',
      form: 'same',
      setting: 'single transit time',
      note: 'The form of the account; see [R10](rest-contract.md#r10).',
    },
    {
      rest: 'data[].minEstimatedTransitTimeInWorkingsDays',
      graphql: 'options[].transit.minWorkingDays',
      form: 'same',
      setting: 'range of transit times',
      note: 'The other form of [R10](rest-contract.md#r10).',
    },
    {
      rest: 'data[].maxEstimatedTransitTimeInWorkingsDays',
      graphql: 'options[].transit.maxWorkingDays',
      form: 'same',
      setting: 'range of transit times',
    },
    {
      rest: 'data[].priceBreakdown[].item',
      graphql: 'options[].breakdown[].name',
      form: 'same',
      setting: 'price breakdown',
      note: 'Can be left out of REST responses; see [R26](rest-contract.md#r26).',
    },
    {
      rest: 'data[].priceBreakdown[].amount',
      graphql: 'options[].breakdown[].amount.amount',
      form: 'decimal',
      setting: 'price breakdown',
    },
    {
      rest: 'data[].priceBreakdown[].reason',
      graphql: 'options[].breakdown[].reason',
      form: 'optional',
      setting: 'price breakdown',
    },
  ] satisfies readonly ResponseRow[] as readonly ResponseRow[],
  problem: [
    {
      rest: 'errors',
      graphql: '__typename',
      form: 'same',
      note: '`true` for `InputProblem`.',
      derive: () => true,
    },
    problemMessage,
    { rest: 'data', graphql: undefined, form: 'same', note: 'Always empty.', derive: () => [] },
  ] satisfies readonly ResponseRow[] as readonly ResponseRow[],
  outcomes: [
    { name: 'options found, or none', status: 200, type: 'RateQuote' },
    { name: 'invalid request', status: 400, type: 'InputProblem', code: 'INVALID_INPUT' },
  ],
} as const

function countText(count: number): string {
  if (count === 0) return 'No shipping option is available for this request'
  return count === 1 ? '1 shipping option found' : `${count} shipping options found`
}

type ItemProblem = { readonly problem: { readonly fields: readonly FieldFault[] } | null }

const itemFaults = ({ items }: Result): readonly FieldFault[] =>
  (items as readonly ItemProblem[]).flatMap(({ problem }) => problem?.fields ?? [])

const DUTIES = {
  title: 'Duties and taxes',
  endpoint: '/duties-taxes-estimate',
  operation: 'dutiesEstimate',
  inputType: 'DutiesEstimateInput',
  resultType: 'DutiesEstimate',
  request: [
    ...ROUTE,
    { rest: 'contentItems[].description', graphql: 'contentItems[].description', form: 'same' },
    { rest: 'contentItems[].numberOfItems', graphql: 'contentItems[].count', form: 'same' },
    { rest: 'contentItems[].cost', graphql: 'contentItems[].value.amount', form: 'decimal' },
    { rest: 'contentItems[].tariff', graphql: 'contentItems[].hsCode', form: 'same' },
    { rest: 'contentItems[].originCountry', graphql: 'contentItems[].originCountry', form: 'same' },
  ] satisfies readonly RequestRow[] as readonly RequestRow[],
  response: [
    {
      rest: 'hasErrors',
      graphql: 'items[].problem.code',
      form: 'same',
      note: '`true` if an item has a `problem`; also for `InputProblem`.',
      derive: (result) => itemFaults(result).length > 0,
    },
    {
      rest: 'message',
      graphql: 'items[].problem.fields[].message',
      form: 'optional',
      note: 'REST joins the faults of all items, each with its path. GraphQL gives other advice.',
      derive: (result, toRestPath) =>
        itemFaults(result).length === 0 ? undefined : faultsText(itemFaults(result), toRestPath),
    },
    { rest: 'taxDetails[].harmonizedCode', graphql: 'taxes[].hsCode', form: 'same' },
    { rest: 'taxDetails[].name', graphql: 'taxes[].name', form: 'same' },
    { rest: 'taxDetails[].amount', graphql: 'taxes[].amount.amount', form: 'decimal' },
    { rest: 'taxDetails[].description', graphql: 'taxes[].description', form: 'same' },
    { rest: 'estimate', graphql: 'total.amount', form: 'decimal' },
    { rest: 'hsCode', graphql: 'hsCode', form: 'same' },
  ] satisfies readonly ResponseRow[] as readonly ResponseRow[],
  problem: [
    {
      rest: 'hasErrors',
      graphql: '__typename',
      form: 'same',
      note: '`true` for `InputProblem`.',
      derive: () => true,
    },
    problemMessage,
    { rest: 'taxDetails', graphql: undefined, form: 'same', note: 'Always empty.', derive: () => [] },
    { rest: 'estimate', graphql: undefined, form: 'same', note: 'Always 0.', derive: () => 0 },
    { rest: 'hsCode', graphql: undefined, form: 'same', note: 'Always empty.', derive: () => '' },
  ] satisfies readonly ResponseRow[] as readonly ResponseRow[],
  outcomes: [
    { name: 'estimate', status: 200, type: 'DutiesEstimate' },
    { name: 'no code found for an item', status: 200, type: 'DutiesEstimate' },
    { name: 'invalid request', status: 400, type: 'InputProblem', code: 'INVALID_INPUT' },
  ],
} as const

const CANCELLATION = {
  title: 'Cancellation',
  endpoint: '/shipments/{shipmentId}/cancel',
  operation: 'cancelShipment',
  inputType: 'CancelShipmentInput',
  resultType: 'ShipmentCancelled',
  request: [
    { rest: 'shipmentId', graphql: 'shipmentId', form: 'same', note: 'In REST, a part of the path.' },
  ] satisfies readonly RequestRow[] as readonly RequestRow[],
  response: [
    {
      rest: 'cancelled',
      graphql: '__typename',
      form: 'same',
      note: '`true` for `ShipmentCancelled` only.',
      derive: ({ __typename }) => __typename === 'ShipmentCancelled',
    },
    {
      rest: 'message',
      graphql: 'message',
      form: 'same',
      note: 'With status 404, the body is this text alone.',
    },
  ] satisfies readonly ResponseRow[] as readonly ResponseRow[],
  problem: [],
  outcomes: [
    { name: 'cancelled now', status: 200, type: 'ShipmentCancelled' },
    { name: 'already cancelled', status: 200, type: 'ShipmentCancelled' },
    { name: 'in transit', status: 409, type: 'ShipmentNotCancelled', code: 'ALREADY_IN_TRANSIT' },
    { name: 'refused by the carrier', status: 409, type: 'ShipmentNotCancelled', code: 'CARRIER_REFUSED' },
    { name: 'not in this account', status: 404, type: 'ShipmentNotFound', code: 'NOT_FOUND' },
    {
      name: 'nothing sent, the carrier is unavailable',
      status: 503,
      type: 'ShipmentNotCancelled',
      code: 'CARRIER_UNAVAILABLE',
    },
    {
      name: 'not confirmed by the carrier',
      status: 504,
      type: 'CancellationPending',
    },
  ],
} as const

/** The operations that both doors have. */
export const PARITY = { rates: RATES, duties: DUTIES, cancellation: CANCELLATION } as const

export type Operation = (typeof PARITY)[keyof typeof PARITY]

/** What a door does with a value. */
export type RestVerdict = 'accepted' | '400'
export type GraphqlVerdict = 'accepted' | 'InputProblem' | 'BAD_USER_INPUT'

/** A value that is set in a field of an otherwise valid request. Undefined: the field is missing. */
export type AcceptedForm = {
  readonly operation: 'rates' | 'duties'
  /** A field of the request table, a list in it, or a field that does not exist. */
  readonly field: FieldPattern
  readonly value: unknown
  readonly rest: RestVerdict
  readonly graphql: GraphqlVerdict
}

/** Values that the doors treat differently, and some that they treat equally. */
export const ACCEPTED_FORMS: readonly AcceptedForm[] = [
  { operation: 'rates', field: 'parcels[].count', value: 2, rest: 'accepted', graphql: 'accepted' },
  { operation: 'rates', field: 'parcels[].count', value: '2', rest: 'accepted', graphql: 'BAD_USER_INPUT' },
  { operation: 'rates', field: 'parcels[].length', value: '40', rest: 'accepted', graphql: 'BAD_USER_INPUT' },
  { operation: 'rates', field: 'parcels[].weight', value: 12.5, rest: 'accepted', graphql: 'accepted' },
  { operation: 'rates', field: 'parcels[].weight', value: '12.5', rest: 'accepted', graphql: 'accepted' },
  { operation: 'rates', field: 'parcels[].weight', value: '12.345', rest: '400', graphql: 'accepted' },
  { operation: 'rates', field: 'parcels[].weight', value: '0.0005', rest: '400', graphql: 'InputProblem' },
  { operation: 'rates', field: 'parcels[].weight', value: '12.50', rest: '400', graphql: 'accepted' },
  { operation: 'rates', field: 'totalValue', value: 900, rest: 'accepted', graphql: 'accepted' },
  { operation: 'rates', field: 'totalValue', value: '900', rest: '400', graphql: 'accepted' },
  {
    operation: 'rates',
    field: 'recipientType',
    value: 'business',
    rest: 'accepted',
    graphql: 'BAD_USER_INPUT',
  },
  { operation: 'rates', field: 'recipientType', value: 'BUSINESS', rest: '400', graphql: 'accepted' },
  { operation: 'rates', field: 'toCountry', value: 'es', rest: 'accepted', graphql: 'accepted' },
  { operation: 'rates', field: 'toCountry', value: 'XX', rest: '400', graphql: 'InputProblem' },
  { operation: 'rates', field: 'toCountry', value: undefined, rest: '400', graphql: 'BAD_USER_INPUT' },
  { operation: 'rates', field: 'toZipcode', value: '', rest: 'accepted', graphql: 'accepted' },
  { operation: 'rates', field: 'toZipcode', value: null, rest: 'accepted', graphql: 'accepted' },
  { operation: 'rates', field: 'toZipcode', value: 28013, rest: '400', graphql: 'BAD_USER_INPUT' },
  {
    operation: 'rates',
    field: 'parcels',
    value: { type: 'DOC', count: 1 },
    rest: '400',
    graphql: 'BAD_USER_INPUT',
  },
  { operation: 'rates', field: 'colour', value: 'red', rest: 'accepted', graphql: 'BAD_USER_INPUT' },
  {
    operation: 'duties',
    field: 'contentItems[].numberOfItems',
    value: '2',
    rest: '400',
    graphql: 'BAD_USER_INPUT',
  },
  { operation: 'duties', field: 'contentItems[].cost', value: 50, rest: 'accepted', graphql: 'accepted' },
  { operation: 'duties', field: 'contentItems[].cost', value: '50', rest: '400', graphql: 'accepted' },
  {
    operation: 'duties',
    field: 'contentItems[].tariff',
    value: '6109.10',
    rest: 'accepted',
    graphql: 'accepted',
  },
  {
    operation: 'duties',
    field: 'contentItems[].tariff',
    value: 610910,
    rest: '400',
    graphql: 'BAD_USER_INPUT',
  },
]

/** A request that is refused before its operation. REST returns the error body of the endpoint. */
export type RefusalRow<Name extends string> = {
  readonly name: Name
  readonly rest: number
  readonly graphql: number
  readonly code: string
}

export const REFUSALS = [
  { name: 'malformed JSON', rest: 400, graphql: 400, code: 'BAD_REQUEST' },
  { name: 'wrong credentials', rest: 401, graphql: 401, code: 'UNAUTHENTICATED' },
  { name: 'body above 256 KiB', rest: 413, graphql: 413, code: 'BODY_TOO_LARGE' },
  { name: 'content type other than JSON', rest: 415, graphql: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  { name: 'budget of the API key used up', rest: 429, graphql: 429, code: 'RATE_LIMITED' },
  { name: 'more than 200 headers', rest: 431, graphql: 431, code: 'TOO_MANY_HEADERS' },
] as const satisfies readonly RefusalRow<string>[]
