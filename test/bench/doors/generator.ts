/**
 * The process that generates the load: a closed loop over several connections. It writes prepared bytes to sockets and
 * searches responses for their end only, because an HTTP client would need more CPU time than the fastest contender.
 */
import { connect, type Socket } from 'node:net'
import { MARK, missingBytes, prepareRequest, stayAwake } from '../http-bytes.ts'

export type Load = {
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent in turn. MARK is replaced by a number that increases with each request. */
  readonly bodies: readonly string[]
  readonly connections: number
  /** Time without measurement, after the connections are opened. */
  readonly rampMs: number
  readonly measureMs: number
  /** The number that replaces the first MARK. */
  readonly firstNumber: number
  /** Whether the process polls its sockets without ever sleeping. It needs a core of its own. */
  readonly isAwake: boolean
}

const NUMBER_DIGITS = MARK.length

/** `begin` and `end` are sent when a measurement begins and ends, `done` after the last response. */
export type Report =
  | { readonly kind: 'begin' }
  | { readonly kind: 'end'; readonly requests: number; readonly seconds: number }
  | {
      readonly kind: 'done'
      /** Milliseconds. */
      readonly latencies: Readonly<Record<'p50' | 'p99' | 'p999', number>>
      readonly nextNumber: number
    }
  | { readonly kind: 'failed'; readonly reason: string }

type Phase = 'ramp' | 'measured' | 'over'

async function run(load: Load): Promise<void> {
  const requests = load.bodies.map((body) => prepareRequest(load, body))
  const latencies: number[] = []
  let phase: Phase = 'ramp'
  let answered = 0
  let sent = 0
  let number = load.firstNumber
  const nextRequest = (): Buffer => {
    const prepared = requests[sent++ % requests.length]!
    if (prepared.markAt < 0) return prepared.bytes
    // The kernel may still have to take the previous bytes, so they are not changed.
    const bytes = Buffer.from(prepared.bytes)
    bytes.write(String(number++).padStart(NUMBER_DIGITS, '0'), prepared.markAt)
    return bytes
  }
  if (load.isAwake) stayAwake(() => phase !== 'over')
  const callers = Array.from({ length: load.connections }, () =>
    keepSending(
      load.port,
      () => phase !== 'over',
      nextRequest,
      (ms) => {
        if (phase !== 'measured') return
        answered++
        latencies.push(ms)
      },
    ),
  )
  setTimeout(() => {
    phase = 'measured'
    const begin = performance.now()
    send({ kind: 'begin' })
    setTimeout(() => {
      phase = 'over'
      send({ kind: 'end', requests: answered, seconds: (performance.now() - begin) / 1_000 })
    }, load.measureMs)
  }, load.rampMs)
  await Promise.all(callers)
  latencies.sort((a, b) => a - b)
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0
  send({
    kind: 'done',
    latencies: { p50: at(0.5), p99: at(0.99), p999: at(0.999) },
    nextNumber: number,
  })
}

/** Sends requests over one connection until `goesOn` returns false. Rejects on a response other than 200. */
function keepSending(
  port: number,
  goesOn: () => boolean,
  nextRequest: () => Buffer,
  answered: (ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let received: Buffer[] = []
    let missing = 0
    let sentAt = 0
    const sendNext = (): void => {
      sentAt = performance.now()
      socket.write(nextRequest())
    }
    socket.on('connect', sendNext)
    socket.on('error', reject)
    socket.on('close', () => (goesOn() ? reject(new Error('the connection was closed')) : resolve()))
    socket.on('data', (chunk) => {
      if (missing > 0) missing -= chunk.length
      else {
        received.push(chunk)
        const bytes = received.length === 1 ? chunk : Buffer.concat(received)
        const rest = missingBytes(bytes)
        if (rest === undefined) return
        if (!bytes.subarray(9, 12).equals(OK)) {
          reject(new Error(bytes.toString('utf8').slice(0, 600)))
          return void socket.destroy()
        }
        missing = rest
        received = []
      }
      if (missing > 0) return
      answered(performance.now() - sentAt)
      if (goesOn()) sendNext()
      else socket.end(resolve)
    })
  })
}

const OK = Buffer.from('200')

function send(report: Report): void {
  process.send?.(report)
}

process.on('message', (load: Load) => {
  run(load).catch((error: unknown) => {
    send({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) })
  })
})
process.on('disconnect', () => process.exit(0))
