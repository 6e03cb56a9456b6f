/** What a scenario of the crash campaign is, and what it can find. */
import type { Stage } from '../../outages/stage.ts'

/** What can be wrong, by name. */
export const FINDINGS = {
  FALSE_CANCELLED: '200, or cancelled here, while a parcel lives at the carrier',
  FALSE_REFUSED: '409, while a parcel is cancelled at the carrier and none was scanned',
  FALSE_UNAVAILABLE: 'only 503, but something was sent or changed',
  LOST: 'confirmed or pending, then gone',
  PARCEL_DIFFERS: 'a parcel is cancelled at the carrier and not here, or the other way round',
  NO_PARTIAL_ALERT: 'partly cancelled without the alert',
  NOT_OPEN: 'partly cancelled without an open attempt',
  NOT_SETTLED: 'no final answer in time',
  ODD_ANSWER: 'an answer that is not in the contract',
  NOT_REACHED: 'the fault of the scenario did not happen',
} as const

export type FindingKind = keyof typeof FINDINGS

export type Finding = { readonly kind: FindingKind; readonly what: string }

export type CrashScenario = {
  readonly about: string
  /** How many shipments one run has, if the command line names no number. */
  readonly shipments: number
  run(stage: Stage, shipments: number): Promise<readonly Finding[]>
}
