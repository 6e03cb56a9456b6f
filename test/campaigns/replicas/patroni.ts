/**
 * Cancels shipments on a Patroni cluster with a synchronous standby, from deploy/patroni.yml and
 * deploy/haproxy-postgres.cfg: first through a switchover with patronictl, then while PostgreSQL and Patroni of the
 * primary are killed with `kill -9`. The killed member is started again a few seconds after the failover. No
 * confirmed cancellation may be lost, and none may be carried out twice. Before that, the REST API of the members must
 * refuse a change without the password. `npm run test:patroni -- --shipments 600 --members 2 --crowd 16 --seed 0`.
 * Needs patroni, etcd, haproxy and PostgreSQL.
 */
import { chmodSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { readSettings, seedOf } from '../storage/settings.ts'
import { runCampaign, type Undo } from '../storage/undo.ts'
import { cancelDuring } from './cancellations.ts'
import { startCluster } from './patroni-cluster.ts'
import { findPostgres, findProgram } from './programs.ts'

const PART_MS = 8_000
/** Until systemd starts a killed member again. */
const AWAY_MS = 3_000

const settings = readSettings({ shipments: 600, members: 2, crowd: 16, seed: 0 })
await runCampaign(failOver)

async function failOver(undo: Undo) {
  if (settings.members < 2 || settings.members > 3) throw new Error('--members: expected 2 or 3')
  for (const name of ['patroni', 'patronictl', 'etcd', 'haproxy'] as const) findProgram(name)
  findPostgres(undefined)
  const place = makeThrowAwayFolder()
  undo.add(() => rmSync(place, { recursive: true, force: true }))
  chmodSync(place, 0o755)
  const seed = seedOf(settings.seed)
  console.log(`seed ${seed}: ${settings.shipments} shipments, ${settings.members} members`)
  const cluster = await startCluster(undo, place, settings.members)
  console.log(`primary: ${await cluster.primary()}`)
  const statuses = await cluster.changeAsStranger()
  if (statuses.some((status) => status !== 401))
    throw new Error(`a change without the password gets ${statuses}, expected 401`)
  const directUrl = cluster.url.replace('@', `:${encodeURIComponent(cluster.password)}@`)
  let failoverMs = 0
  const third = Math.floor(settings.shipments / 3)
  const result = await cancelDuring(
    undo,
    {
      ...{ seed, shipments: settings.shipments, crowd: settings.crowd, serviceUrl: cluster.url, directUrl },
      settings: { PGPASSWORD: cluster.password },
    },
    async ({ give, confirmed }) => {
      give(third, PART_MS)
      await pause(PART_MS / 2)
      const before = confirmed()
      console.log(`switchover to ${await cluster.switchOver()}, ${before} cancelled before`)
      await pause(PART_MS)
      give(third, PART_MS)
      await pause(PART_MS / 2)
      const { killed, promoted, ms } = await cluster.killPrimary()
      failoverMs = ms
      console.log(
        `killed ${killed}: ${promoted} is the primary after ${ms} ms, ${confirmed()} cancelled so far`,
      )
      await pause(AWAY_MS)
      await cluster.startAgain(killed)
      give(settings.shipments - 2 * third, PART_MS)
      await pause(PART_MS + 2_000)
    },
  )
  return { members: settings.members, failoverMs, ...result }
}
