/**
 * DHL Parcel DE closes the day while its replies fail. After that, its interface does not know an order any more,
 * whether it was deleted before or handed over; only the manifest of the day lists the orders that were handed over.
 */
import { deleted, problem, unknownItem } from '../../../carriers/fakes/dhl-parcel-de.ts'
import type { FakeReply } from '../../../carriers/fakes/fake-carrier.ts'
import type { FrontRequest } from './front.ts'
import { type LiveCarrier, openLiveCarriers } from './live-carriers.ts'
import { askAll, examine } from './oracle.ts'
import { truthOf } from './refused-requests.ts'
import type { CrashScenario, Finding } from './scenario.ts'

const ORDERS = '/parcel/de/shipping/v2/orders'
const MANIFESTS = '/parcel/de/shipping/v2/manifests'
const NONE_DELETED = '0 of 1 shipment successfully canceled.'

/** A day in Germany, `YYYY-MM-DD`. */
function germanDay(at: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin' }).format(at)
}

/** Hands over the orders that are not deleted. Tracking still says pre-transit. */
function closeDay({ front, parcels }: LiveCarrier, numbers: readonly string[]): void {
  const closedOn = germanDay(new Date())
  const handedOver = numbers.filter((number) => parcels.find(number)?.state === 'announced')
  front.answerInstead(({ method, url }: FrontRequest): FakeReply | undefined => {
    if (url.pathname === MANIFESTS) return manifest(url.searchParams.get('date'), closedOn, handedOver)
    if (url.pathname !== ORDERS) return undefined
    const asked = url.searchParams.getAll('shipment')
    const items = asked.map((number) => unknownItem(number))
    if (method === 'DELETE') return deleted(400, items, NONE_DELETED)
    return deleted(asked.length > 1 ? 207 : 400, items)
  })
}

function manifest(date: string | null, closedOn: string, handedOver: readonly string[]): FakeReply {
  if (date !== closedOn) return problem(404, 'Not Found')
  const items = handedOver.map((shipmentNo) => ({ shipmentNo, sheetNo: '01' }))
  const status = { title: 'OK', statusCode: 200, status: 200, detail: 'The call ran.' }
  return { status: 200, body: { status, manifestDate: date, items } }
}

export const dayClose: CrashScenario = {
  about:
    'DHL Parcel DE closes the day: orders whose deletion was lost, deleted ones whose reply was lost, and untouched ones',
  shipments: 24,
  async run(stage, shipments) {
    const { carriers, settings } = await openLiveCarriers(stage, ['dhl-parcel-de'])
    const [carrier] = carriers
    if (carrier === undefined) throw new Error('there is no carrier')
    const { front, parcels } = carrier
    const [lost, executed, late]: [string[], string[], string[]] = [[], [], []]
    const numbers: string[] = []
    for (let index = 0; index < shipments; index += 1) {
      const several = stage.dice.chance(0.25) ? stage.dice.int(2, 3) : 1
      const own = Array.from({ length: several }, (_unused, part) => carrier.numberOf(index * 10 + part))
      for (const number of own) parcels.add(number)
      numbers.push(...own)
      const group = [lost, executed, late][index % 3]
      group?.push(await stage.bookedWith(carrier.code, own))
    }
    const replicas = await Promise.all([1, 2].map(() => stage.replica({}, settings)))
    front.cutCancels('after')
    await askAll(stage, replicas, executed, 0)
    front.cutCancels('before')
    await askAll(stage, replicas, lost, 6_000)
    const notReached = faultsOf(carrier, numbers)
    closeDay(carrier, numbers)
    front.cutCancels('never')
    await askAll(stage, replicas, [...lost, ...executed, ...late], 30_000)
    const truth = truthOf(carriers)
    return [
      ...notReached,
      ...(await examine(stage, [...lost, ...executed], truth, { mayStayOpen: true })),
      // Their first deletion comes after the close and is answered.
      ...(await examine(stage, late, truth)),
    ]
  },
}

function faultsOf({ front, parcels }: LiveCarrier, numbers: readonly string[]): Finding[] {
  const sent = numbers.filter((number) => front.cancelsOf(number) > 0)
  const deletedOnes = sent.filter((number) => parcels.find(number)?.state === 'cancelled')
  const what = `${deletedOnes.length} of ${sent.length} orders were deleted before the close`
  return deletedOnes.length === 0 || deletedOnes.length === sent.length ? [{ kind: 'NOT_REACHED', what }] : []
}
