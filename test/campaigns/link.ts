/**
 * A TCP port in front of a server that can fail like a network: hold traffic in both directions, hold answers
 * only, or reset connections. Processes under test connect to the port instead of the server.
 */
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net'
import type { TestSource } from '../support/database/test-server.ts'

/**
 * `stall`: nothing arrives in either direction. `answers held`: requests arrive and are executed, their answers
 * are held. `reset`: connections are reset, new ones too.
 */
export type LinkFault = 'stall' | 'answers held' | 'reset'

export type Link = {
  readonly port: number
  fail(fault: LinkFault): void
  /** Ends a fault. Held traffic is delivered late, or lost together with its connections. */
  heal(held: 'deliver' | 'lose'): void
  /**
   * Delays the next packet that matches and what follows it on its connection, like a retransmission on one bad
   * path. It is delivered even if its sender has gone. Resolves when the packet has arrived here.
   */
  delayNext(matches: (packet: Buffer) => boolean, delayMs: number): Promise<void>
  /** Number of answers, in chunks, that were held since the link was opened. */
  heldAnswers(): number
  /** Number of connections that were reset or refused since the link was opened. */
  resets(): number
  close(): Promise<void>
}

/** One connection with the traffic that is held. */
type Pair = {
  readonly near: Socket
  readonly far: Socket
  readonly requests: Buffer[]
  readonly answers: Buffer[]
  /** Requests behind a delayed packet, which come first. */
  delayed: Buffer[] | undefined
}

type Delay = {
  readonly matches: (packet: Buffer) => boolean
  readonly delayMs: number
  readonly onHeld: () => void
}

export async function openLink(target: NetConnectOpts): Promise<Link> {
  const pairs = new Set<Pair>()
  let fault: LinkFault | undefined
  let heldAnswers = 0
  let resets = 0
  const delays = new Set<Delay>()

  const delayIfDue = (pair: Pair, packet: Buffer): boolean => {
    const delay = [...delays].find(({ matches }) => matches(packet))
    if (delay === undefined) return false
    delays.delete(delay)
    const behind = [packet]
    pair.delayed = behind
    setTimeout(() => {
      for (const chunk of behind) pair.far.write(chunk)
      pair.delayed = undefined
      if (pair.near.destroyed) pair.far.end()
    }, delay.delayMs)
    delay.onHeld()
    return true
  }
  const reset = ({ near, far }: Pair): void => {
    resets += 1
    near.resetAndDestroy()
    far.destroy()
  }
  const server = createServer((near) => {
    if (fault === 'reset') {
      resets += 1
      near.resetAndDestroy()
      return
    }
    const pair: Pair = { near, far: connect(target), requests: [], answers: [], delayed: undefined }
    const { far } = pair
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      near.destroy()
      if (pair.delayed === undefined) far.destroy()
    }
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', end)
    }
    near.on('data', (chunk) => {
      if (pair.delayed !== undefined) pair.delayed.push(chunk)
      else if (delayIfDue(pair, chunk)) return
      else if (fault === 'stall') pair.requests.push(chunk)
      else far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (fault === undefined) near.write(chunk)
      else {
        heldAnswers += 1
        pair.answers.push(chunk)
      }
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    fail(next) {
      fault = next
      if (next === 'reset') for (const pair of pairs) reset(pair)
    },
    heal(held) {
      fault = undefined
      for (const pair of pairs) {
        if (pair.requests.length + pair.answers.length === 0) continue
        if (held === 'lose') reset(pair)
        else {
          for (const chunk of pair.requests.splice(0)) pair.far.write(chunk)
          for (const chunk of pair.answers.splice(0)) pair.near.write(chunk)
        }
      }
    },
    delayNext: (matches, delayMs) =>
      new Promise((onHeld) => {
        delays.add({ matches, delayMs, onHeld })
      }),
    heldAnswers: () => heldAnswers,
    resets: () => resets,
    async close() {
      for (const { near, far } of pairs) {
        near.destroy()
        far.destroy()
      }
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Where a database listens. */
export function databaseTarget(source: TestSource): NetConnectOpts {
  if (typeof source !== 'string') return { path: `${source.host}/.s.PGSQL.${source.port}` }
  const url = new URL(source)
  const folder = url.searchParams.get('host')
  const port = Number(url.port || '5432')
  if (folder?.startsWith('/')) return { path: `${folder}/.s.PGSQL.${port}` }
  return { host: url.hostname, port }
}

/** The URL of the same database behind a link. */
export function urlThrough(link: Link, source: TestSource): string {
  const url = new URL(
    typeof source === 'string' ? source : `postgres://${source.user}@localhost/${source.database}`,
  )
  const password = url.password === '' ? '' : `:${url.password}`
  return `postgres://${url.username}${password}@127.0.0.1:${link.port}${url.pathname}?sslmode=disable`
}
