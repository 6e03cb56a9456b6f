/** All that the app needs to measure itself. Loaded only if metrics are on. See docs/metrics.md. */
import type { FastifyInstance } from 'fastify'
import type { CarrierGateway } from '../operations/ports/carriers.ts'
import type { Classifier, Ports } from '../operations/ports/ports.ts'
import type { Pools } from '../store/database/pools.ts'
import { countOpenAttempts } from '../store/shipments/open-attempts.ts'
import { openMetrics, shareWithPrimary } from './metrics.ts'
import {
  observeAttempts,
  observeCarriers,
  observeCircuits,
  observeClassifier,
  observePools,
  observeReference,
  observeRequests,
  operationObserver,
} from './observe.ts'
import { type MetricsServer, serveMetrics } from './server.ts'

export type Instruments = ReturnType<typeof openInstruments>

export function openInstruments() {
  const metrics = openMetrics()
  return {
    pools: observePools(metrics),
    observer: operationObserver(metrics),
    classifier: (classifier: Classifier) => observeClassifier(classifier, metrics),
    carriers: (gateway: CarrierGateway) => observeCarriers(gateway, metrics),
    alerted: (kind: string) => metrics.alerts.inc({ kind }),
    /** Measures what is open now. `carrierCodes` are those of the rate book. */
    watch(
      server: FastifyInstance,
      { ports, pools, carrierCodes }: { ports: Ports; pools: Pools; carrierCodes: () => Iterable<string> },
    ): void {
      observeRequests(server, metrics)
      observeCircuits(ports.carriers, carrierCodes, metrics)
      observeAttempts(() => countOpenAttempts(pools.own), metrics)
      observeReference(ports.reference, ports.clock, metrics)
    },
    serve: (
      address: { readonly host: string; readonly port: number },
      onFault: (error: unknown) => void,
    ): Promise<MetricsServer> => serveMetrics(address, () => metrics.registry.metrics(), onFault),
    shareWithPrimary: () => shareWithPrimary(metrics),
  }
}
