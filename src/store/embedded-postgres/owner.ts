/**
 * Determines which process uses a data folder. The locks are a flock, held by the supervisor, and PostgreSQL's
 * postmaster.pid. The owner file contains the owner's process id. If the owner is running, a second start is refused.
 * If it has ended and only its server is still stopping, a start waits.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The Node process that started a server. */
export interface Owner {
  readonly pid: number
  /** Distinguishes the process from a later one with the same id. Undefined outside Linux. */
  readonly startTicks: string | undefined
  /** The folder of the server's unix socket. */
  readonly socketFolder: string
}

/** The path of the owner file. The file exists while a supervisor holds the lock. */
export function ownerFile(dataDir: string): string {
  return join(dataDir, 'owner.json')
}

/** The content of the owner file for this process. */
export function thisProcess(socketFolder: string): Owner {
  return { pid: process.pid, startTicks: processState(process.pid)?.startTicks, socketFolder }
}

/** Undefined if no process owns the folder, or if its owner has ended. */
export function livingOwner(dataDir: string): Owner | undefined {
  const owner = readOwner(dataDir)
  return owner !== undefined && isAlive(owner) ? owner : undefined
}

/**
 * Signals an orphan: a server on `cluster` whose owner and supervisor have ended. Returns its process id, or undefined
 * if no process could be identified as the server of this cluster. SIGINT is a fast shutdown. SIGQUIT skips the
 * checkpoint; use it if the server does not end after SIGINT.
 */
export function stopOrphan(cluster: string, signal: 'SIGINT' | 'SIGQUIT'): number | undefined {
  const pid = Number.parseInt(readText(join(cluster, 'postmaster.pid')) ?? '', 10)
  // The command line must name this folder, because process ids are reused.
  const isOurs = pid > 0 && (readText(`/proc/${pid}/cmdline`)?.split('\0').includes(cluster) ?? false)
  if (!isOurs) return undefined
  process.kill(pid, signal)
  return pid
}

function readOwner(dataDir: string): Owner | undefined {
  try {
    return JSON.parse(readText(ownerFile(dataDir)) ?? '') as Owner
  } catch {
    return undefined
  }
}

function isAlive(owner: Owner): boolean {
  if (owner.startTicks === undefined) return canSignal(owner.pid)
  const state = processState(owner.pid)
  return state !== undefined && state.code !== 'Z' && state.startTicks === owner.startTicks
}

/**
 * Linux: fields 3 and 22 of /proc/pid/stat. The name in field 2 can contain blanks, so fields are counted after its
 * `)`.
 */
function processState(pid: number): { code: string; startTicks: string } | undefined {
  const stat = readText(`/proc/${pid}/stat`)
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
  const code = fields?.[0]
  const startTicks = fields?.[19]
  return code === undefined || startTicks === undefined ? undefined : { code, startTicks }
}

function canSignal(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
