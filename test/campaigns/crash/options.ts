/** What a crash campaign is asked to do, what it answers, and what it takes from the command line. */
import { parseArgs } from 'node:util'
import type { DatabaseSource } from '../../../src/store/database/open.ts'
import type { Killing } from './kill-points.ts'
import type { Violation } from './violation.ts'

/** How a campaign is run. Shares are 0 to 1. */
export type CampaignOptions = {
  /** SIGKILLs of replicas to be reached. */
  readonly deaths: number
  readonly dbKills: number
  readonly seed: number
  /** How many replicas serve at once; one with `embedded`. */
  readonly replicas: number
  /** At least so many shipments. */
  readonly shipments: number
  /** One replica on the embedded server, both killed together. */
  readonly embedded: boolean
  /** The replicas cancel in the naive way, to see that the campaign notices. */
  readonly naive: boolean
  /** Where it stops although the deaths are not reached. */
  readonly minutes: number
  /** A server to make a database on; absent: one of its own. */
  readonly serverUrl?: string
  /** A migrated and seeded database that is there already. */
  readonly database?: DatabaseSource
  /**
   * Due times are pulled forward and no carrier's answer exceeds the service's time-out, so that a short campaign need
   * not wait for leases (12 s), retries (20 s) and look-ups (60 s).
   */
  readonly impatient: boolean
  /** Every caller gives up and nobody repeats. */
  readonly everybodyGivesUp: boolean
  /** How many replicas serve on when enough have died; absent: one if impatient, else as many as before. */
  readonly survivors?: number
  /** Where replicas die; absent: at every point in turn. */
  readonly killing?: Killing
  readonly print: (line: string) => void
  /** Ends the campaign early; everything is cleaned up all the same. */
  readonly signal?: AbortSignal
}

/** What came out of it. */
export type CampaignResult = {
  readonly deaths: number
  readonly dbKills: number
  readonly shipments: number
  readonly violations: readonly Violation[]
  readonly seed: number
  /** False: time was up, or somebody stopped it, before the deaths and database kills asked for. */
  readonly complete: boolean
}

/** What a campaign does unless told otherwise. */
export const DEFAULTS: CampaignOptions = {
  deaths: 100,
  dbKills: 10,
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

/** The options of a command line. Throws with what is wrong. */
export function readArguments(argv: readonly string[]): CampaignOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      deaths: { type: 'string' },
      'db-kills': { type: 'string' },
      seed: { type: 'string' },
      replicas: { type: 'string' },
      shipments: { type: 'string' },
      minutes: { type: 'string' },
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
  return {
    ...DEFAULTS,
    deaths: whole('deaths', DEFAULTS.deaths),
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
