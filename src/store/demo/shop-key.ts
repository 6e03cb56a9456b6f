/**
 * The publishable key of the example shop at /demo. It belongs to the account Demo Shop, and works on one origin. See
 * docs/example-shop.md.
 */
import type { Kysely } from 'kysely'
import { createPublishableKey } from '../accounts/keys.ts'
import type { Database } from '../database/database.ts'

const ACCOUNT = 'demo-shop'
const LABEL = 'Example shop at /demo'
/** A page can be opened at several ports of this machine. Anybody who reaches the service can name one. */
const MAX_KEYS = 20

/** The key for an origin, created if there is none. Undefined if there are too many. */
export async function demoShopKey(db: Kysely<Database>, origin: string): Promise<string | undefined> {
  const keys = await db
    .selectFrom('api_key')
    .select(['key_id', 'origins'])
    .where('account_id', '=', ACCOUNT)
    .where('label', '=', LABEL)
    .where('revoked_at', 'is', null)
    .execute()
  const present = keys.find(({ origins }) => origins?.includes(origin))
  if (present !== undefined) return present.key_id
  if (keys.length >= MAX_KEYS) return undefined
  return createPublishableKey(db, ACCOUNT, {
    label: LABEL,
    scopes: ['rates', 'duties'],
    origins: [origin],
    addressRequestsPerMinute: 300,
    needsCheckoutToken: true,
  })
}
