/**
 * Who holds a data folder. The lock itself is a flock taken by the supervisor and PostgreSQL's own
 * postmaster.pid; this file only tells a living owner (refuse) from a dead one whose server is still stopping.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The Node process that a server belongs to. `startTicks` tells it from a later process with the same pid. */
export interface Owner {
  readonly pid: number
  readonly startTicks: string | undefined
  /** The folder of the server's unix socket. */
  readonly socketFolder: string
}

/** The file in the data folder that names the owner; present only while a supervisor holds the lock. */
export function ownerFile(dataDir: string): string {
  return join(dataDir, 'owner.json')
}

/** This process, as the owner file of its server will name it. */
export function thisProcess(socketFolder: string): Owner {
  return { pid: process.pid, startTicks: processState(process.pid)?.startTicks, socketFolder }
}

/** The owner named in a data folder when that process is alive, otherwise undefined. */
export function livingOwner(dataDir: string): Owner | undefined {
  const owner = readOwner(dataDir)
  return owner !== undefined && isAlive(owner) ? owner : undefined
}

/**
 * Asks an orphan to stop: a postgres that still serves `cluster` although its owner and its supervisor died.
 * Returns its pid, or undefined when there is none that is certainly ours. SIGINT is a fast shutdown, SIGQUIT one
 * without a checkpoint, for a server that does not end by the first.
 */
export function stopOrphan(cluster: string, signal: 'SIGINT' | 'SIGQUIT'): number | undefined {
  const pid = Number.parseInt(readText(join(cluster, 'postmaster.pid')) ?? '', 10)
  // Only a process whose command line names this very folder: pids are reused, and containers start at 1.
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

/** Linux: fields 3 and 22 of /proc/pid/stat. The name in field 2 may hold blanks, so count after its `)`. */
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
