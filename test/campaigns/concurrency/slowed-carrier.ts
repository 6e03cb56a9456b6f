/** The sandbox carrier with a random delay, so that requests overlap with running calls. */
import { setTimeout as pause } from 'node:timers/promises'
import type { SandboxCarrier } from '../../../src/carriers/sandbox/carrier.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'

/** Delays each answer of `carrier` by up to `slowestMs`. */
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
