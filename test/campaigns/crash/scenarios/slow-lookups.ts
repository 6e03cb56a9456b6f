/**
 * The carrier cancels, its answer is lost, it says "nothing to cancel" to the second request, and its lookups report
 * the parcel as announced for longer than a minute. Uses the service's own times, because the carrier's lag is its own.
 */
import { cancelNow, lookNow, lookUpAs, NOTHING_TO_CANCEL, type Script } from '../../outages/carrier.ts'
import { askAll, examine } from './oracle.ts'
import { truthOf } from './partial-refusal.ts'
import type { CrashScenario } from './scenario.ts'

const LAG_MS = 75_000
const LIMIT_MS = 100_000

function laggingParcel(): Script {
  let cancelledAt = Number.POSITIVE_INFINITY
  return {
    cancel(parcel) {
      if (parcel.state === 'cancelled') return NOTHING_TO_CANCEL
      cancelledAt = performance.now()
      cancelNow(parcel)
      return 'cut'
    },
    look: (parcel) =>
      performance.now() < cancelledAt + LAG_MS ? lookUpAs(parcel.number, 'announced') : lookNow(parcel),
  }
}

export const slowLookups: CrashScenario = {
  about: `lookups report a cancelled parcel as announced for ${LAG_MS / 1_000} s, for one parcel and for several`,
  shipments: 6,
  async run(stage, shipments) {
    const replicas = await Promise.all([1, 2].map(() => stage.replica('real')))
    const ids: string[] = []
    for (let index = 0; index < shipments; index += 1) {
      const parcels = index % 2 === 0 ? 1 : stage.dice.int(2, 4)
      ids.push(await stage.bookedParcels(Array.from({ length: parcels }, laggingParcel)))
    }
    await askAll(stage, replicas, ids, LIMIT_MS)
    return examine(stage, ids, truthOf(stage), { mayStayOpen: true })
  },
}
