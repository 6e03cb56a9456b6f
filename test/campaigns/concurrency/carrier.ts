/**
 * The carrier as a process of its own: `carrier.ts <seed>`. It prints its address, plays the sandbox's HTTP script
 * without faults, tells at /calls how often each parcel's cancellation was asked, and ends with whoever started it.
 */
import { sandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import { startSandboxServer } from '../../../src/carriers/sandbox/server.ts'
import { endWithParent } from './child.ts'
import { slowed } from './slowed-carrier.ts'

const SLOWEST_MS = 20

endWithParent()
const played = slowed(sandboxCarrier(), SLOWEST_MS, Number(process.argv[2] ?? 1))
const calls = new Map<string, number>()
const { address } = await startSandboxServer({
  carrier: {
    ...played,
    answer(request, signal) {
      if (request.path === '/calls') return Promise.resolve({ status: 200, body: Object.fromEntries(calls) })
      const [, cancelled] = /^\/parcels\/([^/]+)\/cancel$/.exec(request.path) ?? []
      if (cancelled !== undefined) calls.set(cancelled, (calls.get(cancelled) ?? 0) + 1)
      return played.answer(request, signal)
    },
  },
})
console.log(`listening at ${address}`)
