/** What the buyer has entered. Everything from the server is in the cache of TanStack Query instead. */
import type { Address } from './address.ts'
import type { Cart } from './catalogue.ts'
import type { ShippingPrice } from './vat.ts'
import type { Choice, RateOption } from './waybill.ts'

export const STEPS = ['address', 'delivery', 'duties', 'review'] as const
export type Step = (typeof STEPS)[number]

export type ShopState = {
  readonly cart: Cart
  readonly address?: Address
  readonly productId?: string
  /** The answers to questions about articles: an HS code by sku. */
  readonly hsCodes: Readonly<Record<string, string>>
  readonly step: Step
  /** The idempotency key of the order. What is ordered under one id never changes. */
  readonly orderId: string
  /** How the sandbox carrier answers a cancellation. */
  readonly sandbox: string
  /** What was ordered, once it is booked. */
  readonly booked?: Booked
}

export type Booked = {
  readonly choice: Choice
  readonly option: RateOption
  readonly trackingNumber: string
  /** The price that was ordered. */
  readonly shipping: ShippingPrice
}

export type Change =
  | { readonly kind: 'cart'; readonly sku: string; readonly count: number }
  | { readonly kind: 'address'; readonly address: Address }
  | { readonly kind: 'option'; readonly productId: string }
  | { readonly kind: 'answer'; readonly sku: string; readonly hsCode: string }
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'sandbox'; readonly sandbox: string }
  | { readonly kind: 'booked'; readonly booked: Booked }
  | { readonly kind: 'again' }

export function newShop(sandbox = 'SBX-OK'): ShopState {
  const orderId = crypto.randomUUID()
  return { cart: { boots: 1, teapot: 1 }, hsCodes: {}, step: 'address', orderId, sandbox }
}

export function change(state: ShopState, by: Change): ShopState {
  const changed = { ...state, orderId: crypto.randomUUID() }
  switch (by.kind) {
    case 'cart':
      return { ...changed, cart: { ...state.cart, [by.sku]: by.count } }
    case 'address':
      return { ...changed, address: by.address, step: 'delivery' }
    case 'option':
      return { ...changed, productId: by.productId }
    case 'answer':
      return { ...changed, hsCodes: { ...state.hsCodes, [by.sku]: by.hsCode } }
    case 'step':
      return { ...state, step: by.step }
    case 'sandbox':
      return { ...changed, sandbox: by.sandbox }
    case 'booked':
      return { ...state, booked: by.booked }
    case 'again':
      return newShop(state.sandbox)
  }
}
