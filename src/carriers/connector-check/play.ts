/** Makes one call of a connector through the gateway, and puts its outcome in words. */
import type { Service } from '../../core/rating/sender-service.ts'
import { type DangerousGoods, type ServiceInputs, SLOT_SERVICES } from '../../core/rating/service-inputs.ts'
import type { BookingLookup, BookingNotOffered, CarrierBookAnswer } from '../../core/shipments/booking.ts'
import type { CarrierCancelAnswer, NotSent } from '../../core/shipments/cancellation.ts'
import type { Shipment } from '../../core/shipments/shipment.ts'
import type { CarrierTrackAnswer } from '../../core/shipments/tracking.ts'
import { withTimeout } from '../../operations/ports/work.ts'
import type { CheckAnswer, Connector, ConnectorType } from '../connector.ts'
import { carrierGateway } from '../gateway/gateway.ts'
import { NotSentError, openCallSignal } from '../not-sent.ts'
import { openCarriers } from '../registry.ts'
import type { CallName, Fixture } from './fixture.ts'
import type { GivenReply } from './generic-fake.ts'

/** The connector that is checked. */
export type Subject = {
  readonly name: string
  readonly type: ConnectorType
  /** The reply to the requests for access tokens, by their path. Empty if the carrier has no tokens. */
  readonly tokenReplies: ReadonlyMap<string, GivenReply>
  /** The services that it says it passes on. */
  readonly services?: readonly Service[]
  /** See `valuesOf`. */
  readonly settings: Readonly<Record<string, string>>
}

/** What a call is about, without its exchanges. */
export type CallInput = Pick<
  Fixture,
  'number' | 'orderNumber' | 'sends' | 'ageMs' | 'bookedAt' | 'lookedUpBefore' | 'services'
> & {
  readonly call: CallName | 'trackMany'
}

export type Outcome = {
  /** As in `Fixture.expect`. */
  readonly words: string
  /** Why, if the outcome is `unknown` or `not sent`. */
  readonly cause?: string
}

const ACCOUNT = { accountId: 'shop', carrierCode: 'carrier' }

/** The carriers, the gateway and the parcel of one call. */
function opened({ name, type, settings }: Subject, input: CallInput, baseUrl: string, timeoutMs: number) {
  const credentials = credentialsOf(type, settings, baseUrl)
  const carriers = openCarriers(() => name, {
    sandboxUrl: undefined,
    settings: new Map([[ACCOUNT.carrierCode, { baseUrl, credentials, accounts: new Map() }]]),
    connectors: new Map([[name, type]]),
  })
  const { number: carrierRef, orderNumber: orderRef, bookedAt } = input
  const parcel = {
    ...ACCOUNT,
    carrierRef,
    ...(orderRef !== undefined && { orderRef }),
    ...(bookedAt !== undefined && { bookedAt }),
  }
  return { carriers, gateway: carrierGateway(carriers, { timeoutMs }), parcel }
}

export async function play(
  subject: Subject,
  input: CallInput,
  baseUrl: string,
  timeoutMs: number,
): Promise<Outcome> {
  const { carriers, gateway, parcel } = opened(subject, input, baseUrl, timeoutMs)
  for (const carrierRef of input.lookedUpBefore ?? []) await gateway.track({ ...parcel, carrierRef })
  switch (input.call) {
    case 'cancel': {
      const { sends, ageMs } = input
      const attempt = { attemptId: 'attempt', shipmentId: 'shipment', fence: 1 }
      return outcomeOf(await gateway.cancel({ ...parcel, ...attempt, sends, ageMs }))
    }
    case 'track':
      return outcomeOf(await gateway.track(parcel))
    case 'trackMany':
      return together(
        await playTogether(subject, input, [parcel.carrierRef, `${parcel.carrierRef}0`], baseUrl, timeoutMs),
      )
    case 'book':
      return outcomeOf(await gateway.book(ACCOUNT.accountId, shipmentWith(input)))
    case 'find':
      return outcomeOf(await gateway.findBooking({ ...ACCOUNT, shipmentId: SHIPMENT.shipmentId }))
    case 'check':
      return checked(carriers.connectorOf(ACCOUNT.carrierCode, ACCOUNT.accountId), timeoutMs)
  }
}

/** Looks several parcels up in one call, if the connector can. The outcomes are in the order of `numbers`. */
export async function playTogether(
  subject: Subject,
  input: CallInput,
  numbers: readonly string[],
  baseUrl: string,
  timeoutMs: number,
): Promise<readonly Outcome[]> {
  const { gateway, parcel } = opened(subject, input, baseUrl, timeoutMs)
  const answers = await gateway.trackMany(numbers.map((carrierRef) => ({ ...parcel, carrierRef })))
  return answers.map(outcomeOf)
}

/** A setting that is a URL leads to the fake. */
function credentialsOf(type: ConnectorType, settings: Subject['settings'], baseUrl: string) {
  const given = Object.entries(valuesOf(type, settings))
  return Object.fromEntries(given.map(([name, value]) => [name, name.endsWith('Url') ? baseUrl : value]))
}

/** The values of settings for the check: the given ones, and `test-` and the name for others that are required. */
export function valuesOf(
  { credentials, optionalCredentials = [] }: ConnectorType,
  settings: Subject['settings'],
): Readonly<Record<string, string>> {
  const names = [...credentials, ...optionalCredentials.filter((name) => settings[name] !== undefined)]
  return Object.fromEntries(names.map((name) => [name, settings[name] ?? `test-${name}`]))
}

/** The shipment that fixtures book and find. */
export const SHIPMENT: Shipment = {
  shipmentId: 'shipment',
  state: 'draft',
  productId: 1,
  carrierCode: ACCOUNT.carrierCode,
  from: { country: 'NL', zipcode: '1012 LG', city: 'Amsterdam' },
  to: { country: 'GB', zipcode: 'EC1A 1BB', city: 'London' },
  priceCents: 1_000,
  createdAt: '2026-11-01T08:00:00.000Z',
  updatedAt: '2026-11-01T08:00:00.000Z',
}

/** With an example of the input of each service that has one: docs/connectors.md#fixtures. */
function shipmentWith({ services }: CallInput): Shipment {
  if (services === undefined) return SHIPMENT
  const slots = SLOT_SERVICES.filter((service) => services.includes(service))
  const serviceInputs: ServiceInputs = {
    ...(slots.length > 0 && { slots: Object.fromEntries(slots.map((service) => [service, '08:00-10:00'])) }),
    ...(services.includes('CASH_ON_DELIVERY') && { cashOnDelivery: { currency: 'EUR', hundredths: 10_000 } }),
    ...(services.includes('DANGEROUS_GOODS') && { dangerousGoods: [GOODS] }),
  }
  return { ...SHIPMENT, services, ...(Object.keys(serviceInputs).length > 0 && { serviceInputs }) }
}

const GOODS: DangerousGoods = {
  unNumber: 'UN3481',
  hazardClass: 'CLASS_9',
  limitedQuantity: false,
  netGrams: 400,
  packages: 1,
}

type Answer =
  | CarrierCancelAnswer
  | CarrierTrackAnswer
  | CarrierBookAnswer
  | BookingNotOffered
  | BookingLookup
  | CheckAnswer
  | NotSent

function outcomeOf(answer: Answer): Outcome {
  switch (answer.kind) {
    case 'cancelled':
      return { words: 'how' in answer ? `cancelled ${answer.how}` : 'cancelled' }
    case 'refused':
      return { words: 'reason' in answer ? `refused ${answer.reason}` : 'refused' }
    case 'scanned':
      return { words: `scanned ${answer.scan.at}` }
    case 'booked': {
      const { carrierRef, parcelRefs = [carrierRef] } = answer
      return { words: `booked ${parcelRefs.join(' ')}` }
    }
    case 'not_offered':
      return { words: 'not sent', cause: answer.code }
    case 'not_sent':
      return { words: 'not sent', cause: answer.cause }
    case 'unknown':
      return { words: 'unknown', cause: answer.cause }
    case 'announced':
    case 'accepted':
    case 'none':
      return { words: answer.kind }
  }
}

/** The outcome of the first parcel with an answer: no parcel may have one in the cases that look up several. */
function together(outcomes: readonly Outcome[]): Outcome {
  const isAnswer = ({ words }: Outcome) => words !== 'unknown' && words !== 'not sent'
  return outcomes.find(isAnswer) ?? outcomes[0] ?? { words: 'unknown' }
}

/** A connector that ignores its signal is left alone after the limit and this. */
const LEFT_ALONE_MS = 500

async function checked(connector: Connector | undefined, limitMs: number): Promise<Outcome> {
  if (connector?.check === undefined) return { words: 'unknown', cause: 'the connector has no check' }
  const { signal, abort } = openCallSignal()
  const timer = setTimeout(abort, limitMs)
  try {
    const answer = withTimeout(connector.check(signal), limitMs + LEFT_ALONE_MS, () => {
      throw new Error(`no answer within ${limitMs} ms`)
    })
    return outcomeOf(await answer)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return { words: error instanceof NotSentError ? 'not sent' : 'unknown', cause }
  } finally {
    clearTimeout(timer)
  }
}
