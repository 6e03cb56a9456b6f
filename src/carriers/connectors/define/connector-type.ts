/**
 * Makes a connector of a definition: the settings, the access token, the URL and headers of each request, the judgement
 * of replies that are no answers about a parcel, and lookups that settle a cancellation. Answers of a definition are
 * checked, because a file outside this repository may return anything.
 */
import type { CarrierCancelAnswer } from '../../../core/shipments/cancellation.ts'
import type { CarrierTrackAnswer } from '../../../core/shipments/tracking.ts'
import {
  type CarrierAccess,
  type Connector,
  type ConnectorBookings,
  type ConnectorType,
  hintsOf,
  type TrackHints,
} from '../../connector.ts'
import { NotSentError, withinLimit } from '../../not-sent.ts'
import { hiding } from '../../redaction.ts'
import { credentialFault, unknown, unknownReply } from '../judgement.ts'
import { type NoData, refusedAsScanned, releaseIfUnscanned } from '../parcel-history.ts'
import {
  bookAnswerOf,
  bookingLookupOf,
  cancelAnswerOf,
  checkAnswerOf,
  existenceOf,
  type Hide,
  manyTrackedOf,
  trackAnswerOf,
} from './answers.ts'
import { frozenCopy, openConversation } from './conversation.ts'
import type { CarrierCall, ConnectorDefinition, Format, LookUpFirst, Release } from './definition.ts'
import { messageOf, requestMade, senderOf, type TokensOf, tokensOf } from './requests.ts'

export function connectorTypeOf(definition: ConnectorDefinition): ConnectorType {
  const { settings, hosts, cancels, cancel, bookings } = definition
  const { lookupLagMs, trackingNumber, orderNumber, tracking, tokenRequests } = definition
  const fields = Object.entries(settings)
  const optional = fields.filter(([, { required = true }]) => !required).map(([name]) => name)
  return {
    credentials: fields.map(([name]) => name).filter((name) => !optional.includes(name)),
    ...(optional.length > 0 && { optionalCredentials: optional }),
    ...(releaseOf(cancel) !== undefined && { releases: true }),
    cancels,
    ...(bookings !== undefined && { books: true }),
    ...(bookings?.services !== undefined && { bookedServices: new Set(bookings.services) }),
    liveUrl: hosts.live,
    ...(hosts.test !== undefined && { testUrls: hosts.test }),
    ...(lookupLagMs !== undefined && { lookupLagMs }),
    ...(trackingNumber !== undefined && { trackingNumberFault: formatFault(trackingNumber) }),
    ...(orderNumber !== undefined && { orderRefFault: formatFault(orderNumber) }),
    ...(tracking !== undefined && { tracking }),
    ...(tokenRequests !== undefined && { tokenRequests }),
    credentialFault(name, value) {
      const format = Object.hasOwn(settings, name) ? settings[name]?.format : undefined
      return format && formatFault(format)(value)
    },
    open: (access) => openConnector(definition, access),
  }
}

/** With `search`, because `test` remembers where the last match ended if a pattern has the flag `g`. */
function formatFault({ pattern, mustBe }: Format): (value: string) => string | undefined {
  return (value) => (value.search(pattern) >= 0 ? undefined : `must be ${mustBe}`)
}

/** Undefined for a carrier that takes cancellations. */
function releaseOf(cancel: ConnectorDefinition['cancel']): Release | undefined {
  return 'release' in cancel ? cancel.release : undefined
}

function openConnector(definition: ConnectorDefinition, given: CarrierAccess): Connector {
  const { track, trackMany, check, bookings, orderNumber } = definition
  const access = { ...given, credentials: frozenCopy(given.credentials) }
  const tokensFrom = tokensOf(definition, access)
  const tokens = tokensFrom()
  const hide = hiding(Object.values(access.credentials))
  const ask = asker(definition, access, tokensFrom, hide)
  const lookUp: LookUp = async (carrierRef, signal, hints = {}) => {
    if (orderNumber !== undefined && hints.orderRef === undefined) throw new NotSentError(NO_ORDER)
    return ask(track, { carrierRef, ...hints }, signal, trackAnswerOf)
  }
  return {
    ...(tokens !== undefined && { prepare: (signal) => hidden(tokens.ready(signal), hide) }),
    ...(check !== undefined && {
      check: (signal) => ask(check, undefined, signal, checkAnswerOf),
    }),
    ...cancelling(definition, ask, lookUp),
    ...(trackMany !== undefined && {
      async trackMany(parcels, signal) {
        const known = parcels.filter(({ orderRef }) => orderNumber === undefined || orderRef !== undefined)
        if (known.length === 0) return { kind: 'tracked', parcels: new Map() }
        return ask(trackMany, known, signal, manyTrackedOf)
      },
    }),
    ...(bookings !== undefined && { bookings: bookingsOf(bookings, ask, orderNumber) }),
  }
}

function bookingsOf(
  { services, book, find }: NonNullable<ConnectorDefinition['bookings']>,
  ask: Ask,
  orderNumber: Format | undefined,
): ConnectorBookings {
  const faultOf = orderNumber && formatFault(orderNumber)
  const checked = <Answer extends { readonly kind: string; readonly orderRef?: string }>(answer: Answer) => {
    const isUsable = answer.kind !== 'booked' || faultOf?.(answer.orderRef ?? '') === undefined
    // The carrier may have a booking, so an operator has to look.
    return isUsable ? answer : unknown('booked without a usable order number', { configuration: true })
  }
  return {
    ...(services !== undefined && { services: new Set(services) }),
    book: async (shipment, signal) => checked(await ask(book, shipment, signal, bookAnswerOf)),
    find: async (shipmentId, signal) => checked(await ask(find, shipmentId, signal, bookingLookupOf)),
  }
}

type Ask = <Input, Answer, Checked>(
  call: CarrierCall<Input, Answer>,
  input: Input,
  signal: AbortSignal,
  checked: (answer: unknown, hide: Hide) => Checked,
) => Promise<Checked>

/** Returns the function that makes a call of the definition and checks its answer. */
function asker(
  definition: ConnectorDefinition,
  access: CarrierAccess,
  tokensFrom: TokensOf,
  hide: Hide,
): Ask {
  const { credentials: settings } = access
  const send = senderOf(definition, access, tokensFrom)
  const answerOf = async <Input, Answer>(
    call: CarrierCall<Input, Answer>,
    input: Input,
    signal: AbortSignal,
  ): Promise<unknown> => {
    if (typeof call === 'function') {
      const { conversation, run } = openConversation(settings, send, signal)
      return run(() => call(input, conversation))
    }
    const reply = await send(
      requestMade(() => call.request(input, settings)),
      signal,
    )
    const { answers = [200] } = call
    if (answers === 'all' || answers.includes(reply.status)) return call.judge(reply, input, settings)
    return credentialFault(reply) ?? unknownReply(reply, definition.errorIn?.(reply))
  }
  return (call, input, signal, checked) => {
    const answer = answerOf(call, frozenCopy(input), signal).then((found) => checked(found, hide))
    return hidden(answer, hide)
  }
}

/** Without credentials in the message of an error. */
async function hidden<Value>(work: Promise<Value>, hide: Hide): Promise<Value> {
  try {
    return await work
  } catch (error) {
    const message = hide(messageOf(error))
    throw error instanceof NotSentError ? new NotSentError(message, error.fault) : new Error(message)
  }
}

type LookUp = (
  carrierRef: string,
  signal: AbortSignal,
  hints?: TrackHints,
) => Promise<CarrierTrackAnswer | NoData>

/** `cancel` and `track`. */
function cancelling(
  { cancel, orderNumber }: ConnectorDefinition,
  ask: Ask,
  lookUp: LookUp,
): Required<Pick<Connector, 'cancel' | 'track'>> {
  const release = releaseOf(cancel)
  if (release === undefined)
    return {
      async track(carrierRef, signal, hints) {
        const answer = await lookUp(carrierRef, signal, hints)
        return answer.kind === 'no_data' ? unknown(answer.cause) : answer
      },
      async cancel(request, signal) {
        if (orderNumber !== undefined && request.orderRef === undefined) throw new NotSentError(NO_ORDER)
        const call = cancel as Exclude<typeof cancel, { readonly release: Release }>
        const answer = await ask(call, request, signal, cancelAnswerOf)
        if (answer.kind !== 'look_up') return answer
        return settled(answer, () =>
          withinLimit(signal, LOOKUP_LIMIT_MS, (part) => lookUp(request.carrierRef, part, hintsOf(request))),
        )
      },
    }
  const { exists } = release
  if (exists === undefined) return releaseIfUnscanned(lookUp)
  return releaseIfUnscanned(lookUp, (request, signal) => ask(exists, request, signal, existenceOf))
}

const NO_ORDER = 'the number of the order is not registered'

/** A slow lookup must not use up the time of a cancellation that was sent. */
const LOOKUP_LIMIT_MS = 2_500

/** Never throws: the reply to the cancellation remains usable. */
async function settled(
  { otherwise, ifAnnounced, ifNoData }: LookUpFirst,
  lookUp: () => Promise<CarrierTrackAnswer | NoData>,
): Promise<CarrierCancelAnswer> {
  const found = await lookUp().catch(() => otherwise)
  switch (found.kind) {
    case 'cancelled':
      return { kind: 'cancelled', how: 'already' }
    case 'scanned':
      return refusedAsScanned(found)
    case 'announced':
      return ifAnnounced ?? otherwise
    case 'no_data':
      return ifNoData ?? otherwise
    case 'unknown':
      return otherwise
  }
}
