/** Clients that send requests and do not read the answers, or read them a little at a time. */
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { heldConnections } from '../process-figures.ts'
import { openSocket, rawRequest } from '../raw-client.ts'
import { manyEstimates, ratesBatch } from '../requests/graphql-bodies.ts'
import type { Scenario, Stage } from '../scenario.ts'

const CLIENTS = 40
const KEYS = 10
/** Requests sent on one connection without waiting, so that the answers do not fit into the system's buffers. */
const PIPELINED = 2
/**
 * Connections without progress end after 30 s. Node checks that every 30 s, and extends the time of a connection on
 * which bytes were sent since the last check.
 */
const HOLD_MS = 70_000
/** A separate address, so that these connections can be distinguished from those of the bystanders. */
const ADDRESS = process.platform === 'linux' ? '127.0.0.3' : '127.0.0.1'
const TRICKLE_BYTES = 1_024
const TRICKLE_MS = 500
const TRICKLE_FOR_MS = 22_500

/** Forty clients of several keys that never read. */
export const unreadResponses: Scenario = {
  name: 'unread-responses',
  rule: 'Clients that do not read are cut off after 30 to 60 s, and memory stays flat until then.',
  attack: (stage) => unread(stage, KEYS),
}

/** The same with few places for requests. */
export const unreadResponsesFewPlaces: Scenario = {
  name: 'unread-responses-few-places',
  rule: 'Clients of one key that do not read do not hold the places of other partners.',
  settings: { WAYBILL_MAX_IN_FLIGHT: '20' },
  attack: (stage) => unread(stage, 1),
}

/** Forty clients that read a kilobyte at a time. */
export const trickledResponses: Scenario = {
  name: 'trickled-responses',
  rule: 'Clients that read slowly do not make memory grow or hold the places of other partners.',
  async attack(stage) {
    const clients = openClients(stage, KEYS)
    const endsAt = performance.now() + TRICKLE_FOR_MS
    while (stage.goesOn() && performance.now() < endsAt) {
      for (const socket of clients) socket.read(TRICKLE_BYTES)
      await pause(TRICKLE_MS)
    }
    for (const socket of clients) socket.destroy()
  },
}

async function unread(stage: Stage, keys: number): Promise<void> {
  const clients = openClients(stage, keys)
  const endsAt = performance.now() + HOLD_MS
  while (stage.goesOn() && performance.now() < endsAt) await pause(500)
  const held = heldConnections(stage.port, ADDRESS) ?? 0
  stage.note('connections held after 70 s', held)
  if (held > 0) stage.violate('connections without progress are held', `${held} after 70 s`)
  for (const socket of clients) socket.destroy()
}

/** Opens connections without a listener for data, so nothing is read beyond the system's buffers. */
function openClients(stage: Stage, keyCount: number): Socket[] {
  const keys = Array.from({ length: keyCount }, () => stage.newKey())
  return Array.from({ length: CLIENTS }, (_unused, n) => {
    const socket = openSocket(stage.port, ADDRESS)
    const { body } = stage.dice.pick([ratesBatch, ratesBatch, manyEstimates])(stage.dice)
    const headers = [`X-PP-API: ${keys[n % keys.length]}`, 'Content-Type: application/json']
    for (let sent = 1; sent <= PIPELINED; sent++) {
      // Closes a connection whose answers all fit into the buffers.
      const last = sent === PIPELINED ? ['Connection: close'] : []
      socket.write(rawRequest('POST /graphql', [...headers, ...last], body))
    }
    return socket
  })
}
