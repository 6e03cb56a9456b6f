/** The embedded server: start, stop, crashes, refusals, and the users that it can run as. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { copyBinaries, findBinaries, program } from '../../../src/store/embedded-postgres/binaries.ts'
import { asServerUser, runToEnd } from '../../../src/store/embedded-postgres/run-as.ts'
import {
  type EmbeddedServer,
  type EmbeddedServerOptions,
  startEmbeddedServer,
} from '../../../src/store/embedded-postgres/server.ts'
import { programArguments } from '../../support/app/compiled-programs.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import { runStatements } from '../../support/database/test-server.ts'

const isRoot = process.geteuid?.() === 0
const onLinux = process.platform === 'linux'

/** A folder as a stopped server leaves it. */
let prepared: string
let root: string
let dataDir: string
const running: EmbeddedServer[] = []
const children: ChildProcess[] = []

beforeAll(async () => {
  prepared = makeThrowAwayFolder()
  chmodSync(prepared, 0o755)
  const server = await startEmbeddedServer({ dataDir: join(prepared, 'data'), durable: false })
  await server.stop()
})
afterAll(() => rmSync(prepared, { recursive: true, force: true }))

beforeEach(() => {
  root = makeThrowAwayFolder()
  chmodSync(root, 0o755)
  dataDir = join(root, 'data')
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of running.splice(0)) await server.stop()
  await vi.waitUntil(() => serversOn(root).length === 0, { timeout: 60_000 })
  rmSync(root, { recursive: true, force: true })
})

/** Copies the prepared data with its owners, which takes a fraction of the time of initdb. */
function copyPreparedData(): void {
  execFileSync('cp', ['-a', join(prepared, 'data'), dataDir])
}

async function start(options: Partial<EmbeddedServerOptions> = {}): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer({ dataDir, durable: false, ...options })
  running.push(server)
  return server
}

/** The ids of processes (server, backends, supervisor) whose command line contains the folder. Linux only. */
function serversOn(folder: string): number[] {
  if (!onLinux) return []
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && readOrNothing(`/proc/${pid}/cmdline`).includes(folder))
    .filter((pid) => /postgres|\/bin\/sh/.test(readOrNothing(`/proc/${pid}/cmdline`)))
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Another Node process on the same folder; `lines` grows as it prints. `prefix` is prepended to its command line. */
function otherProcess(
  task: string,
  prefix: readonly string[] = [],
): { child: ChildProcess; lines: string[] } {
  const program = programArguments('test/support/database/server-owner.ts')
  const [first = '', ...args] = [...prefix, process.execPath, ...program, dataDir, task]
  const child = spawn(first, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  const lines: string[] = []
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return { child, lines }
}

function ended(child: ChildProcess): Promise<unknown> {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', resolve))
}

describe('a start', () => {
  test('creates a UTF-8 cluster without a network port, and a stop leaves no process', async () => {
    const server = await start({ durable: true })
    const [settings] = await runStatements(
      server.connection,
      `select current_setting('listen_addresses') as tcp, current_setting('jit') as jit,
        current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous,
        getdatabaseencoding() as encoding, datcollate as collate,
        current_setting('server_version_num')::int / 10000 as major
        from pg_database where datname = current_database()`,
    )
    expect(settings).toEqual({
      tcp: '',
      jit: 'off',
      fsync: 'on',
      synchronous: 'on',
      encoding: 'UTF8',
      collate: 'C.UTF-8',
      major: 18,
    })
    await server.stop()
    await server.stop()
    // A process that has just ended is listed for a moment.
    await vi.waitUntil(() => serversOn(root).length === 0, { timeout: 60_000 })
    expect(readdirSync(dataDir).filter((name) => name === 'owner.json')).toEqual([])
  })

  test('again on the same folder finds the data', async () => {
    copyPreparedData()
    const first = await start()
    await runStatements(first.connection, 'create table kept AS SELECT 7 as n')
    await first.stop()
    const second = await start()
    expect(await runStatements(second.connection, 'select n from kept')).toEqual([{ n: 7 }])
  })

  test('works below a folder that is closed to others', async () => {
    chmodSync(root, 0o700)
    const server = await start()
    expect(await runStatements(server.connection, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('works where the path is too long for a socket, and cleans up its temporary folder', async () => {
    dataDir = join(root, 'a'.repeat(60), 'b'.repeat(60), 'data')
    const server = await start()
    expect(server.connection.host.startsWith(dataDir)).toBe(false)
    expect(await runStatements(server.connection, 'select 1 as n')).toEqual([{ n: 1 }])
    await server.stop()
    expect(() => readdirSync(server.connection.host)).toThrow(/ENOENT/)
  })

  test('starts over after a crash during initdb', async () => {
    mkdirSync(join(dataDir, 'postgres.new-4194999', 'base'), { recursive: true })
    writeFileSync(join(dataDir, 'postgres.new-4194999', 'PG_VERSION'), '18\n')
    const server = await start()
    expect(await runStatements(server.connection, 'select 1 as n')).toEqual([{ n: 1 }])
    expect(readdirSync(dataDir).filter((name) => name.includes('.new-'))).toEqual([])
  })

  test('refuses data of another major version and names it', async () => {
    copyPreparedData()
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
    await expect(start()).rejects.toThrow(/written by PostgreSQL 17.*includes PostgreSQL 18.*DATABASE_URL/)
  })

  test('removes a stale postmaster.pid with the id of an unrelated process', async () => {
    copyPreparedData()
    // As after a container was killed: process ids start again, and the recorded id belongs to another process.
    const state = `${process.pid}\n${dataDir}/postgres\n1700000000\n5432\n${dataDir}/run\n\n`
    writeFileSync(join(dataDir, 'postgres', 'postmaster.pid'), state)
    const again = await start()
    expect(await runStatements(again.connection, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('reports when the server ends unexpectedly', async () => {
    copyPreparedData()
    const onUnexpectedEnd = vi.fn()
    await start({ onUnexpectedEnd })
    process.kill(
      Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10),
      'SIGINT',
    )
    await vi.waitFor(() => expect(onUnexpectedEnd).toHaveBeenCalledOnce(), { timeout: 60_000 })
    await start()
  })
})

describe('one folder and two processes:', () => {
  test('the second start is refused with the process id of the first, also within one process', async () => {
    copyPreparedData()
    const server = await start()
    const inUse = new RegExp(`in use by process ${process.pid}\\b.*DATABASE_URL`)
    await expect(start()).rejects.toThrow(inUse)
    const { child, lines } = otherProcess('refuse')
    await ended(child)
    expect(lines.join('\n')).toMatch(inUse)
    expect(await runStatements(server.connection, 'select 1 as n')).toEqual([{ n: 1 }])
  })

  test('one of two simultaneous first starts in a process succeeds', async () => {
    const starts = await Promise.allSettled([start(), start()])
    expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('one of two processes that start at the same time succeeds', async () => {
    const both = [otherProcess('insert'), otherProcess('insert')]
    await vi.waitUntil(() => both.every(({ lines }) => lines.length > 0), { timeout: 60_000 })
    const messages = both.map(({ lines }) => lines[0] ?? '').sort((a, b) => b.length - a.length)
    expect(messages[0]).toMatch(/in use by process \d+/)
    expect(messages[1]).toBe('ready')
  })
})

describe.runIf(onLinux)('the end of the owner process', () => {
  beforeEach(copyPreparedData)

  test('by kill -9 stops the server and loses no commits', async () => {
    const { child, lines } = otherProcess('insert')
    await vi.waitUntil(() => lines.length > 200, { timeout: 60_000, interval: 5 })
    child.kill('SIGKILL')
    await ended(child)
    // Immediately, while the old server may still be stopping.
    const server = await start({ durable: true })
    const [row] = await runStatements(server.connection, 'select max(n)::int as n from committed')
    expect(row?.['n']).toBeGreaterThanOrEqual(Number(lines.at(-1)))
    await server.stop()
    // The watcher of the killed process may end after its server.
    await vi.waitUntil(() => serversOn(root).length === 0, { timeout: 60_000 })
  })

  test('without another start leaves no process', async () => {
    const { child, lines } = otherProcess('insert')
    await vi.waitUntil(() => lines.length > 1, { timeout: 60_000, interval: 5 })
    expect(serversOn(root)).not.toEqual([])
    child.kill('SIGKILL')
    await vi.waitUntil(() => serversOn(root).length === 0, { timeout: 60_000 })
  })

  test('without a stop leaves no process', async () => {
    const { child, lines } = otherProcess('leave')
    await ended(child)
    expect([child.exitCode, lines]).toEqual([0, ['ready']])
    await vi.waitUntil(() => serversOn(root).length === 0, { timeout: 60_000 })
  })

  test('together with its supervisor leaves an orphan that the next start stops', async () => {
    const { child, lines } = otherProcess('insert')
    await vi.waitUntil(() => lines.length > 50, { timeout: 60_000, interval: 5 })
    const shells = serversOn(root).filter((pid) => readOrNothing(`/proc/${pid}/comm`) === 'sh\n')
    expect(shells).toHaveLength(2)
    // All are stopped by SIGSTOP first, because a process that outlives another would shut the server down cleanly.
    const doomed = [Number(child.pid), ...shells]
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of doomed) process.kill(pid, signal)
    await ended(child)
    const orphan = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
    process.kill(orphan, 0)
    const log: string[] = []
    const server = await start({ durable: true, log: (line) => log.push(line) })
    expect(log).toContain(`stopping PostgreSQL ${orphan}, whose owner has ended`)
    const [row] = await runStatements(server.connection, 'select max(n)::int as n from committed')
    expect(row?.['n']).toBeGreaterThanOrEqual(Number(lines.at(-1)))
  })
})

describe.runIf(isRoot && onLinux)('a start by root', () => {
  const ownersOf = (folder: string): readonly number[] =>
    ['.', ...readdirSync(folder)].map((name) => statSync(join(folder, name)).uid)
  /** The value of a field of /proc/pid/status of the server. */
  const statusOf = (field: string): string => {
    const pid = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]
    return (
      new RegExp(`^${field}:[ \\t]*(.*?)[ \\t]*$`, 'm').exec(
        readFileSync(`/proc/${pid}/status`, 'utf8'),
      )?.[1] ?? ''
    )
  }

  test('runs the server as nobody, with one capability', async () => {
    copyPreparedData()
    await start()
    expect(['Uid', 'Gid', 'Groups'].map(statusOf)).toEqual([
      ...['65534\t65534\t65534\t65534', '65534\t65534\t65534\t65534', ''],
    ])
    // CAP_DAC_OVERRIDE is bit 1.
    expect(['CapPrm', 'CapEff'].map((field) => BigInt(`0x${statusOf(field)}`))).toEqual([2n, 2n])
    expect(new Set(ownersOf(dataDir))).toEqual(new Set([65534]))
  })

  test('uses data that belongs to another user', async () => {
    copyPreparedData()
    const first = await start()
    await runStatements(first.connection, 'create table kept AS SELECT 7 as n')
    await first.stop()
    execFileSync('chown', ['-R', '1:1', dataDir])
    const second = await start()
    expect(await runStatements(second.connection, 'select n from kept')).toEqual([{ n: 7 }])
  })

  test('that cannot become nobody is refused with advice to set DATABASE_URL', async () => {
    const { child, lines } = otherProcess('refuse', ['setpriv', '--bounding-set=-setuid'])
    await ended(child)
    expect(lines.join('\n')).toMatch(/as nobody it cannot run .*setpriv.*DATABASE_URL/)
  })
})

describe.runIf(isRoot && onLinux)('a start by another user', () => {
  /** With a capability to read the compiled program, which is in a folder of root. */
  const AS_DAEMON = [
    ...['setpriv', '--reuid=1', '--regid=1', '--clear-groups'],
    ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override'],
  ]

  test('runs the server as that user', async () => {
    mkdirSync(dataDir)
    chownSync(dataDir, 1, 1)
    const { child, lines } = otherProcess('insert', AS_DAEMON)
    await vi.waitUntil(() => lines.length > 1, { timeout: 60_000 })
    expect(lines[0]).toBe('ready')
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(1)
    child.kill('SIGKILL')
  })

  test('is refused if the data belongs to somebody else', async () => {
    copyPreparedData()
    chownSync(dataDir, 1, 1)
    const { child, lines } = otherProcess('refuse', AS_DAEMON)
    await ended(child)
    expect(lines.join('\n')).toMatch(
      /belongs to uid 65534, but Waybill runs as uid 1: start Waybill as that user/,
    )
  })
})

describe('the programs of the server', () => {
  test('run from a copy, also below a folder that is closed to others', async () => {
    // On disk: a memory file system may forbid running programs.
    rmSync(root, { recursive: true })
    root = makeThrowAwayFolder(tmpdir())
    chmodSync(root, 0o700)
    const copy = await copyBinaries(findBinaries(), join(root, 'server'))
    // initdb checks with access(2) that it can run postgres.
    const show = [program(copy, 'initdb'), '--show', '-D', dataDir]
    expect(await runToEnd(asServerUser(show))).toMatchObject({ status: 0, errorCode: undefined })
  })

  test('that do not exist for a platform are refused with advice to set DATABASE_URL', () => {
    expect(() => findBinaries('linux', 'riscv64')).toThrow(/linux-riscv64 is not installed.*DATABASE_URL/)
    expect(() => findBinaries('win32', 'x64')).toThrow(/WSL.*DATABASE_URL/)
  })
})
