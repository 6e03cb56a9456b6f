/**
 * The carrier process: `carrier.ts <seed>`. Prints its address, speaks the sandbox protocol without faults,
 * and returns the number of cancel calls per parcel at `/calls`. Ends with its parent process.
 */
import { sandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import { startSandboxServer } from '../../../src/carriers/sandbox/server.ts'
import { endWithParent } from './child.ts'
import { slowed } from './slowed-carrier.ts'

const SLOWEST_MS = 20

endWithParent()
const slowCarrier = slowed(sandboxCarrier(), SLOWEST_MS, Number(process.argv[2] ?? 1))
const calls = new Map<string, number>()
const { address } = await startSandboxServer({
  carrier: {
    ...slowCarrier,
    answer(request, signal) {
      if (request.path === '/calls') return Promise.resolve({ status: 200, body: Object.fromEntries(calls) })
      const [, trackingNumber] = /^\/parcels\/([^/]+)\/cancel$/.exec(request.path) ?? []
      if (trackingNumber !== undefined) calls.set(trackingNumber, (calls.get(trackingNumber) ?? 0) + 1)
      return slowCarrier.answer(request, signal)
    },
  },
})
console.log(`listening at ${address}`)
