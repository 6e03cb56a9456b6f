/** Figures of a process from /proc on Linux. Undefined on other systems and after the process has ended. */
import { readFileSync } from 'node:fs'

const BYTES_PER_KB = 1024
/** Linux reports CPU time in hundredths of a second on every architecture that Node supports. */
const TICKS_PER_SECOND = 100

/** Peak memory of the process in bytes. */
export function peakMemoryBytes(pid: number): number | undefined {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(textOf(`/proc/${pid}/status`) ?? '')?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) * BYTES_PER_KB
}

/** CPU time of all threads so far, in seconds. */
export function cpuSeconds(pid: number): number | undefined {
  // The second field is the program's name in parentheses, which may contain blanks.
  const fields = textOf(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')
  return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Seconds that the main thread has run, and that it has waited for a processor. */
export type ThreadTimes = { readonly runSeconds: number; readonly waitSeconds: number }

export function mainThreadTimes(pid: number): ThreadTimes | undefined {
  const [run, wait] = (textOf(`/proc/${pid}/task/${pid}/schedstat`) ?? '').split(' ')
  return wait === undefined ? undefined : { runSeconds: Number(run) / 1e9, waitSeconds: Number(wait) / 1e9 }
}

/**
 * Number of open connections from an IPv4 address to a port, as the listening process sees them. Connections
 * that it has closed do not count, even if the system still has bytes to deliver.
 */
export function heldConnections(port: number, from: string): number | undefined {
  const text = textOf('/proc/net/tcp')
  if (text === undefined) return undefined
  const localEnd = `:${hexadecimal(port, 4)}`
  const remoteStart = `${from
    .split('.')
    .reverse()
    .map((part) => hexadecimal(Number(part), 2))
    .join('')}:`
  return text.split('\n').filter((line) => {
    const [, local = '', remote = '', state = ''] = line.trim().split(/\s+/)
    return local.endsWith(localEnd) && remote.startsWith(remoteStart) && HELD_STATES.includes(state)
  }).length
}

/** ESTABLISHED and CLOSE_WAIT. */
const HELD_STATES = ['01', '08']

function hexadecimal(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0')
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
