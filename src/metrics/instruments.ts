/** All that the app needs to measure itself. Loaded only if metrics are on. See docs/metrics.md. */
import type { FastifyInstance } from 'fastify'
import type { CarrierGateway } from '../operations/ports/carriers.ts'
import type { Alert, Classifier, Ports } from '../operations/ports/ports.ts'
import type { WebhookAlert } from '../operations/ports/webhooks.ts'
import type { Pools } from '../store/database/pool/pools.ts'
import { countOpenAttempts } from '../store/shipments/open-attempts.ts'
import { openMetrics } from './metrics.ts'
import {
  observeAttempts,
  observeCarriers,
  observeCircuits,
  observeClassifier,
  observePools,
  observeReference,
  observeRequests,
  observeSharedLimits,
  observeSweep,
  operationObserver,
} from './observe.ts'
import { type MetricsServer, serveMetrics } from './server.ts'

export type Instruments = ReturnType<typeof openInstruments>

type AlertKind = (Alert | WebhookAlert)['kind']

/** All kinds. Prometheus sees no growth in a counter that begins with 1, so each kind begins with 0. */
const ALERT_KINDS: Readonly<Record<AlertKind, 0>> = {
  CANCELLATION_OVERDUE: 0,
  ACCEPTED_IN_TRANSIT: 0,
  PARTLY_CANCELLED: 0,
  SCANNED_AFTER_CANCELLATION: 0,
  WITHDRAWAL_REFUSED: 0,
  BOOKING_IN_DOUBT: 0,
  REFUSAL_NOT_VERIFIED: 0,
  CANCELLATION_NOT_CARRIED_OUT: 0,
  CANCELLED_AT_CARRIER: 0,
  LOOKUP_CONTRADICTED: 0,
  CIRCUIT_OPENED: 0,
  CARRIER_CONFIGURATION: 0,
  LOOKUP_QUOTA_USED: 0,
  CARRIERS_FILE_REFUSED: 0,
  EXCHANGE_RATE_MISSING: 0,
  FUEL_RATE_MISSING: 0,
  SHARED_LIMITS_LOST: 0,
  SWEEP_FAILING: 0,
  MAINTENANCE_FAILING: 0,
  WEBHOOK_DISABLED: 0,
}

/** `workers`: the processes of the service. */
export function openInstruments(workers: number) {
  const metrics = openMetrics(workers)
  for (const [kind, start] of Object.entries(ALERT_KINDS)) metrics.alerts.inc({ kind }, start)
  return {
    pools: observePools(metrics),
    observer: operationObserver(metrics),
    classifier: (classifier: Classifier) => observeClassifier(classifier, metrics),
    carriers: (gateway: CarrierGateway) => observeCarriers(gateway, metrics),
    sharedLimits: observeSharedLimits(metrics),
    alerted: (kind: AlertKind) => metrics.alerts.inc({ kind }),
    /** Measures what is open now. `carrierCodes` are those of the rate book. */
    watch(
      server: FastifyInstance,
      {
        ports,
        pools,
        carrierCodes,
        sweepHealth,
      }: {
        ports: Ports
        pools: Pools
        carrierCodes: () => Iterable<string>
        sweepHealth: { status: () => { readonly sinceSuccessMs: number } }
      },
    ): void {
      observeRequests(server, metrics)
      observeCircuits(ports.carriers, carrierCodes, metrics)
      observeAttempts(() => countOpenAttempts(pools.own), metrics)
      observeSweep(sweepHealth.status, metrics)
      observeReference(ports.reference, ports.clock, metrics)
    },
    serve: (
      address: { readonly host: string; readonly port: number },
      onFault: (error: unknown) => void,
    ): Promise<MetricsServer> => serveMetrics(address, () => metrics.registry.metrics(), onFault),
    /** A JSON value, for `addUpMetrics`. */
    read: (): Promise<object> => metrics.registry.getMetricsAsJSON(),
  }
}
