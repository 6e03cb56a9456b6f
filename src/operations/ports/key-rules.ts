/**
 * What an API key may do: scopes, and the rules of publishable keys, which web pages use. See docs/browser-keys.md and
 * docs/operations.md#accounts-and-api-keys.
 */

export const SCOPES = ['rates', 'duties', 'shipments:read', 'shipments:write', 'cancel', 'webhooks'] as const

/** A group of operations. `landedCost` needs `rates` and `duties`. */
export type Scope = (typeof SCOPES)[number]

/** The scopes that a publishable key can have. */
export const PUBLISHABLE_SCOPES = ['rates', 'duties'] as const satisfies readonly Scope[]

/** A publishable key: its id is its only credential, and it works on web pages of these origins only. */
export type PublishableKey = {
  /** As browsers send them: "https://shop.example". */
  readonly origins: readonly string[]
  /** The limit of one client address. */
  readonly addressRequestsPerMinute: number
  /** Whether prices are refused without a checkout token. Otherwise list prices are quoted. */
  readonly needsCheckoutToken: boolean
  /** Signs the checkout tokens for this key. */
  readonly checkoutSecret: Buffer
}

/** A web page that calls with a publishable key. It sees no terms of a contract or rate card. */
export type WebPage = {
  readonly needsCheckoutToken: boolean
  /** From a valid checkout token. */
  readonly permission?: CheckoutPermission
}

/** What a checkout token permits: prices of the account's contract for one cart. */
export type CheckoutPermission = {
  readonly kind: 'CheckoutPermission'
  /** The country of destination; absent: any. */
  readonly toCountry?: string
  /** Whether the token was issued for this cart; see operations/cart.ts. */
  coversCart(cart: string): boolean
  /** The same for goods. True if the token names no goods. */
  coversGoods(goods: string): boolean
}

/** What to permit. `cart` and `goods` are texts of operations/cart.ts. */
export type CheckoutGrant = {
  readonly cart: string
  readonly goods?: string
  readonly toCountry?: string
  readonly expiresAt: Date
}

/** Signs and reads checkout tokens. A token is valid for one publishable key and its account. */
export interface CheckoutTokens {
  issue(key: TokenKey, grant: CheckoutGrant): string
  /** Compares the signature in constant time. Accepts any text. */
  read(
    key: TokenKey,
    token: string,
    now: Date,
  ): CheckoutPermission | { readonly kind: 'TokenExpired' } | { readonly kind: 'TokenInvalid' }
}

export type TokenKey = {
  readonly keyId: string
  readonly accountId: string
  readonly checkoutSecret: Buffer
}

/** Thrown or returned when an API key may not do what the request asks for. The message is for the caller. */
export class Forbidden extends Error {
  readonly code: 'FORBIDDEN' | 'CHECKOUT_TOKEN_REJECTED'

  constructor(code: Forbidden['code'], message: string) {
    super(message)
    this.code = code
  }
}
