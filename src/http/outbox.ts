/**
 * Responses that their clients have not read yet. A small response goes to the kernel at once; a large one stays in
 * memory until its client reads it. So large unread responses are bounded in bytes, for each account and in all, and in
 * time; past a bound the connection that has waited longest is closed.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { whenOver } from './admission.ts'

/** The bounds. Sizes in bytes, time in milliseconds. */
export type OutboxLimits = {
  readonly bytesPerAccount: number
  readonly bytes: number
  /** From the response to its last byte; without any progress a connection is closed earlier (server.ts). */
  readonly responseMs: number
}

/** What holds for the service. */
export const OUTBOX_LIMITS: OutboxLimits = {
  bytesPerAccount: 16 * 1024 * 1024,
  bytes: 64 * 1024 * 1024,
  responseMs: 120_000,
}

/** Smaller responses are not kept track of. */
const SMALL_BYTES = 64 * 1024

/** A response that is being sent. */
type Unread = { readonly account: string; readonly bytes: number; readonly close: () => void }

/** Adds the hook that keeps track of responses. */
export function boundUnread(app: FastifyInstance, limits: OutboxLimits): void {
  /** Oldest first. */
  const unread = new Set<Unread>()

  app.addHook('onSend', async (request, reply, payload) => {
    const bytes = sizeOf(payload)
    if (bytes > SMALL_BYTES) track(reply, request.sender, bytes)
    return payload
  })

  function track(reply: FastifyReply, account: string, bytes: number): void {
    const { socket } = reply.raw
    if (socket === null) return
    const response: Unread = { account, bytes, close: () => socket.destroy() }
    unread.add(response)
    const timer = setTimeout(response.close, limits.responseMs)
    whenOver(reply.raw, () => {
      clearTimeout(timer)
      unread.delete(response)
    })
    closeOldest(limits.bytesPerAccount, (other) => other.account === account)
    closeOldest(limits.bytes, () => true)
  }

  /** Closes the oldest of some responses, but never the newest, until the rest fit. */
  function closeOldest(most: number, counts: (response: Unread) => boolean): void {
    const counted = [...unread].filter(counts)
    let bytes = counted.reduce((sum, response) => sum + response.bytes, 0)
    for (const response of counted.slice(0, -1)) {
      if (bytes <= most) return
      bytes -= response.bytes
      unread.delete(response)
      response.close()
    }
  }
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length
  return Buffer.isBuffer(payload) ? payload.byteLength : 0
}
