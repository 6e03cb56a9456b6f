/** The sandbox carrier, whose every answer takes a small random time: so that callers meet in the middle of calls. */
import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'

/** Around `carrier`; each answer comes up to `slowestMs` later. */
export function slowed(carrier: SandboxCarrier, slowestMs: number, seed: number): SandboxCarrier {
  const dice = diceOf(seed)
  return {
    ...carrier,
    async answer(request, signal) {
      await pause(dice.int(0, slowestMs))
      return carrier.answer(request, signal)
    },
  }
}
