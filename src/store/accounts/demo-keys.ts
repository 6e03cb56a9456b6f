/**
 * The key ids and secrets of the two demo accounts. They are public, because the documentation shows them. The credential
 * store accepts them only if demo data is enabled, and never in a database that was used in production.
 */

export type DemoKey = {
  readonly accountId: string
  readonly accountName: string
  readonly keyId: string
  readonly secret: string
}

export const DEMO_KEYS = [
  { accountId: 'demo-shop', accountName: 'Demo Shop', keyId: 'demo', secret: 'demo-secret' },
  { accountId: 'other-shop', accountName: 'Other Shop', keyId: 'other', secret: 'other-secret' },
] as const satisfies readonly DemoKey[]
