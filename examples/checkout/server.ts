/**
 * The server half of the shop. It holds the API key with the secret, and decides what the page may do with it: sign a
 * checkout token for a cart, place an order, and cancel it. Everything else, the page asks Waybill directly.
 *
 * Add what every shop has: a session, a payment before `bookShipment`, and a table of orders instead of the map.
 */
import {
  BookShipmentDocument,
  CancelShipmentDocument,
  CreateCheckoutTokenDocument,
  CreateDraftShipmentDocument,
  createWaybillClient,
  unwrap,
  WaybillError,
} from '@waybill/client'
import { z } from 'zod'
import { CURRENCY, cartSchema, goodsOf, ratesInput, toSchema } from './src/catalogue.ts'

export type ShopServerOptions = {
  /** The address of the GraphQL API for this server, and the key with a secret. */
  readonly url: string
  readonly apiKey: string
  /** The same for pages: the address, and the publishable key. */
  readonly publicUrl: string
  readonly publishableKey: string
}

const MAX_BODY_BYTES = 16 * 1024
const MAX_ORDERS = 10_000

const orderSchema = z.object({
  /** Made by the page. Whoever knows it can cancel the order. */
  orderId: z.uuid(),
  cart: cartSchema,
  to: toSchema,
  recipient: z.record(z.enum(['name', 'company', 'street', 'email']), z.string().max(100)),
  /** The HS codes that the buyer's answers gave, by article. */
  hsCodes: z.record(z.string(), z.string()),
  optionToken: z.string(),
})

/** Returns the handler of `/checkout`, `/orders` and `/cancellations`, which works in every framework. */
export function shopServer(options: ShopServerOptions): (request: Request) => Promise<Response> {
  const { publishableKey, publicUrl } = options
  const waybill = createWaybillClient({ url: options.url, apiKey: options.apiKey, timeoutMs: 20_000 })
  const shipments = new Map<string, string>()

  const routes: Record<string, (body: unknown) => Promise<unknown>> = {
    async checkout(body) {
      const { cart } = z.object({ cart: cartSchema }).parse(body)
      const { createCheckoutToken } = await waybill.request(CreateCheckoutTokenDocument, {
        input: { publishableKey, rates: ratesInput(cart, { country: 'NL' }) },
      })
      return { publicUrl, publishableKey, token: unwrap(createCheckoutToken).token }
    },

    async orders(body) {
      const { orderId, cart, to, recipient, hsCodes, optionToken } = orderSchema.parse(body)
      // A double click, or a repeated request after a lost response, gets the same draft.
      const { createDraftShipment: draft } = await waybill.request(CreateDraftShipmentDocument, {
        input: {
          ...{ rates: ratesInput(cart, to), optionToken, recipient, contentItems: goodsOf(cart, hsCodes) },
          ...{ idempotencyKey: orderId, reference: orderId },
        },
        currency: CURRENCY,
      })
      if (draft.__typename !== 'DraftShipmentCreated') return draft
      if (shipments.size >= MAX_ORDERS) shipments.delete(shipments.keys().next().value ?? '')
      shipments.set(orderId, draft.shipment.id)
      // The place to collect the payment. Booking the same draft again returns the same booking.
      const booked = await waybill.request(BookShipmentDocument, { input: { shipmentId: draft.shipment.id } })
      return booked.bookShipment
    },

    /** Safe to repeat: the page calls it until the carrier has confirmed or refused. */
    async cancellations(body) {
      const { orderId } = z.object({ orderId: z.uuid() }).parse(body)
      const shipmentId = shipments.get(orderId) ?? ''
      return (await waybill.request(CancelShipmentDocument, { input: { shipmentId } })).cancelShipment
    },
  }

  return async (request) => {
    const name = new URL(request.url).pathname.split('/').at(-1) ?? ''
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined
    if (route === undefined || request.method !== 'POST') return problem(404, 'Not found')
    // Other types could be sent by a form on another site.
    if (request.headers.get('content-type') !== 'application/json') return problem(415, 'JSON is required')
    try {
      return Response.json(await route(await readJson(request)))
    } catch (error) {
      return problemOf(error)
    }
  }
}

/** Reads at most MAX_BODY_BYTES. */
async function readJson(request: Request): Promise<unknown> {
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  for (let bytes = 0; ; ) {
    const { value } = (await reader?.read()) ?? {}
    if (value === undefined) return JSON.parse(await new Blob(chunks as BlobPart[]).text())
    bytes += value.byteLength
    if (bytes > MAX_BODY_BYTES) throw new RangeError('The body is too large')
    chunks.push(value)
  }
}

/** The status and `Retry-After` of Waybill are passed on, so that the page waits as long as it is asked to. */
function problemOf(error: unknown): Response {
  if (error instanceof z.ZodError || error instanceof SyntaxError)
    return problem(400, 'The request is invalid')
  if (error instanceof RangeError) return problem(413, error.message)
  if (!(error instanceof WaybillError)) return problem(500, 'The order could not be processed')
  const { status = 503, retryAfterSeconds } = error
  // 401 and 403 are about the shop's own key, which is no business of the page.
  return problem(status === 401 || status === 403 ? 500 : status, error.message, retryAfterSeconds)
}

function problem(status: number, message: string, retryAfterSeconds?: number): Response {
  const headers = new Headers()
  if (retryAfterSeconds !== undefined) headers.set('retry-after', String(retryAfterSeconds))
  return Response.json({ message }, { status, headers })
}
