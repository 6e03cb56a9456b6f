/** Opens what operators look at: reports of faults, metrics, traces, and records of calls to carriers. */
import type { FastifyBaseLogger } from 'fastify'
import { describeError } from '../http/masking.ts'
import type { Instruments } from '../metrics/instruments.ts'
import type { CarrierCall } from '../operations/ports/carrier-calls.ts'
import type { Ports } from '../operations/ports/ports.ts'
import { openSweepHealth, type SweepHealth } from '../operations/sweep/sweep-health.ts'
import { isOutage } from '../store/database/outage.ts'
import type { Pools } from '../store/database/pool/pools.ts'
import { openCallRecords } from '../store/shipments/carrier-calls.ts'
import type { Traces } from '../tracing/traces.ts'
import type { Context, Opened } from './context.ts'

export async function openTraces(
  { config, log }: Context,
  { followers }: Opened,
): Promise<Traces | undefined> {
  if (config.traces === undefined) return undefined
  const { openTraces } = await import('../tracing/traces.ts')
  const traces = openTraces(config.traces, (reason) =>
    log.warn({ event: 'traces.failed', reason }, 'traces could not be exported'),
  )
  followers.push(traces)
  return traces
}

/** Returns the port, unless the primary process serves the metrics. */
export async function startMetrics(
  { config: { metrics }, log, options: { shareMetrics } }: Context,
  instruments: Instruments | undefined,
  { followers }: Opened,
): Promise<number | undefined> {
  if (metrics === undefined || instruments === undefined) return undefined
  const onFault = (error: unknown): void =>
    log.warn({ event: 'metrics.failed', error: describeError(error, []) }, 'the metrics could not be read')
  if (shareMetrics !== undefined)
    return void shareMetrics(() => instruments.read().catch((error: unknown) => void onFault(error)))
  const served = await instruments.serve(metrics, onFault)
  followers.push(served)
  log.info({ event: 'metrics.served', port: served.port }, 'metrics are served')
  return served.port
}

/** Keeps the calls to carriers in the database. */
export function openRecords(
  { config, log }: Context,
  { own }: Pools,
  { followers }: Opened,
): (call: CarrierCall) => void {
  const records = openCallRecords(own, {
    keptDays: config.carrierCallDays,
    onFault: (error, lost) =>
      log.warn(
        { event: 'carriers.records_lost', error: describeError(error, []), lost },
        'records of calls to carriers could not be kept',
      ),
  })
  followers.push(records)
  return (call) => records.keep(call)
}

export function faultReport(log: FastifyBaseLogger): (error: unknown) => void {
  return (error) =>
    isOutage(error)
      ? log.warn({ event: 'work.outage', error: describeError(error, []) }, 'a dependency is unavailable')
      : log.error({ event: 'work.failed', error: describeError(error, []) }, 'an operation failed')
}

/** The health of the sweeper. Its alert has no end in the log otherwise. */
export function watchSweeps({ log }: Context, ports: Ports): SweepHealth {
  return openSweepHealth(ports, (failedMs) =>
    log.info({ event: 'sweep.recovered', failedMs }, 'background work succeeds again'),
  )
}

/** For requests of the service itself, which must not count. */
export function unobserved({ observer: _, ...ports }: Ports): Ports {
  return ports
}
