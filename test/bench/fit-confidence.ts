/**
 * Fits the confidence of the classifier on labelled descriptions: `npm run fit:confidence -- titles.csv parcels.csv
 * [text-model.bin]` prints the values for `confidence` in classifier-weights.ts: the curve for titles from the rows of
 * the first file that read like titles, the curve for short parcel texts from the other rows of the second. Give a text
 * model that was trained without these rows. It also prints how curves do on rows that they were not fitted on
 * (five-fold): per source the mean confidence and the share of right answers, and for all rows the share of right
 * answers among the most confident 30%, and of wrong ones with a confidence above 0.6. Logistic regression with Newton
 * steps and a small L2 penalty.
 */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parse } from 'csv-parse/sync'
import { evidenceOf, featuresOf, type TextKind, textKindOf } from '../../src/core/classification/classify.ts'
import { compileLexicon } from '../../src/core/classification/compile-lexicon.ts'
import { readLexicon } from '../../src/reference/lexicon-reader/lexicon.ts'
import { readTextModel } from '../../src/reference/text-model/read-text-model.ts'
import { solve } from './solve.ts'

type Labelled = { readonly description: string; readonly hs6: string; readonly source: string }
type Example = {
  readonly source: string
  readonly features: readonly number[]
  readonly isRight: boolean
}

const PENALTY = 0.5
const STEPS = 30
const FOLDS = 5
/** 1 for features that only raise the confidence, -1 for those that only lower it. The first one is the constant 1. */
const SIGNS = [0, 1, 1, 1, 1, 1, 1, -1, 0, -1, 1, 1, 1]
const LEAST = 0.05
const CONFIDENT_SHARE = 0.3
const HIGH_CONFIDENCE = 0.6

const [titles, parcels, modelFile] = process.argv.slice(2)
if (titles === undefined || parcels === undefined) {
  console.error(
    'usage: npm run fit:confidence -- titles.csv parcels.csv [text-model.bin]   (columns description, hs6, source)',
  )
  process.exit(2)
}
const textModel = readTextModel(modelFile === undefined ? undefined : pathToFileURL(modelFile))
const lexicon = compileLexicon(readLexicon(), undefined, textModel)
for (const [kind, file] of [['title', titles] as const, ['parcel', parcels] as const]) {
  const examples = examplesIn(file, kind)
  const [bias, ...features] = regress(examples)
  const values = features.map((feature) => feature.toFixed(2)).join(', ')
  console.log(`${kind}: { bias: ${bias!.toFixed(2)}, features: [${values}] },`)
  printGaps(examples)
}

function examplesIn(file: string, kind: TextKind): readonly Example[] {
  const rows: Labelled[] = parse(readFileSync(file), {
    ...{ columns: true, bom: true, trim: true, skip_empty_lines: true },
  })
  return rows.flatMap(({ description, hs6, source }) => {
    const evidence = evidenceOf(lexicon, description)
    if (evidence === undefined || textKindOf(evidence) !== kind) return []
    const isRight = evidence.codes[0] === hs6
    return [{ source, features: [1, ...featuresOf(evidence)], isRight }]
  })
}

/** What curves that were fitted on the other folds say, and the share of right answers. */
function printGaps(list: readonly Example[]): void {
  const curves = Array.from({ length: FOLDS }, (_, fold) =>
    regress(list.filter((__, nth) => nth % FOLDS !== fold)),
  )
  const said = list.map(({ features }, nth) => logistic(features, curves[nth % FOLDS]!))
  const sorted = [...list.keys()].sort((a, b) => said[b]! - said[a]!)
  const confident = sorted.slice(0, Math.ceil(CONFIDENT_SHARE * sorted.length))
  const wrong = sorted.filter((nth) => !list[nth]!.isRight)
  const percent = (rows: readonly number[], isSo: (nth: number) => boolean): string =>
    ((100 * rows.filter(isSo).length) / rows.length).toFixed(1)
  console.log(
    `  most confident 30%: right ${percent(confident, (nth) => list[nth]!.isRight)}; wrong answers above ${HIGH_CONFIDENCE}: ${percent(wrong, (nth) => said[nth]! > HIGH_CONFIDENCE)}`,
  )
  for (const source of new Set(list.map((example) => example.source))) {
    const ofSource = [...list.keys()].filter((nth) => list[nth]!.source === source)
    const mean = (of: (nth: number) => number): string =>
      ((100 * ofSource.reduce((sum, nth) => sum + of(nth), 0)) / ofSource.length).toFixed(1)
    console.log(
      `  ${source}: ${ofSource.length} rows, confidence ${mean((nth) => said[nth]!)}, right ${mean((nth) => (list[nth]!.isRight ? 1 : 0))}`,
    )
  }
}

function logistic(features: readonly number[], weights: readonly number[]): number {
  return 1 / (1 + Math.exp(-features.reduce((sum, feature, at) => sum + feature * weights[at]!, 0)))
}

/** The weights with the highest likelihood of the examples, minus the penalty. */
function regress(list: readonly Example[]): number[] {
  const size = list[0]!.features.length
  const bound = new Set<number>()
  let weights: number[] = Array.from({ length: size }, () => 0)
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -PENALTY * weight))
    const bend: number[][] = weights.map((_, row) =>
      weights.map((__, at) => (row === at ? (row === 0 ? 1e-6 : PENALTY) : 0)),
    )
    for (const { features: x, isRight } of list) {
      const p = logistic(x, weights)
      for (let row = 0; row < size; row++) {
        slope[row]! += ((isRight ? 1 : 0) - p) * x[row]!
        for (let at = 0; at < size; at++) bend[row]![at]! += p * (1 - p) * x[row]! * x[at]!
      }
    }
    // A feature at its bound stays there, and the others are fitted without it.
    for (const at of bound) {
      slope[at] = 0
      bend.forEach((row, other) => {
        row[at] = other === at ? 1 : 0
        bend[at]![other] = row[at]
      })
    }
    const step_ = solve(bend, slope)
    weights = weights.map((weight, at) => withSign(weight + step_[at]!, SIGNS[at]!))
    weights.forEach((weight, at) => {
      if (SIGNS[at] !== 0 && Math.abs(weight) === LEAST && step > 0) bound.add(at)
    })
  }
  return weights
}

function withSign(weight: number, sign: number): number {
  return sign === 0 ? weight : sign * Math.max(LEAST, sign * weight)
}
