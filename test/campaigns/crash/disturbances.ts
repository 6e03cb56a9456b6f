/**
 * The faults that kill nothing: pauses of replicas, partitions, and clock jumps. They are spread over the
 * campaign in proportion to its deaths, and each kind runs beside the others.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { CANCEL_POLICY } from '../../../src/operations/ask-carrier/policy.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'
import { databaseTarget, type Link, type LinkFault, openLink, urlThrough } from '../link.ts'
import type { CampaignDatabase } from './database.ts'
import type { CampaignOptions } from './options.ts'
import type { Fleet } from './processes/fleet.ts'

/** The connections of the replica at one position. An embedded database has no link. */
export type ReplicaLinks = { readonly database: Link | undefined; readonly carrier: Link }

/** Settings that make a replica use its links. */
export type LinkedSettings = {
  readonly links: ReplicaLinks
  readonly settings: Readonly<Record<string, string>>
}

export async function openReplicaLinks(
  { settings }: CampaignDatabase,
  carrierOrigin: string,
  closers: (() => Promise<void>)[],
): Promise<LinkedSettings> {
  const { hostname, port } = new URL(carrierOrigin)
  const carrier = await openLink({ host: hostname, port: Number(port) })
  closers.push(() => carrier.close())
  const url = settings['DATABASE_URL']
  const database = url === undefined ? undefined : await openLink(databaseTarget(url))
  if (database !== undefined) closers.push(() => database.close())
  return {
    links: { database, carrier },
    settings: {
      ...settings,
      WAYBILL_SANDBOX_URL: `http://127.0.0.1:${carrier.port}`,
      ...(database !== undefined && url !== undefined && { DATABASE_URL: urlThrough(database, url) }),
    },
  }
}

export type DisturbanceCounts = {
  /** By server and fault, such as "database stall". */
  readonly partitions: Map<string, number>
}

type Disturbed = {
  readonly options: CampaignOptions
  readonly dice: Dice
  readonly fleet: Fleet
  readonly links: readonly ReplicaLinks[]
}

const FAULTS: readonly LinkFault[] = ['stall', 'answers held', 'reset']
const HOUR_MS = 3_600_000
const CLOCK_JUMPS_MS = [30_000, HOUR_MS, 24 * HOUR_MS].flatMap((ms) => [ms, -ms])

/** Runs until the planned numbers are reached or `signal` is aborted. Leaves everything healed. */
export async function disturb(
  { options, dice, fleet, links }: Disturbed,
  counts: DisturbanceCounts,
  signal: AbortSignal,
): Promise<void> {
  const { impatient, deaths } = options
  const spread = async (planned: number, once: () => Promise<boolean>): Promise<void> => {
    for (let done = 0; done < planned && !signal.aborted; ) {
      const isDue = fleet.counts.deaths >= ((done + 0.5) * deaths) / (planned + 1)
      if (!isDue || !(await once())) await pause(50)
      else done += 1
    }
  }
  const pauseOnce = (): Promise<boolean> =>
    fleet.pause(impatient ? dice.int(200, 1_500) : CANCEL_POLICY.leaseMs * (1 + dice.int(0, 200) / 100))
  const partitionOnce = async (): Promise<boolean> => {
    const server = dice.chance(0.6) && links[0]?.database !== undefined ? 'database' : 'carrier'
    const fault = dice.pick(FAULTS)
    const name = `${server} ${fault}`
    counts.partitions.set(name, (counts.partitions.get(name) ?? 0) + 1)
    const affected = (dice.chance(0.5) ? links : [dice.pick(links)]).flatMap((pair) => pair[server] ?? [])
    if (server === 'database') fleet.noteDatabaseKill()
    for (const link of affected) link.fail(fault)
    await pause(impatient ? dice.int(100, 700) : dice.int(500, server === 'database' ? 8_000 : 12_000))
    const held = dice.pick(['deliver', 'lose'] as const)
    for (const link of affected) link.heal(held)
    if (server === 'database') fleet.noteDatabaseKill()
    // Let the replicas serve between two partitions.
    await pause(impatient ? 100 : 1_000)
    return true
  }
  const jumpOnce = async (): Promise<boolean> => fleet.skewClock(dice.pick(CLOCK_JUMPS_MS))
  await Promise.all([
    spread(options.pauses, pauseOnce),
    spread(options.partitions, partitionOnce),
    spread(options.clockJumps, jumpOnce),
  ])
}
