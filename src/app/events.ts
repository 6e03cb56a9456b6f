/** Opens the events of shipments: for the door that streams them, and for webhooks. */
import { describeError } from '../http/masking.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { WebhookAlert } from '../operations/ports/webhooks.ts'
import { accountOfCall, fairAccess, withFairAccess } from '../store/database/pool/fair-access.ts'
import { EVENT_SHARES, type Pools, SWEEPER_SHARES } from '../store/database/pool/pools.ts'
import { eventLog } from '../store/events/event-log.ts'
import { followEvents } from '../store/events/event-watch.ts'
import { webhookStore } from '../store/webhooks/deliveries.ts'
import { startWebhooks, type WebhookRunner } from '../webhooks/deliver.ts'
import type { Context, Opened } from './context.ts'

export function openEvents({ config, home, log }: Context, { own, reading }: Pools, { followers }: Opened) {
  const eventWatch = followEvents(own, {
    source: home.source,
    listen: config.listen,
    keptDays: config.eventDays,
    onFault: (error) =>
      log.warn(
        { event: 'events.failed', error: describeError(error, []) },
        'events could not be read; they are delivered later',
      ),
  })
  followers.push(eventWatch)
  const events = withFairAccess(eventLog(reading), fairAccess(EVENT_SHARES), accountOfCall)
  return { events, eventWatch }
}

export function startDeliveries(
  { config }: Context,
  { own }: Pools,
  ports: Ports,
  alert: (alert: WebhookAlert) => void,
): WebhookRunner {
  const access = fairAccess(SWEEPER_SHARES)
  return startWebhooks(
    {
      clock: () => new Date(),
      random: ports.random,
      reportFault: ports.reportFault,
      events: withFairAccess(eventLog(own), access, accountOfCall),
      webhooks: withFairAccess(webhookStore(own), access, accountOfCall),
      alert,
    },
    { allowPrivate: config.webhookPrivate, keptDays: config.eventDays },
  )
}
