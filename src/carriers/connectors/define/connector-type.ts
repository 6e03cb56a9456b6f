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
import { exchange, type HttpReply, type HttpRequest } from '../../http-exchange.ts'
import { limitedSignal, NotSentError } from '../../not-sent.ts'
import { hiding } from '../../redaction.ts'
import { withoutTrailingSlashes } from '../../settings.ts'
import { readOAuthToken, type TokenSource, tokenSource } from '../../token-source.ts'
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
import type {
  CarrierCall,
  CarrierRequest,
  ConnectorDefinition,
  Conversation,
  Format,
  LookUpFirst,
} from './definition.ts'

/** The largest body of a reply that a definition can ask for, in bytes. */
const REPLY_MAX_BYTES = 4 * 1024 * 1024

export function connectorTypeOf(definition: ConnectorDefinition): ConnectorType {
  const { settings, hosts, cancels, cancel, bookings } = definition
  const { lookupLagMs, trackingNumber, orderNumber, tracking, tokenRequests } = definition
  const fields = Object.entries(settings)
  const optional = fields.filter(([, { required = true }]) => !required).map(([name]) => name)
  return {
    credentials: fields.map(([name]) => name).filter((name) => !optional.includes(name)),
    ...(optional.length > 0 && { optionalCredentials: optional }),
    ...('release' in cancel && { releases: true }),
    cancels,
    ...(bookings !== undefined && { books: true }),
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

/** Shorter credentials, such as the name of a branch, may be words of the carrier's texts. */
const HIDDEN_MIN = 8

function openConnector(definition: ConnectorDefinition, access: CarrierAccess): Connector {
  const { track, trackMany, check, bookings, orderNumber } = definition
  const tokens = tokensOf(definition, access)
  const hide = hiding(Object.values(access.credentials).filter(({ length }) => length >= HIDDEN_MIN))
  const ask = asker(definition, access, tokens, hide)
  const lookUp: LookUp = async (carrierRef, signal, hints = {}) => {
    if (orderNumber !== undefined && hints.orderRef === undefined) throw new NotSentError(NO_ORDER)
    return ask(track, { carrierRef, ...hints }, signal, trackAnswerOf)
  }
  return {
    ...(tokens !== undefined && { prepare: (signal) => tokens.ready(signal) }),
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

function tokensOf(
  { token }: ConnectorDefinition,
  { baseUrl, credentials, tokenLimiter }: CarrierAccess,
): TokenSource | undefined {
  if (token === undefined) return undefined
  const open = (): TokenSource => {
    const { path, headers = {}, body } = token.request(credentials)
    const isForm = typeof body === 'string'
    const type = isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
    const url = urlOf(baseUrl, path)
    const request = { method: 'POST', url, headers: { ...type, ...headers }, body } as const
    return tokenSource(request, token.read ?? readOAuthToken, { limiter: tokenLimiter })
  }
  // Opened by the first call, because the definition may throw.
  let opened: TokenSource | undefined
  const tokens = (): TokenSource => {
    opened ??= open()
    return opened
  }
  return {
    ready: async (signal) => tokens().ready(signal),
    send: async (request, signal) => tokens().send(request, signal),
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
  tokens: TokenSource | undefined,
  hide: Hide,
): Ask {
  const { credentials: settings } = access
  const talk = talker(definition, access, tokens)
  const answerOf = async <Input, Answer>(
    call: CarrierCall<Input, Answer>,
    input: Input,
    signal: AbortSignal,
  ): Promise<unknown> => {
    const conversation = talk(signal)
    if (typeof call === 'function') return call(input, conversation)
    const reply = await conversation.send(call.request(input, settings))
    const { answers = [200] } = call
    if (answers === 'all' || answers.includes(reply.status)) return call.judge(reply, input, settings)
    return credentialFault(reply) ?? unknownReply(reply, definition.errorIn?.(reply))
  }
  return async (call, input, signal, checked) => {
    try {
      return checked(await answerOf(call, input, signal), hide)
    } catch (error) {
      if (error instanceof NotSentError) throw error
      throw new Error(hide(error instanceof Error ? error.message : String(error)))
    }
  }
}

function talker(
  { headers: headersOf = () => ({}) }: ConnectorDefinition,
  { baseUrl, credentials: settings }: CarrierAccess,
  tokens: TokenSource | undefined,
): (signal: AbortSignal) => Conversation {
  const withToken = ({ path, query, headers, baseUrlFrom, ...request }: CarrierRequest) => {
    // The settings check the URLs of such settings, and production refuses test interfaces in them.
    if (baseUrlFrom !== undefined && !baseUrlFrom.endsWith('Url'))
      throw new Error('baseUrlFrom must name a setting that ends with Url')
    const base = withoutTrailingSlashes((baseUrlFrom && settings[baseUrlFrom]) || baseUrl)
    const { replyMaxBytes } = request
    return (token: string): HttpRequest => ({
      ...request,
      url: urlOf(base, path, query),
      headers: { ...headersOf(settings, token), ...headers },
      ...(replyMaxBytes !== undefined && { replyMaxBytes: Math.min(replyMaxBytes, REPLY_MAX_BYTES) }),
    })
  }
  return (signal) => ({
    settings,
    async send(request, { limitMs } = {}): Promise<HttpReply> {
      const limited = limitMs === undefined ? signal : limitedSignal(signal, limitMs)
      const make = withToken(request)
      return tokens === undefined ? exchange(make(''), limited) : tokens.send(make, limited)
    },
  })
}

/** The message contains no value: a path may contain a number, and a query a secret. */
function urlOf(base: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  if (!path.startsWith('/')) throw new Error('the path of a request must begin with /')
  const parameters = new URLSearchParams(query).toString()
  return `${base}${path}${parameters === '' ? '' : `${path.includes('?') ? '&' : '?'}${parameters}`}`
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
  if (!('release' in cancel))
    return {
      async track(carrierRef, signal, hints) {
        const answer = await lookUp(carrierRef, signal, hints)
        return answer.kind === 'no_data' ? unknown(answer.cause) : answer
      },
      async cancel(request, signal) {
        if (orderNumber !== undefined && request.orderRef === undefined) throw new NotSentError(NO_ORDER)
        const answer = await ask(cancel, request, signal, cancelAnswerOf)
        if (answer.kind !== 'look_up') return answer
        return settled(answer, () =>
          lookUp(request.carrierRef, limitedSignal(signal, LOOKUP_LIMIT_MS), hintsOf(request)),
        )
      },
    }
  const { exists } = cancel.release
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
