/**
 * Stops a replica at a call of a port until the test lets it continue, so that a fault begins between two
 * steps of the protocol.
 */
import { writeSync } from 'node:fs'
import type { Ports } from '../../../../src/operations/ports/ports.ts'
import { wrapCalls } from '../kill-points.ts'

export type Gates = {
  /**
   * The next `count` crossings of any of the points wait. Points are such as "before carriers.cancel", or
   * "before shipments.beginBooking of <shipment id>".
   */
  close(points: readonly string[], count: number): void
  /** Lets the waiting calls continue. */
  open(): void
  wrap(ports: Ports): Ports
}

/**
 * Writes `held <point>` for each call that waits. A call of a begin statement that may not open anything has
 * the name of its method with `(probe)`.
 */
export function openGates(): Gates {
  let closed: readonly string[] = []
  let left = 0
  const waiting: (() => void)[] = []
  const pass = async (point: string, shipmentId: unknown): Promise<void> => {
    if (left === 0 || !(closed.includes(point) || closed.includes(`${point} of ${shipmentId}`))) return
    left -= 1
    const opened = new Promise<void>((resolve) => waiting.push(resolve))
    writeSync(1, `held ${point}\n`)
    await opened
  }
  return {
    close(points, count) {
      closed = points
      left = count
    },
    open() {
      for (const resolve of waiting.splice(0)) resolve()
    },
    wrap: (ports) =>
      wrapCalls(ports, async (method, call, args) => {
        const name = args.some(isProbe) ? `${method} (probe)` : method
        const [, shipmentId] = args
        await pass(`before ${name}`, shipmentId)
        const result = await call()
        await pass(`after ${name}`, shipmentId)
        return result
      }),
  }
}

function isProbe(argument: unknown): boolean {
  return (argument as { readonly mayOpen?: unknown } | undefined)?.mayOpen === false
}
