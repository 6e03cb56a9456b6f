/**
 * The metrics of the service for Prometheus, by subject. Names begin with `waybill_`. Labels have a limited number of
 * values: no shipments, accounts or requests. This file is loaded only if metrics are on. See docs/metrics.md.
 */
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricConfiguration,
  Registry,
} from 'prom-client'
import { VERSION } from '../version.ts'

export type Metrics = ReturnType<typeof openMetrics>

/** In seconds: from a request in memory to the longest call of a carrier. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const CONFIDENCE_BUCKETS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

/** `workers`: the processes of the service. */
export function openMetrics(workers: number) {
  const registry = new Registry()
  const define = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    ({
      name: `waybill_${name}`,
      help,
      labelNames,
      registers: [registry],
    }) satisfies MetricConfiguration<Label>
  const seconds = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Histogram({ ...define(name, help, labelNames), buckets: BUCKETS })
  /** Workers have the same value, or the largest one counts. */
  const gauge = (name: string, help: string, labelNames: readonly string[], collect: Collect) =>
    new Gauge({
      ...define(name, help, labelNames),
      aggregator: 'max',
      async collect() {
        this.reset()
        if (labelNames.length === 0) this.remove()
        await collect((labels, value) => this.set(labels, value))
      },
    })
  const metrics = {
    registry,
    requests: new Counter(define('http_requests_total', 'Responses.', ['door', 'operation', 'status'])),
    requestSeconds: seconds('http_request_duration_seconds', 'From the headers to the end of the response.', [
      ...(['door', 'operation'] as const),
    ]),
    operationSeconds: seconds('operation_duration_seconds', 'Time of operations, without HTTP.', [
      ...(['operation', 'outcome'] as const),
    ]),
    options: new Counter(define('rate_options_total', 'Shipping options that were offered.', [])),
    declines: new Counter(define('rate_declines_total', 'Products that were not offered.', ['code'])),
    confidence: new Histogram({
      ...define(
        'classification_confidence',
        'Confidence of the best HS code of a description; 0 if none.',
        [],
      ),
      buckets: CONFIDENCE_BUCKETS,
    }),
    carrierSeconds: seconds(
      'carrier_call_duration_seconds',
      'Calls to carriers, including the wait for a slot.',
      [...(['carrier', 'call', 'outcome'] as const)],
    ),
    alerts: new Counter(define('alerts_total', 'Alerts in the log.', ['kind'])),
    statementSeconds: seconds('database_statement_duration_seconds', 'Statements, from the service.', [
      ...(['pool', 'outcome'] as const),
    ]),
    exchangeSeconds: seconds(
      'shared_limits_exchange_duration_seconds',
      'Exchanges with the store of shared limits.',
      ['outcome'],
    ),
    gauge,
  }
  gauge('build_info', 'The version that runs. The value is always 1.', ['version', 'node'], (set) =>
    set({ version: VERSION, node: process.version }, 1),
  )
  gauge('workers', 'Processes that the service has, by its settings.', [], (set) => set({}, workers))
  // Added up by the primary process.
  new Gauge(define('workers_reporting', 'Processes whose metrics the scrape has.', [])).set(1)
  addProcessMetrics(registry)
  return metrics
}

function addProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: 'waybill_' })
  // That of the library is left out when workers are added up, and rules for counters of a new process need it.
  const name = 'waybill_process_start_time_seconds'
  registry.removeSingleMetric(name)
  new Gauge({
    name,
    help: 'Start of the process, or of the oldest worker, in Unix time.',
    registers: [registry],
    aggregator: 'min',
  }).set(Math.round(Date.now() / 1_000 - process.uptime()))
}

/** Sets the current values of a gauge. */
type Collect = (set: (labels: Record<string, string>, value: number) => void) => void | Promise<void>

/** The metrics of workers, added up. Each one is the result of `Registry.getMetricsAsJSON`. */
export function addUpMetrics(ofWorkers: readonly object[]): Promise<string> {
  return AggregatorRegistry.aggregate([...ofWorkers]).metrics()
}
