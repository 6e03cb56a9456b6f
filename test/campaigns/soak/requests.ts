/**
 * The mix of requests of the soak: rates, duties by code and by words, landed cost, and drafts that are created and
 * cancelled, through both doors. Most bodies are new, so that caches are filled and evicted.
 */
import type { Dice } from '../../support/random/seeded-dice.ts'
import { ordinaryDescription } from '../abuse/requests/descriptions.ts'
import { REST, restRates } from '../abuse/requests/rest-bodies.ts'

export type Call = {
  readonly path: string
  readonly body: object | string
  /** The request to send after this one, from its response. */
  readonly next?: (text: string) => Call
}

const TO = ['NL', 'ES', 'FR', 'DE', 'IT', 'GB', 'US']
const ORIGINS = ['CN', 'VN', 'TR', 'US', 'IN']
const ADJECTIVES = [
  'red',
  'large',
  'cotton',
  'leather',
  'plastic',
  'steel',
  'wooden',
  'second-hand',
  'organic',
]

/** A random call. The kinds have equal shares. */
export function randomCall(dice: Dice): Call {
  return dice.pick(KINDS)(dice)
}

const KINDS: readonly ((dice: Dice) => Call)[] = [
  (dice) => ({ path: REST.rates, body: restRates(dice, dice.int(1, 3)) }),
  (dice) => ({
    path: REST.estimate,
    body: estimateBody(dice, (item) => ({ ...item, tariff: codeOf(dice) })),
  }),
  (dice) => ({ path: REST.estimate, body: estimateBody(dice, (item) => item) }),
  (dice) => graphql(ratesDocument(dice), { input: ratesInput(dice) }),
  (dice) => graphql(dutiesDocument(dice), { input: dutiesInput(dice) }),
  (dice) =>
    graphql(landedCostDocument(dice), {
      input: { rates: ratesInput(dice), contentItems: contentItems(dice) },
    }),
  cancelledDraft,
  refusedCall,
]

function graphql(query: string, variables: object): Call {
  return { path: '/graphql', body: { query, variables } }
}

/** One in ten documents has a name that no other document has. The others are variants of a few hundred. */
function documentName(dice: Dice): string {
  return dice.chance(0.1) ? `Query${dice.int(0, 1e9)}` : 'Query'
}

function ratesDocument(dice: Dice): string {
  const product = ['id', 'name', 'carrier { id name }']
  const option = [
    `product { ${dice.some(product, 1, 3).join(' ')} }`,
    'price { amount currency }',
    'transit { minWorkingDays maxWorkingDays }',
    'badges',
    'breakdown { kind name amount { amount currency } reason }',
  ]
  const fields = dice.some(option, 1, option.length).join(' ')
  const alias = dice.chance(0.5) ? 'quote: ' : ''
  return `query ${documentName(dice)}($input: RatesInput!) {
    ${alias}rates(input: $input) { ... on RateQuote { rateCardVersions options { ${fields} } } ${PROBLEM} } }`
}

const PROBLEM = '... on InputProblem { message fields { path code message } }'

const ESTIMATE = [
  'total { amount currency }',
  'customsValue { amount }',
  'hsCode',
  'complete',
  'taxes { hsCode kind name amount { amount } base { amount } ratePercent description }',
  'items { index total { amount } classification { hsCode source } }',
]

function dutiesDocument(dice: Dice): string {
  return `query ${documentName(dice)}($input: DutiesEstimateInput!) {
    dutiesEstimate(input: $input) { ... on DutiesEstimate { ${dice.some(ESTIMATE, 1, 6).join(' ')} } ${PROBLEM} } }`
}

function landedCostDocument(dice: Dice): string {
  const duties = `duties { ${dice.some(ESTIMATE, 1, 4).join(' ')} }`
  return `query ${documentName(dice)}($input: LandedCostInput!) {
    landedCost(input: $input) { ... on LandedCost { options { rateOption { product { id } } ${duties}
      total { amount currency } } } ${PROBLEM} } }`
}

function ratesInput(dice: Dice) {
  const parcel = { count: dice.int(1, 3), weightKg: `${dice.int(1, 20)}.${dice.int(0, 9)}` }
  return {
    from: { country: 'NL', postalCode: '1012 LG', city: 'Amsterdam' },
    to: { country: dice.pick(TO), postalCode: String(dice.int(10_000, 99_999)) },
    parcels: { boxes: [{ ...parcel, lengthCm: dice.int(10, 60), widthCm: 20, heightCm: 20 }] },
    recipientType: dice.pick(['BUSINESS', 'INDIVIDUAL']),
  }
}

function dutiesInput(dice: Dice) {
  return { from: { country: 'CN' }, to: { country: dice.pick(TO) }, contentItems: contentItems(dice) }
}

function contentItems(dice: Dice) {
  return Array.from({ length: dice.int(1, 4) }, () => ({
    ...{ description: words(dice), count: dice.int(1, 5), value: `${dice.int(1, 400)}.5` },
    originCountry: dice.pick(ORIGINS),
    ...(dice.chance(0.5) && { hsCode: codeOf(dice) }),
  }))
}

function estimateBody(dice: Dice, complete: (item: object) => object): object {
  const contentItems = Array.from({ length: dice.int(1, 4) }, () =>
    complete({ description: words(dice), numberOfItems: dice.int(1, 5), cost: dice.int(1, 400) }),
  )
  return { fromCountry: 'CN', toCountry: dice.pick(TO), contentItems }
}

function words(dice: Dice): string {
  return `${dice.pick(ADJECTIVES)} ${ordinaryDescription(dice)} no. ${dice.int(1, 100_000)}`
}

/** Most of them are in no tariff. */
function codeOf(dice: Dice): string {
  return String(6_100_000_000 + dice.int(0, 9_999) * 1_000)
}

const DRAFT = `mutation Draft($input: CreateDraftShipmentInput!) {
  createDraftShipment(input: $input) { ... on DraftShipmentCreated { shipment { id } } ... on Problem { code message } } }`

const CANCEL = `mutation Cancel($input: CancelShipmentInput!) {
  cancelShipment(input: $input) { ... on ShipmentCancelled { alreadyCancelled } ... on Problem { code message } } }`

/** A draft, which one of the doors then cancels. */
function cancelledDraft(dice: Dice): Call {
  const input = {
    rates: { ...ratesInput(dice), to: { country: 'ES', postalCode: '28001' } },
    preferredShippingOption: '1201',
    contentItems: contentItems(dice),
  }
  const isRest = dice.chance(0.5)
  const next = (text: string): Call => {
    const shipmentId = /"id":"([^"]+)"/.exec(text)?.[1]
    if (shipmentId === undefined) throw new Error(`no draft was created: ${text}`)
    return isRest
      ? { path: `/partners-api/v1/shipments/${shipmentId}/cancel`, body: {} }
      : graphql(CANCEL, { input: { shipmentId } })
  }
  return { ...graphql(DRAFT, { input }), next }
}

/** A request that is refused: 400, 404, or errors of GraphQL. */
export function refusedCall(dice: Dice): Call {
  return dice.pick([
    { path: REST.rates, body: { fromCountry: 'NL', parcels: [{ type: `kind ${dice.int(0, 1e9)}` }] } },
    { path: REST.estimate, body: `{"fromCountry": ${dice.int(0, 1e9)}` },
    { path: `/partners-api/v1/shipments/unknown-${dice.int(0, 1e9)}/cancel`, body: {} },
    graphql(`query { field${dice.int(0, 1e9)} }`, {}),
    graphql(dutiesDocument(dice), { input: { from: {}, contentItems: [] } }),
  ])
}
