/** Options, defaults and result of a crash campaign. */
import { parseArgs } from 'node:util'
import type { TestSource } from '../../support/database/test-server.ts'
import type { Killing } from './kill-points.ts'
import type { Violation } from './violation.ts'

export type CampaignOptions = {
  /** Number of SIGKILLs of replicas to reach. */
  readonly deaths: number
  readonly dbKills: number
  /** Number of replicas that are stopped for one to three leases. */
  readonly pauses: number
  /** Number of network faults between replicas and the database or the carrier. */
  readonly partitions: number
  /** Number of replicas whose wall clock jumps. */
  readonly clockJumps: number
  readonly seed: number
  /** Number of replicas that serve at once; 1 with `embedded`. */
  readonly replicas: number
  /** Minimum number of shipments. */
  readonly shipments: number
  /** One replica on the embedded server, which is killed with it. */
  readonly embedded: boolean
  /** The replicas cancel in the naive way, to check that the campaign finds its faults. */
  readonly naive: boolean
  /** Time limit, also if the deaths are not reached. */
  readonly minutes: number
  /** Server on which to create a database; absent: a dedicated server. */
  readonly serverUrl?: string
  /** An existing database, migrated and with demo data. */
  readonly database?: TestSource
  /**
   * Moves due times forward and keeps the carrier's answers below the service's timeout, so that a short
   * campaign need not wait for leases (12 s), retries (20 s) and verifications (60 s).
   */
  readonly impatient: boolean
  /** Every caller gives up and none repeats. */
  readonly everybodyGivesUp: boolean
  /** Number of replicas that serve after the deaths; absent: 1 if impatient, otherwise `replicas`. */
  readonly survivors?: number
  /** Where all replicas die; absent: at every point in turn. */
  readonly killing?: Killing
  readonly print: (line: string) => void
  /** Ends the campaign early, with the same clean-up. */
  readonly signal?: AbortSignal
}

export type CampaignResult = {
  readonly deaths: number
  readonly dbKills: number
  readonly pauses: number
  readonly partitions: number
  readonly clockJumps: number
  readonly shipments: number
  readonly violations: readonly Violation[]
  readonly seed: number
  /** False if the campaign ended before it reached its numbers of deaths, kills and shipments. */
  readonly complete: boolean
}

export const DEFAULTS: CampaignOptions = {
  deaths: 100,
  dbKills: 10,
  pauses: 0,
  partitions: 0,
  clockJumps: 0,
  seed: 1,
  replicas: 3,
  shipments: 0,
  embedded: false,
  naive: false,
  minutes: 60,
  impatient: false,
  everybodyGivesUp: false,
  print: (line) => process.stdout.write(`${line}\n`),
}

/** `scenario`: `kills` for the campaign of random faults, otherwise see `runScenarios`. */
export type CommandLine = CampaignOptions & { readonly scenario: string }

/** Reads the command line. Throws if an option is unknown or not a whole number. */
export function readArguments(argv: readonly string[]): CommandLine {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      deaths: { type: 'string' },
      'db-kills': { type: 'string' },
      pauses: { type: 'string' },
      partitions: { type: 'string' },
      'clock-jumps': { type: 'string' },
      seed: { type: 'string' },
      replicas: { type: 'string' },
      shipments: { type: 'string' },
      minutes: { type: 'string' },
      scenario: { type: 'string', default: 'kills' },
      embedded: { type: 'boolean' },
      impatient: { type: 'boolean' },
      naive: { type: 'boolean' },
    },
  })
  const whole = (name: keyof typeof values, otherwise: number): number => {
    const text = values[name]
    if (text === undefined) return otherwise
    if (typeof text !== 'string' || !/^\d{1,7}$/.test(text))
      throw new Error(`--${name} takes a whole number, not "${text}"`)
    return Number(text)
  }
  const serverUrl = process.env['TEST_DATABASE_URL']
  const embedded = values.embedded ?? false
  const deaths = whole('deaths', DEFAULTS.deaths)
  return {
    ...DEFAULTS,
    scenario: values.scenario,
    deaths,
    pauses: whole('pauses', Math.round(deaths / 10)),
    partitions: whole('partitions', Math.round(deaths / 5)),
    clockJumps: whole('clock-jumps', Math.round(deaths / 15)),
    dbKills: whole('db-kills', DEFAULTS.dbKills),
    seed: whole('seed', Math.floor(Math.random() * 1_000_000)),
    replicas: embedded ? 1 : Math.max(1, whole('replicas', DEFAULTS.replicas)),
    shipments: whole('shipments', DEFAULTS.shipments),
    minutes: whole('minutes', DEFAULTS.minutes),
    embedded,
    impatient: values.impatient ?? false,
    naive: values.naive ?? false,
    ...(serverUrl !== undefined && serverUrl !== '' && { serverUrl }),
  }
}
