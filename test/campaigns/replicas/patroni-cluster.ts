/** A Patroni cluster from deploy/patroni.yml with etcd, and HAProxy from deploy/haproxy-postgres.cfg in front of it. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  asServerUser,
  isRoot,
  runToEnd,
  SERVER_ENVIRONMENT,
} from '../../../src/store/embedded-postgres/run-as.ts'
import { runStatements } from '../../support/database/test-server.ts'
import { killProcessesOf } from '../storage/database-server.ts'
import type { Undo } from '../storage/undo.ts'
import {
  deployed,
  findPostgres,
  findProgram,
  freePorts,
  makeServerFolder,
  type Running,
  startProgram,
  untilReady,
  writeServerFile,
} from './programs.ts'

/** The servers in haproxy-postgres.cfg. */
const SERVERS = 3
const SUPERUSER = { name: 'postgres', password: 'change-me-superuser' }
/** Well above the 20 s after which a primary that has stopped is replaced. */
const LIMIT_MS = 120_000
const FIRST_CHECKS_MS = 4_000

type Member = {
  readonly name: string
  readonly postgresPort: number
  readonly restPort: number
  readonly dataFolder: string
  /** Its configuration file. */
  readonly file: string
  running: Running | undefined
}

export type Cluster = {
  /** Leads to the primary, with the role of the service. */
  readonly url: string
  readonly password: string
  /** The name of the primary; undefined: there is none. */
  primary(): Promise<string | undefined>
  /** The statuses of the members for a change of the configuration by somebody without the password. */
  changeAsStranger(): Promise<readonly number[]>
  /** Hands over to a standby with patronictl. Resolves when it is the primary. */
  switchOver(): Promise<string>
  /** Kills Patroni and PostgreSQL of the primary at once. Resolves when another member is the primary. */
  killPrimary(): Promise<{ readonly killed: string; readonly promoted: string; readonly ms: number }>
  /** Starts a killed member again, as systemd does. Resolves when a synchronous standby is connected. */
  startAgain(name: string): Promise<void>
}

/** Starts `members` members. Resolves when a synchronous standby is connected. */
export async function startCluster(undo: Undo, place: string, members: number): Promise<Cluster> {
  const etcd = await startEtcd(undo, place)
  const ports = await freePorts(2 * SERVERS)
  const all = Array.from({ length: members }, (_unused, index): Member => {
    const name = `waybill-db-${index + 1}`
    const [postgresPort = 0, restPort = 0] = ports.slice(2 * index)
    const folder = makeServerFolder(path.join(place, name))
    const member = { name, postgresPort, restPort, dataFolder: path.join(folder, 'data') }
    const file = writeServerFile(path.join(folder, 'patroni.yml'), render(member, folder, etcd))
    return { ...member, file, running: undefined }
  })
  for (const member of all) start(undo, member)
  await until(all, async () => (await withRole(all, 'synchronous')) !== undefined, 'the first start')
  const port = await startFront(undo, place, ports)
  const password = 'a-password/with@signs'
  await runStatements(
    `postgres://${SUPERUSER.name}:${SUPERUSER.password}@127.0.0.1:${port}/postgres`,
    `create role waybill login password '${password}'`,
    'create database waybill owner waybill',
  )
  return {
    url: `postgres://waybill@127.0.0.1:${port}/waybill`,
    password,
    primary: async () => (await withRole(all, 'primary'))?.name,
    changeAsStranger: () => Promise.all(all.map(changeAsStranger)),
    switchOver: () => switchOver(all),
    killPrimary: () => killPrimary(all),
    async startAgain(name) {
      const member = all.find((one) => one.name === name)
      if (member === undefined) throw new Error(`there is no member ${name}`)
      start(undo, member)
      await until(
        all,
        async () => (await withRole(all, 'synchronous')) !== undefined,
        `the return of ${name}`,
      )
    },
  }
}

function start(undo: Undo, member: Member): void {
  // Patroni does not stop PostgreSQL when it is killed. This step runs after the one that ends Patroni.
  undo.add(() => killProcessesOf(member.dataFolder))
  const command = asServerUser([findProgram('patroni'), member.file])
  member.running = startProgram(undo, command, { env: SERVER_ENVIRONMENT })
}

async function changeAsStranger({ restPort }: Member): Promise<number> {
  const body = JSON.stringify({ synchronous_mode_strict: false })
  const reply = await fetch(`http://127.0.0.1:${restPort}/config`, { method: 'PATCH', body })
  await reply.arrayBuffer()
  return reply.status
}

async function switchOver(all: readonly Member[]): Promise<string> {
  const primary = await withRole(all, 'primary')
  const candidate = await withRole(all, 'synchronous')
  if (primary === undefined || candidate === undefined) throw new Error('there is no synchronous standby')
  const words = ['switchover', 'waybill', '--leader', primary.name, '--candidate', candidate.name, '--force']
  const command = asServerUser([findProgram('patronictl'), '-c', primary.file, ...words])
  const { status, stdout, stderr } = await runToEnd(command)
  if (status !== 0) throw new Error(`patronictl: ${stdout} ${stderr}`)
  await until(all, async () => (await withRole(all, 'primary')) === candidate, 'the switchover')
  return candidate.name
}

async function killPrimary(all: readonly Member[]) {
  // Patroni promotes no other member. After a switchover it takes some seconds until there is one.
  await until(all, async () => (await withRole(all, 'synchronous')) !== undefined, 'the synchronous standby')
  const killed = await withRole(all, 'primary')
  if (killed === undefined) throw new Error('there is no primary')
  const startedAt = performance.now()
  // Patroni first, so that it cannot restart PostgreSQL.
  await killed.running?.end('SIGKILL')
  killProcessesOf(killed.dataFolder)
  const others = all.filter((member) => member !== killed)
  let promoted: Member | undefined
  const isPromoted = async (): Promise<boolean> => {
    promoted = await withRole(others, 'primary')
    return promoted !== undefined
  }
  await until(all, isPromoted, 'the failover')
  const ms = Math.round(performance.now() - startedAt)
  return { killed: killed.name, promoted: promoted?.name ?? '', ms }
}

async function startEtcd(undo: Undo, place: string): Promise<string> {
  const folder = makeServerFolder(path.join(place, 'etcd'))
  const [client, peer] = await freePorts(2)
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  const options = {
    ...{ name: 'etcd-1', 'data-dir': path.join(folder, 'data'), 'initial-cluster': `etcd-1=${peerUrl}` },
    ...{ 'listen-client-urls': clientUrl, 'advertise-client-urls': clientUrl },
    ...{ 'listen-peer-urls': peerUrl, 'initial-advertise-peer-urls': peerUrl },
  }
  const words = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  const running = startProgram(undo, asServerUser([findProgram('etcd'), ...words]), {
    env: SERVER_ENVIRONMENT,
  })
  await untilReady(running, 'etcd', async () => (await fetch(`${clientUrl}/health`)).ok)
  return `127.0.0.1:${client}`
}

function render(
  { name, postgresPort, restPort, dataFolder }: Omit<Member, 'file' | 'running'>,
  folder: string,
  etcd: string,
): string {
  return deployed('patroni.yml', [
    ['name: waybill-db-1', `name: ${name}`],
    ['10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379', etcd],
    ['10.0.0.11:8008', `127.0.0.1:${restPort}`],
    ['10.0.0.11:5432', `127.0.0.1:${postgresPort}`],
    ['/usr/lib/postgresql/15/bin', path.join(findPostgres(undefined), 'bin')],
    ['/var/lib/postgresql/15/waybill', dataFolder],
    ['/var/lib/postgresql/.pgpass-patroni', path.join(folder, 'pgpass')],
    ['/var/run/postgresql', folder],
    // The members have one address here.
    ['10.0.0.0/24', '127.0.0.1/32'],
  ])
}

/**
 * Returns the port that leads to the primary. `ports` has the ports of PostgreSQL and of the REST API of each member.
 */
async function startFront(undo: Undo, place: string, ports: readonly number[]): Promise<number> {
  const [port = 0] = await freePorts(1)
  const servers = Array.from({ length: SERVERS }, (_unused, index) => {
    const line = `server waybill-db-${index + 1} 10.0.0.1${index + 1}:5432`
    const [postgresPort, restPort] = ports.slice(2 * index)
    return [line, `server waybill-db-${index + 1} 127.0.0.1:${postgresPort} port ${restPort}`] as const
  })
  const text = deployed('haproxy-postgres.cfg', [
    ['bind 127.0.0.1:5000', `bind 127.0.0.1:${port}`],
    ['default-server check port 8008 ', 'default-server check '],
    ...(isRoot() ? [] : ([['  user haproxy\n  group haproxy\n', '']] as const)),
    ...servers,
  ])
  const file = path.join(place, 'haproxy-postgres.cfg')
  writeFileSync(file, text)
  const running = startProgram(undo, [findProgram('haproxy'), '-db', '-f', file])
  const address = `postgres://${SUPERUSER.name}:${SUPERUSER.password}@127.0.0.1:${port}/postgres`
  // HAProxy counts every server as available until its first checks have failed.
  await pause(FIRST_CHECKS_MS)
  await untilReady(running, 'haproxy', async () => {
    const [row] = await runStatements(address, 'select not pg_is_in_recovery() as "isPrimary"')
    return row?.['isPrimary'] === true
  })
  return port
}

/** Asks the REST API of each member. */
async function withRole(
  members: readonly Member[],
  role: 'primary' | 'synchronous',
): Promise<Member | undefined> {
  const roles = await Promise.all(
    members.map(async ({ restPort }) => {
      const signal = AbortSignal.timeout(2_000)
      const reply = await fetch(`http://127.0.0.1:${restPort}/${role}`, { signal }).catch(() => undefined)
      await reply?.arrayBuffer().catch(() => undefined)
      return reply?.status === 200
    }),
  )
  return members[roles.indexOf(true)]
}

async function until(members: readonly Member[], check: () => Promise<boolean>, what: string): Promise<void> {
  const startedAt = performance.now()
  while (!(await check())) {
    if (performance.now() - startedAt > LIMIT_MS) {
      const lines = members.flatMap(({ name, running }) => [`${name}:`, ...(running?.lines ?? [])])
      throw new Error(`${what} takes longer than ${LIMIT_MS} ms\n${lines.join('\n')}`)
    }
    await pause(200)
  }
}
