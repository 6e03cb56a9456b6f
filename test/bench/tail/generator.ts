/**
 * The process that generates the load: a closed loop to find the capacity, and an open loop that runs until `stop`. It
 * writes prepared bytes to sockets. With the argument `awake` it never sleeps, so that its own delays are small. It
 * then needs a core of its own.
 */
import { connect, type Socket } from 'node:net'
import { missingBytes, prepareRequest, stayAwake, type Target } from '../http-bytes.ts'
import { percentile } from '../percentile.ts'

export type Request = Target & { readonly body: string }

/** `random`: with exponentially distributed pauses, as requests of many independent callers arrive. */
export type Arrivals = 'even' | 'random'

export type Step =
  | {
      readonly kind: 'closed'
      readonly requests: readonly Request[]
      readonly callers: number
      readonly seconds: number
    }
  | {
      readonly kind: 'open'
      readonly requests: readonly Request[]
      readonly perSecond: number
      readonly arrivals: Arrivals
    }
  /** Ends the open loop. */
  | { readonly kind: 'stop' }

/** Milliseconds from the moment that a request was due. */
export type Latencies = {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly max: number
  /** The median of the p99 of all windows of WINDOW_MS. Rare pauses of the machine do not change it. */
  readonly typicalP99: number
  /** The p99 of the delay with which the generator itself sent a request. */
  readonly lateP99: number
  /** Numbers of responses other than 200, by reason. */
  readonly failures: Readonly<Record<string, number>>
}

/** Takes the status of the response, or 0 if the connection was closed. */
type Answered = (status: number) => void

const OPEN_CONNECTIONS = 64
const WINDOW_MS = 250
const TICK_MS = 1
const isAwake = process.argv.includes('awake')
let stopped = false

async function run(step: Exclude<Step, { kind: 'stop' }>): Promise<Latencies> {
  const requests = step.requests.map((request) => prepareRequest(request, request.body).bytes)
  const port = step.requests[0]!.port
  const count = step.kind === 'closed' ? step.callers : OPEN_CONNECTIONS
  const connections = await Promise.all(Array.from({ length: count }, () => connection(port)))
  const result = record()
  const startedAt = performance.now()
  await (step.kind === 'closed'
    ? closedLoop(connections, requests, startedAt + step.seconds * 1_000, result)
    : openLoop(connections, requests, step, result))
  for (const { close } of connections) close()
  return result.latencies((performance.now() - startedAt) / 1_000)
}

function closedLoop(
  connections: readonly Connection[],
  requests: readonly Buffer[],
  endsAt: number,
  result: ReturnType<typeof record>,
): Promise<unknown> {
  let sent = 0
  let isOver = false
  if (isAwake) stayAwake(() => !isOver)
  const callers = connections.map(async ({ send }) => {
    while (performance.now() < endsAt) {
      const dueAt = performance.now()
      result.add(
        dueAt,
        await new Promise<number>((answered) => send(requests[sent++ % requests.length]!, answered)),
      )
    }
  })
  return Promise.all(callers).finally(() => {
    isOver = true
  })
}

/** Requests wait for a free connection if all are in use. */
function openLoop(
  connections: readonly Connection[],
  requests: readonly Buffer[],
  { perSecond, arrivals }: Extract<Step, { kind: 'open' }>,
  result: ReturnType<typeof record>,
): Promise<void> {
  const free = [...connections]
  const waiting: number[] = []
  const pauseMs = 1_000 / perSecond
  const nextPause = arrivals === 'even' ? () => pauseMs : () => -Math.log(1 - Math.random()) * pauseMs
  let sent = 0
  let running = 0
  let dueAt = performance.now()
  stopped = false
  return new Promise((resolve) => {
    const sendTo = (target: Connection, since: number): void => {
      result.addLate(since)
      target.send(requests[sent++ % requests.length]!, (status) => {
        result.add(since, status)
        running--
        const next = waiting.shift()
        if (next === undefined) free.push(target)
        else sendTo(target, next)
      })
    }
    const isOver = (): boolean => {
      if (!stopped || running > 0) return false
      resolve()
      return true
    }
    const sendDue = (): void => {
      const now = performance.now()
      for (; dueAt <= now && !stopped; dueAt += nextPause()) {
        running++
        const target = free.pop()
        if (target === undefined) waiting.push(dueAt)
        else sendTo(target, dueAt)
      }
    }
    const iterate = (): void => {
      sendDue()
      if (isOver()) return
      if (isAwake) setImmediate(iterate)
      else setTimeout(iterate, TICK_MS)
    }
    iterate()
  })
}

type Connection = {
  /** One request at a time. */
  send(bytes: Buffer, answered: Answered): void
  close(): void
}

/** Opens a connection. It is opened again for the next request if the server closes it. */
async function connection(port: number): Promise<Connection> {
  let socket: Socket
  let current: Answered | undefined
  let received: Buffer[] = []
  let missing = 0
  let status = 0
  const finish = (result: number): void => {
    const answered = current
    current = undefined
    received = []
    missing = 0
    answered?.(result)
  }
  const take = (chunk: Buffer): void => {
    if (missing > 0) missing -= chunk.length
    else {
      received.push(chunk)
      const bytes = received.length === 1 ? chunk : Buffer.concat(received)
      const rest = missingBytes(bytes)
      if (rest === undefined) return
      status = Number(bytes.toString('latin1', 9, 12))
      missing = rest
    }
    if (missing <= 0) finish(status)
  }
  const open = (): Promise<void> =>
    new Promise((resolve, reject) => {
      socket = connect({ port, host: '127.0.0.1', noDelay: true }, resolve)
      socket.on('error', reject).on('data', take)
      socket.on('close', () => finish(0))
    })
  await open()
  return {
    send(bytes, answered) {
      current = answered
      if (socket.writable) socket.write(bytes)
      else
        open().then(
          () => socket.write(bytes),
          () => finish(0),
        )
    },
    close: () => socket.destroy(),
  }
}

function record() {
  const served: number[] = []
  /** By the window in which the requests were due. */
  const windows = new Map<number, number[]>()
  const late: number[] = []
  const failures: Record<string, number> = {}
  return {
    add(dueAt: number, status: number): void {
      if (status !== 200) {
        failures[status] = (failures[status] ?? 0) + 1
        return
      }
      const ms = performance.now() - dueAt
      served.push(ms)
      const key = Math.floor(dueAt / WINDOW_MS)
      const window = windows.get(key)
      if (window === undefined) windows.set(key, [ms])
      else window.push(ms)
    },
    addLate: (dueAt: number): void => void late.push(performance.now() - dueAt),
    latencies(seconds: number): Latencies {
      const at = (share: number): number => percentile(served, share) ?? 0
      const p99s = [...windows.values()].map((window) => percentile(window, 0.99))
      return {
        perSecond: Math.round(served.length / seconds),
        ...{ p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1 - Number.EPSILON) },
        typicalP99: percentile(p99s, 0.5) ?? 0,
        lateP99: percentile(late, 0.99) ?? 0,
        failures,
      }
    },
  }
}

process.on('message', (step: Step) => {
  if (step.kind === 'stop') stopped = true
  else void run(step).then((latencies) => process.send?.(latencies))
})
process.on('disconnect', () => process.exit(0))
