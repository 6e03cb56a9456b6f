/**
 * Requests that cannot leave: the carrier gives no token, or its port is closed. Afterwards the carrier gets each
 * cancellation for the first time, so its answer is the whole truth: a parcel that it does not know is refused.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from '../../outages/stage.ts'
import type { TokenFault } from './front.ts'
import { type LiveCarrier, type LiveName, openLiveCarriers } from './live-carriers.ts'
import { askAll, examine, type ParcelThere } from './oracle.ts'
import type { CrashScenario, Finding } from './scenario.ts'

/** Times that let a hanging token request end before the caller's patience does. */
const SETTLE_MS = { short: 45_000, afterRejection: 150_000 }

type Drawn = { readonly shipmentId: string; readonly number: string; readonly carrier: LiveCarrier }

/**
 * Half of the parcels are unknown to their carrier (or too late), a quarter can be cancelled, a quarter is picked up.
 */
async function draw(stage: Stage, carriers: readonly LiveCarrier[], shipments: number): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  for (let index = 0; index < shipments; index += 1) {
    const carrier = carriers[index % carriers.length]
    if (carrier === undefined) break
    const number = carrier.numberOf(stage.dice.int(0, 99) * 10_000 + index)
    const fate = stage.dice.int(0, 3)
    if (fate >= 2) carrier.parcels.add(number, fate === 2 ? 'ok' : 'scanned')
    else if (!carrier.refusesUnknown) carrier.parcels.add(number, 'window-closed')
    drawn.push({ shipmentId: await stage.bookedWith(carrier.code, [number]), number, carrier })
  }
  return drawn
}

/** As the carriers have them. */
export function truthOf(carriers: readonly LiveCarrier[]): (number: string) => ParcelThere {
  return (number) => {
    const cancels = carriers.reduce((sum, { front }) => sum + front.cancelsOf(number), 0)
    const parcel = carriers.map(({ parcels }) => parcels.find(number)).find((one) => one !== undefined)
    return { number, state: parcel?.state ?? 'unknown', cancels }
  }
}

type Outage = {
  readonly names: readonly LiveName[]
  begin(carrier: LiveCarrier): Promise<void> | void
  end(carrier: LiveCarrier): Promise<void> | void
  hasHappened(carrier: LiveCarrier): boolean
  readonly settleMs: number
}

async function endure(stage: Stage, shipments: number, outage: Outage): Promise<Finding[]> {
  const { carriers, settings } = await openLiveCarriers(stage, outage.names)
  const drawn = await draw(stage, carriers, shipments)
  const replicas = await Promise.all([1, 2].map(() => stage.replica({}, settings)))
  for (const carrier of carriers) await outage.begin(carrier)
  const ids = drawn.map(({ shipmentId }) => shipmentId)
  const outageMs = stage.dice.int(4_000, 8_000)
  const answered = askAll(stage, replicas, ids, outageMs + outage.settleMs)
  await pause(outageMs)
  const reached = carriers.filter(outage.hasHappened)
  for (const carrier of carriers) await outage.end(carrier)
  await answered
  const missed = carriers.filter((carrier) => !reached.includes(carrier))
  return [
    ...missed.map(({ code }): Finding => ({ kind: 'NOT_REACHED', what: code })),
    ...(await examine(stage, ids, truthOf(carriers))),
  ]
}

const WITH_TOKENS = ['ups', 'gls-shipit', 'fedex'] as const

export function tokenOutage(fault: TokenFault): CrashScenario {
  return {
    about: `the token endpoints of UPS, GLS and FedEx ${fault === 'hanging' ? 'do not reply' : `reply with ${fault}`}`,
    shipments: 36,
    run: (stage, shipments) =>
      endure(stage, shipments, {
        names: WITH_TOKENS,
        begin: ({ front }) => front.failTokens(fault),
        end: ({ front }) => front.failTokens(undefined),
        hasHappened: ({ front }) => front.failedTokens() > 0,
        // After a rejection of the credentials no token is requested for a minute.
        settleMs: fault === 401 ? SETTLE_MS.afterRejection : SETTLE_MS.short,
      }),
  }
}

export const refusedPort: CrashScenario = {
  about: 'the ports of UPS, GLS, FedEx and DHL Parcel DE are closed and opened again',
  shipments: 48,
  run: (stage, shipments) =>
    endure(stage, shipments, {
      names: [...WITH_TOKENS, 'dhl-parcel-de'],
      begin: ({ front }) => front.closePort(),
      end: ({ front }) => front.openPort(),
      hasHappened: () => stage.asked.some(({ answer }) => answer.kind !== 'cancelled'),
      settleMs: SETTLE_MS.short,
    }),
}
