/**
 * A TCP port in front of a database server's unix socket, like a virtual address in front of a pair of
 * servers. It can be pointed at another server, cut, or stalled without closing connections.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Undo } from './undo.ts'

export type Forwarder = {
  readonly port: number
  /** Directs new connections to this socket; undefined refuses them. Existing connections stay. */
  pointTo(socketPath: string | undefined): void
  /** Closes all connections at once, like a power failure. */
  cut(): void
  /** Stops all traffic in both directions until `cut`. */
  stall(): void
}

/** Opens a forwarder without a target. */
export async function openForwarder(undo: Undo): Promise<Forwarder> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let target: string | undefined
  const server = createServer((near) => {
    if (target === undefined) {
      near.resetAndDestroy()
      return
    }
    const far = connect(target)
    const pair = [near, far] as const
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', end)
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const cut = (): void => {
    for (const [near, far] of pairs) {
      near.destroy()
      far.destroy()
    }
    pairs.clear()
  }
  undo.add(() => {
    target = undefined
    cut()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    pointTo(socketPath) {
      target = socketPath
    },
    cut,
    stall() {
      for (const [near, far] of pairs) {
        near.unpipe(far)
        far.unpipe(near)
        near.pause()
        far.pause()
      }
    },
  }
}
