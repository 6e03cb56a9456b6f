/** How reliable confidences are, in percent, with standard errors. */
import { type Dice, diceOf } from '../../support/random/seeded-dice.ts'

/** `confidence` is 0 if there is no answer. */
export type Answer = { readonly confidence: number; readonly isRight: boolean }

const GROUPS = 10
const CONFIDENT_SHARE = 0.3
/** A wrong answer with a higher confidence misleads. */
const HIGH_CONFIDENCE = 0.6
const RESAMPLES = 400

/**
 * `gap`: the mean distance between confidence and share of right answers, in ten groups of equal size. `high and
 * wrong`: the share of the wrong answers that have a high confidence. `confident`: the share of right answers among the
 * most confident 30%.
 */
export function figuresOf(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const sorted = answers.toSorted((a, b) => b.confidence - a.confidence)
  const groups = Array.from({ length: GROUPS }, (_, group) =>
    sorted.slice(
      Math.floor((group * sorted.length) / GROUPS),
      Math.floor(((group + 1) * sorted.length) / GROUPS),
    ),
  )
  const gap = groups.reduce((sum, group) => sum + Math.abs(total(group) - rightIn(group)), 0)
  const wrong = answers.filter(({ isRight }) => !isRight)
  const confident = sorted.slice(0, Math.ceil(CONFIDENT_SHARE * sorted.length))
  return {
    confidence: (100 * total(answers)) / answers.length,
    right: (100 * rightIn(answers)) / answers.length,
    gap: (100 * gap) / answers.length,
    'high and wrong':
      (100 * wrong.filter(({ confidence }) => confidence > HIGH_CONFIDENCE).length) /
      Math.max(1, wrong.length),
    confident: (100 * rightIn(confident)) / confident.length,
  }
}

function total(answers: readonly Answer[]): number {
  return answers.reduce((sum, { confidence }) => sum + confidence, 0)
}

function rightIn(answers: readonly Answer[]): number {
  return answers.filter(({ isRight }) => isRight).length
}

/** The figures as a text, with the standard errors of resampled answers. */
export function withErrors(
  answers: readonly Answer[],
  figures: (answers: readonly Answer[]) => Readonly<Record<string, number>>,
): string {
  const dice = diceOf(1)
  const samples = Array.from({ length: RESAMPLES }, () => figures(resampled(answers, dice)))
  return Object.entries(figures(answers))
    .map(([name, value]) => {
      const others = samples.map((sample) => sample[name]!)
      const mean = others.reduce((sum, one) => sum + one, 0) / RESAMPLES
      const error = Math.sqrt(others.reduce((sum, one) => sum + (one - mean) ** 2, 0) / RESAMPLES)
      return `${name} ${value.toFixed(1)} ± ${error.toFixed(1)}`
    })
    .join(', ')
}

function resampled(answers: readonly Answer[], dice: Dice): readonly Answer[] {
  return answers.map(() => dice.pick(answers))
}
