/** Opens the stores of the service on its pools of connections. */
import { randomUUID } from 'node:crypto'
import { checkoutTokens } from './accounts/checkout-tokens.ts'
import { openCredentialStore, secretMatcher } from './accounts/credentials.ts'
import { openOptionTokens } from './accounts/option-tokens.ts'
import { openTokenSecrets } from './accounts/token-secrets.ts'
import { accountOfCall, carrierOfCall, fairAccess, withFairAccess } from './database/pool/fair-access.ts'
import { EVENT_SHARES, type Pools, type Queues, SHARES, SWEEPER_SHARES } from './database/pool/pools.ts'
import { estimateStore } from './estimates/estimates.ts'
import { bookingStore } from './shipments/bookings.ts'
import { cancellationStore } from './shipments/cancellations.ts'
import { recoveryStore } from './shipments/recovery.ts'
import { shipmentStore } from './shipments/shipments.ts'
import { trackingStore } from './shipments/tracking.ts'
import { webhookLog } from './webhooks/log.ts'

/** What operations need from PostgreSQL. Each store has its share of the connections; see database/fair-access.ts. */
export async function openStores(
  { demoData, tokenSecrets }: { readonly demoData: boolean; readonly tokenSecrets: readonly string[] },
  { reading, commands, own, wholeTables }: Pools,
  { followers, queues }: { readonly followers: { close(): Promise<void> }[]; readonly queues: Queues },
) {
  const owner = randomUUID()
  const acting = fairAccess(SHARES, queues.commands)
  const credentials = await openCredentialStore(own, { allowDemoKeys: demoData, wholeTables })
  followers.push(credentials)
  return {
    credentials,
    secrets: secretMatcher,
    checkoutTokens,
    optionTokens: openOptionTokens(await openTokenSecrets(own, tokenSecrets)),
    shipments: {
      ...withFairAccess(shipmentStore(reading, owner), fairAccess(SHARES, queues.reading), accountOfCall),
      ...withFairAccess(cancellationStore(commands, owner), acting, accountOfCall),
      ...withFairAccess(bookingStore(commands, owner), acting, accountOfCall),
    },
    estimates: withFairAccess(estimateStore(reading), fairAccess(SHARES, queues.reading), accountOfCall),
    recovery: withFairAccess(recoveryStore(own, owner), fairAccess(SWEEPER_SHARES), () => 'the sweeper'),
    tracking: withFairAccess(trackingStore(commands), acting, carrierOfCall),
    webhookLog: {
      ...withFairAccess(webhookLog(reading), fairAccess(EVENT_SHARES), accountOfCall),
      ...withFairAccess({ replay: webhookLog(commands).replay }, acting, accountOfCall),
    },
  }
}
