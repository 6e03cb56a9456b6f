/**
 * Limits the memory of responses that clients have not read. The kernel takes a small response at once, but a large one
 * stays in memory until its client reads it. Large responses are therefore limited in time and in bytes, for each
 * account and in total. If a limit in bytes is exceeded, the connection whose response has waited longest is closed.
 * See docs/limits.md#connections-and-bodies and docs/decisions/security.md#d112.
 */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { whenOver } from './admission.ts'

export type OutboxLimits = {
  readonly bytesPerAccount: number
  /** For all accounts together. */
  readonly bytes: number
  /**
   * Time limit until the last byte is read. A connection without any progress is closed earlier (`stalledMs` in
   * server.ts).
   */
  readonly responseMs: number
}

export const OUTBOX_LIMITS: OutboxLimits = {
  bytesPerAccount: 16 * 1024 * 1024,
  bytes: 64 * 1024 * 1024,
  responseMs: 120_000,
}

/** Smaller responses are not counted. */
const SMALL_BYTES = 64 * 1024

type Unread = { readonly account: string; readonly bytes: number; readonly close: () => void }

export function limitUnreadResponses(app: FastifyInstance, limits: OutboxLimits): void {
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

  /** Closes the selected responses, oldest first, until the rest fit into `maxBytes`. Never closes the newest one. */
  function closeOldest(maxBytes: number, isSelected: (response: Unread) => boolean): void {
    const counted = [...unread].filter(isSelected)
    let bytes = counted.reduce((sum, response) => sum + response.bytes, 0)
    for (const response of counted.slice(0, -1)) {
      if (bytes <= maxBytes) return
      bytes -= response.bytes
      unread.delete(response)
      response.close()
    }
  }
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return Buffer.byteLength(payload)
  return Buffer.isBuffer(payload) ? payload.byteLength : 0
}
