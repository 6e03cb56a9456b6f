/**
 * A TCP port on loopback in front of a database server's unix socket, as a virtual address in front of a pair of
 * servers: it can be pointed at another one, cut, and held up without being cut.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Undo } from './undo.ts'

/** A port that leads somewhere. */
export type Forwarder = {
  readonly port: number
  /** New connections go to this socket from now on; undefined refuses them. Those there are stay. */
  pointTo(socketPath: string | undefined): void
  /** Ends all connections at once, as a power cut does. */
  cut(): void
  /** Nothing gets through any more, in either direction, until it is cut. */
  holdUp(): void
}

/** Opens a forwarder that leads nowhere yet. */
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
    holdUp() {
      for (const [near, far] of pairs) {
        near.unpipe(far)
        far.unpipe(near)
        near.pause()
        far.pause()
      }
    },
  }
}
