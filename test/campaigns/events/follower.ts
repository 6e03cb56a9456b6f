/** A client of `GET /events` that connects again, at any replica, whenever its connection ends. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Block, type EventClient, follow } from '../../events/event-stream.ts'
import type { Dice } from '../../support/random/seeded-dice.ts'

export type Follower = {
  /** Resolves when the first connection has got `ready`. */
  readonly started: Promise<void>
  /** The number of the event after which this client follows. */
  first(): number
  /** The numbers of the events, in the order in which they arrived. */
  readonly sequences: number[]
  connections(): number
  /** How often the service said that events are missing. */
  resets(): number
  stop(): Promise<void>
}

const RETRY_MS = 200

/** `origins` returns the replicas that listen. */
export function startFollower(origins: () => readonly string[], dice: Dice, key: string): Follower {
  const sequences: number[] = []
  const state = { first: -1, lastId: '', connections: 0, resets: 0, isStopped: false }
  let client: EventClient | undefined
  let hasStarted = (): void => {}
  const started = new Promise<void>((resolve) => {
    hasStarted = resolve
  })
  const take = ({ id, event, data }: Block): void => {
    if (event === 'ready' && state.first === -1) state.first = Number(id?.split('-')[0])
    if (event === 'ready') hasStarted()
    if (event === 'reset') state.resets += 1
    if (event?.startsWith('shipment.') === true) sequences.push(JSON.parse(data ?? '').data.sequence)
    if (id !== undefined) state.lastId = id
  }
  const run = async (): Promise<void> => {
    while (!state.isStopped) {
      const available = origins()
      const headers = { 'x-pp-api': key, ...(state.lastId !== '' && { 'last-event-id': state.lastId }) }
      try {
        if (available.length > 0) client = await follow(dice.pick(available), { headers })
      } catch {
        client = undefined
      }
      if (client !== undefined) {
        state.connections += 1
        await readAll(client, take)
        client = undefined
      }
      if (!state.isStopped) await pause(RETRY_MS)
    }
  }
  const running = run()
  return {
    started,
    sequences,
    first: () => state.first,
    connections: () => state.connections,
    resets: () => state.resets,
    async stop() {
      state.isStopped = true
      client?.close()
      await running
    },
  }
}

/** Takes the blocks until the connection ends. */
async function readAll(
  { blocks, response, ended }: EventClient,
  take: (block: Block) => void,
): Promise<void> {
  const drain = (): void => {
    for (const block of blocks.splice(0)) take(block)
  }
  response.on('data', drain)
  drain()
  await ended
  drain()
}
