/** Turns samples into figures per entry, ratios and the JSON of the last line. */
import { percentile, round } from '../percentile.ts'
import type { Sample } from './processes.ts'
import type { WorkloadName } from './workloads.ts'

/** A contender with one workload. */
export type Entry = { readonly contender: string; readonly workload: WorkloadName }

export type EntryFigures = Entry & {
  /** Medians over the samples. Times are CPU microseconds per request, and milliseconds for the latencies. */
  readonly cpuUs: number
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p999Ms: number
}

/** The samples of each entry, in the order of the rounds. */
export type Samples = ReadonlyMap<string, readonly Sample[]>

export function nameOf({ contender, workload }: Entry): string {
  return `${contender} ${workload}`
}

export function figuresOf(entry: Entry, samples: Samples): EntryFigures {
  const own = samples.get(nameOf(entry)) ?? []
  const median = (read: (sample: Sample) => number): number => percentile(own.map(read), 0.5)
  return {
    ...entry,
    cpuUs: round(median(cpuPerRequest)),
    requestsPerSecond: Math.round(median(({ requests, seconds }) => requests / seconds)),
    p50Ms: hundredths(median(({ latencies }) => latencies.p50)),
    p99Ms: hundredths(median(({ latencies }) => latencies.p99)),
    p999Ms: hundredths(median(({ latencies }) => latencies.p999)),
  }
}

/** A ratio of the CPU time of two entries, and the highest value that it should have. */
export type Ratio = {
  readonly name: string
  readonly of: Entry
  readonly to: Entry
  readonly target: number
}

function versus(name: string, target: number, workload: WorkloadName, contender: string): Ratio {
  return { name, target, of: { contender: 'waybill', workload }, to: { contender, workload } }
}

export const RATIOS: readonly Ratio[] = [
  versus('graphql_vs_apollo_jit', 1.6, 'graphql_rates', 'apollo-jit'),
  versus('graphql_vs_apollo_default', 0.45, 'graphql_rates', 'apollo'),
  versus('rest_vs_parse_stringify', 2, 'rest_rates', 'raw'),
  versus('rest_duties_vs_parse_stringify', 2.5, 'rest_duties', 'raw'),
  versus('graphql_duties_vs_apollo_jit', 2.2, 'graphql_duties', 'apollo-jit'),
  versus('graphql_landed_cost_vs_apollo_jit', 4, 'graphql_landed_cost', 'apollo-jit'),
  versus('graphql_cancel_vs_apollo_default', 3, 'graphql_cancel', 'apollo'),
]

/** The median over the rounds of the ratios within a round. */
export function ratioOf({ of, to }: Ratio, samples: Samples): number {
  const upper = samples.get(nameOf(of)) ?? []
  const lower = samples.get(nameOf(to)) ?? []
  return hundredths(
    percentile(
      upper.map((sample, index) => cpuPerRequest(sample) / cpuPerRequest(lower[index]!)),
      0.5,
    ),
  )
}

function cpuPerRequest({ cpuMicroseconds, requests }: Sample): number {
  return cpuMicroseconds / Math.max(1, requests)
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
