/**
 * The key ids and secrets of the two demo accounts. They are in the documentation, so everybody knows them: the
 * credential store accepts them only where demo data is enabled, and never on a production database.
 */

/** A demo account with its only key. */
export type DemoKey = {
  readonly accountId: string
  readonly accountName: string
  readonly keyId: string
  readonly secret: string
}

/** Demo Shop and Other Shop, in this order. */
export const DEMO_KEYS = [
  { accountId: 'demo-shop', accountName: 'Demo Shop', keyId: 'demo', secret: 'demo-secret' },
  { accountId: 'other-shop', accountName: 'Other Shop', keyId: 'other', secret: 'other-secret' },
] as const satisfies readonly DemoKey[]
