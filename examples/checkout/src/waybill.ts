/**
 * The requests of the page. Prices, duties and questions come from Waybill directly, with the publishable key and the
 * checkout token of the cart. Orders and cancellations go through the server half.
 */
import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  useMutation,
  useQueries,
  useQuery,
} from '@tanstack/react-query'
import {
  type BookShipmentMutation,
  type CancelShipmentMutation,
  ClassifyDocument,
  type ClassifyQuery,
  type CreateDraftShipmentMutation,
  createWaybillClient,
  LandedCostDocument,
  type LandedCostQuery,
  RatesDocument,
  type RatesQuery,
  type SuccessIn,
  unwrap,
  WaybillError,
} from '@waybill/client'
import type { Address } from './address.ts'
import { type Cart, CURRENCY, goodsOf, linesOf, ratesInput } from './catalogue.ts'
import type { ShippingPrice } from './vat.ts'

export type RateOption = SuccessIn<RatesQuery['rates']>['options'][number]
export type ConvertedPrice = RateOption['priceIn']
export type LandedCost = SuccessIn<LandedCostQuery['landedCost']>['options'][number]
export type Candidate = SuccessIn<ClassifyQuery['classify']>['candidates'][number]
export type OrderResult =
  | Exclude<
      CreateDraftShipmentMutation['createDraftShipment'],
      { readonly __typename: 'DraftShipmentCreated' }
    >
  | BookShipmentMutation['bookShipment']
export type CancelResult = CancelShipmentMutation['cancelShipment']

/** A refusal of the server half. */
export class ShopError extends Error {
  readonly status: number
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, status: number, retryAfterSeconds?: number) {
    super(message)
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether the same request may succeed later: limits, overload, and lost connections. */
export function isTemporary(error: unknown): error is WaybillError | ShopError {
  if (error instanceof ShopError) return error.status === 429 || error.status >= 502
  if (!(error instanceof WaybillError)) return false
  return (
    ['NETWORK_ERROR', 'TIMEOUT'].includes(error.code) || error.status === 429 || (error.status ?? 0) >= 502
  )
}

/** Requests are repeated three times, after the pause that the service asks for. */
const REPEATS = {
  retry: (count: number, error: unknown) => count < 3 && isTemporary(error),
  retryDelay: (count: number, error: unknown) =>
    1_000 * ((isTemporary(error) ? error.retryAfterSeconds : undefined) ?? 2 ** count),
}

const RENEWAL_PAUSE_MS = 60_000
let renewedAt = 0

/** The token of the cart has expired: with a new one, the queries that need it run again. */
function renewCheckout(error: unknown): void {
  if (!(error instanceof WaybillError) || error.code !== 'CHECKOUT_TOKEN_REJECTED') return
  // If new tokens are rejected too, the settings of the shop are wrong.
  if (Date.now() - renewedAt < RENEWAL_PAUSE_MS) return
  renewedAt = Date.now()
  queryClient.invalidateQueries({ queryKey: ['checkout'] })
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: renewCheckout }),
  defaultOptions: {
    queries: { ...REPEATS, staleTime: 600_000, refetchOnWindowFocus: false },
    mutations: REPEATS,
  },
})

type Checkout = {
  readonly publicUrl: string
  readonly publishableKey: string
  readonly token: string
}

async function post<Result>(path: string, body: unknown, signal?: AbortSignal): Promise<Result> {
  let response: Response
  try {
    response = await fetch(`api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ShopError('The shop could not be reached', 503)
  }
  // Anything else is an error page of a proxy.
  const content = await response.json().catch(() => ({ message: 'The shop did not answer' }))
  if (response.ok) return content
  throw new ShopError(
    content.message,
    response.status,
    Number(response.headers.get('retry-after')) || undefined,
  )
}

function clientOf({ publicUrl, publishableKey, token }: Checkout) {
  return createWaybillClient({
    url: publicUrl,
    apiKey: publishableKey,
    headers: { 'x-checkout-token': token },
  })
}

/** The permission to see the prices of this cart. It holds for 30 minutes and is replaced after 20. */
function useCheckout(cart: Cart) {
  return useQuery({
    queryKey: ['checkout', cart],
    queryFn: ({ signal }) => post<Checkout>('checkout', { cart }, signal),
    enabled: linesOf(cart).length > 0,
    staleTime: 1_200_000,
    refetchInterval: 1_200_000,
  })
}

const destination = ({ country, postalCode, city }: Address) => ({ country, postalCode, city })

/** The shipping options. While another cart or address is asked for, the previous options stay. */
export function useOptions(cart: Cart, address: Address | undefined) {
  const { data: checkout, error } = useCheckout(cart)
  const options = useQuery({
    queryKey: ['rates', cart, address && destination(address), checkout?.token],
    enabled: checkout !== undefined && address !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      if (checkout === undefined || address === undefined) throw new Error('not enabled')
      const variables = { input: ratesInput(cart, destination(address)), currency: CURRENCY }
      const { rates } = await clientOf(checkout).request(RatesDocument, variables, { signal })
      return unwrap(rates)
    },
  })
  return { ...options, error: error ?? options.error }
}

export type Choice = {
  readonly cart: Cart
  readonly address: Address
  readonly productId: string
  /** The codes that the buyer's answers gave, by sku. */
  readonly hsCodes: Readonly<Record<string, string>>
}

/** What the goods cost on arrival with the chosen option. */
export function useLandedCost({ cart, address, productId, hsCodes }: Choice) {
  const { data: checkout } = useCheckout(cart)
  return useQuery({
    queryKey: ['landedCost', cart, destination(address), productId, hsCodes, checkout?.token],
    enabled: checkout !== undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<LandedCost> => {
      if (checkout === undefined) throw new Error('not enabled')
      const input = {
        rates: { ...ratesInput(cart, destination(address)), filter: { productIds: [productId] } },
        contentItems: goodsOf(cart, hsCodes),
      }
      const variables = { input, currency: CURRENCY }
      const { landedCost } = await clientOf(checkout).request(LandedCostDocument, variables, { signal })
      const [option] = unwrap(landedCost).options
      if (option === undefined) throw new ShopError('This delivery is not offered any more', 409)
      return option
    },
  })
}

export type Question = {
  readonly sku: string
  readonly name: string
  readonly text: string
  /** The most likely code first. */
  readonly answers: readonly Candidate[]
}

/** The questions that decide the codes of articles whose code is not in the catalogue. */
export function useQuestions(cart: Cart): readonly Question[] {
  const { data: checkout } = useCheckout(cart)
  const unclear = linesOf(cart).filter(({ article }) => article.hsCode === undefined)
  return useQueries({
    queries: unclear.map(({ article }) => ({
      queryKey: ['classify', article.description],
      enabled: checkout !== undefined,
      staleTime: Number.POSITIVE_INFINITY,
      queryFn: async (): Promise<Question> => {
        if (checkout === undefined) throw new Error('not enabled')
        const variables = { description: article.description, first: 5 }
        const { classify } = await clientOf(checkout).request(ClassifyDocument, variables)
        const { candidates } = unwrap(classify)
        // A code without a question is for other goods.
        const answers = candidates.filter(({ questions }) => questions.length > 0)
        return { sku: article.sku, name: article.name, text: answers[0]?.questions.join(' ') ?? '', answers }
      },
    })),
    combine: (results) => results.flatMap(({ data }) => (data && data.answers.length > 1 ? [data] : [])),
  })
}

export type Order = Choice & {
  /** The idempotency key: with it, a double click gets the same shipment. */
  readonly orderId: string
  readonly optionToken: string
  /** What the buyer sees for this token. */
  readonly shipping: ShippingPrice
  /** Makes the sandbox carrier answer a cancellation in a certain way. */
  readonly sandbox: string
}

/** `onBooked` is also called if the buyer has left the step meanwhile. */
export function usePlaceOrder(onBooked: (trackingNumber: string, shipping: ShippingPrice) => void) {
  return useMutation({
    mutationFn: ({ orderId, cart, address, hsCodes, optionToken, sandbox }: Order) =>
      post<OrderResult>('orders', {
        ...{ orderId, cart, hsCodes, optionToken, to: destination(address) },
        recipient: { name: address.name, street: address.street, email: address.email, company: sandbox },
      }),
    async onSuccess(result, { shipping }) {
      if (result.__typename === 'ShipmentBooked') onBooked(result.shipment.trackingNumber ?? '', shipping)
      if (result.__typename !== 'OptionExpired' && result.__typename !== 'DraftPriceExpired') return
      await queryClient.invalidateQueries({ queryKey: ['rates'] })
      await queryClient.invalidateQueries({ queryKey: ['landedCost'] })
    },
  })
}

/**
 * Cancels the order once `isRequested` is true, and asks again while the carrier has not confirmed, after the pauses
 * that Waybill gives. `cancelShipment` is safe to repeat.
 */
export function useCancellation(orderId: string, isRequested: boolean) {
  return useQuery({
    queryKey: ['cancellation', orderId],
    enabled: isRequested,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => post<CancelResult>('cancellations', { orderId }),
    refetchInterval: ({ state: { data } }) =>
      data?.__typename === 'CancellationPending' && data.retryAfterSeconds * 1_000,
    refetchIntervalInBackground: true,
  })
}
