/** Sends the mix of requests at a fixed rate and counts the responses by status. */
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Dice } from '../../support/random/seeded-dice.ts'
import { type Call, randomCall } from './requests.ts'

const CONNECTIONS = 32
const TICK_MS = 5
/** Calls that wait for a connection or a response. More are not sent, so that the sender's own memory is bounded. */
const MAX_RUNNING = 1_000
const MAX_REASON = 100

export type Load = {
  /** Number of responses by status. 0: no response. */
  readonly statuses: ReadonlyMap<number, number>
  /** Numbers of responses that no request of the mix should get, by status and message. */
  readonly faults: ReadonlyMap<string, number>
  /** The number of calls of a constant rate that were not sent, because MAX_RUNNING calls were running. */
  omitted(): number
  /** Sends this many calls at a time, as fast as the service responds, and waits for the last response. */
  sendAtOnce(calls: number, make?: (dice: Dice) => Call): Promise<void>
  /** Starts a constant rate. */
  sendEverySecond(calls: number): () => Promise<void>
  close(): void
}

/** `credentials`: values of X-PP-API. */
export function loadOf(port: number, credentials: readonly string[], dice: Dice): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const statuses = new Map<number, number>()
  const faults = new Map<string, number>()
  const running = new Set<Promise<void>>()
  let omitted = 0

  const send = async (call: Call, key: string): Promise<void> => {
    const { status, text } = await post(agent, port, key, call)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (isFault(status)) {
      const reason = `${status} ${/"message":"([^"]*)"/.exec(text)?.[1] ?? text.slice(0, MAX_REASON)}`
      faults.set(reason, (faults.get(reason) ?? 0) + 1)
    }
    if (call.next !== undefined && status === 200) await send(call.next(text), key)
  }
  const start = (make: (dice: Dice) => Call): void => {
    const sent = send(make(dice), dice.pick(credentials)).finally(() => running.delete(sent))
    running.add(sent)
  }
  return {
    statuses,
    faults,
    omitted: () => omitted,
    async sendAtOnce(calls, make = randomCall) {
      for (let sent = 0; sent < calls; sent++) {
        start(make)
        if (running.size >= CONNECTIONS) await Promise.race(running)
      }
      await Promise.all(running)
    },
    sendEverySecond(calls) {
      const startedAt = performance.now()
      let sent = 0
      const timer = setInterval(() => {
        for (const due = ((performance.now() - startedAt) / 1_000) * calls; sent < due; sent++)
          if (running.size < MAX_RUNNING) start(randomCall)
          else omitted++
      }, TICK_MS)
      return async () => {
        clearInterval(timer)
        while (running.size > 0) {
          await Promise.all(running)
          await pause(0)
        }
      }
    },
    close: () => agent.destroy(),
  }
}

function isFault(status: number): boolean {
  return status === 0 || status >= 429
}

type Response = { readonly status: number; readonly text: string }

function post(agent: Agent, port: number, key: string, { path, body }: Call): Promise<Response> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const headers = { 'X-PP-API': key, 'Content-Type': 'application/json' }
  return new Promise((resolve) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method: 'POST', headers, agent },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
        response.once('error', () => resolve({ status: 0, text: '' }))
      },
    )
    request.once('error', () => resolve({ status: 0, text: '' }))
    request.end(sent)
  })
}
