/**
 * Fits the confidence of the classifier on labelled descriptions: `npm run fit:confidence -- titles.csv parcels.csv`
 * prints the values for `confidence` in classifier-weights.ts: the curve for titles from the rows of the first file
 * that read like titles, the curve for short parcel texts from the other rows of the second. For each source it prints
 * how far curves are off on rows that they were not fitted on. Logistic regression with Newton steps and a small L2
 * penalty.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { evidenceOf } from '../../src/core/classification/classify.ts'
import { compileLexicon } from '../../src/core/classification/compile-lexicon.ts'
import { featuresOf, type TextKind, textKindOf } from '../../src/core/classification/models/confidence.ts'
import { readLexicon } from '../../src/reference/lexicon-reader/lexicon.ts'
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
const SIGNS = [0, 1, 1, 1, 1, 1, 1, -1, 0, -1]
const LEAST = 0.05

const [titles, parcels] = process.argv.slice(2)
if (titles === undefined || parcels === undefined) {
  console.error(
    'usage: npm run fit:confidence -- titles.csv parcels.csv   (columns description, hs6, source)',
  )
  process.exit(2)
}
const lexicon = compileLexicon(readLexicon())
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

/** For each source: the mean confidence by curves fitted on the other folds, and the share of right answers. */
function printGaps(list: readonly Example[]): void {
  const curves = Array.from({ length: FOLDS }, (_, fold) =>
    regress(list.filter((__, nth) => nth % FOLDS !== fold)),
  )
  const said = list.map(({ features }, nth) => logistic(features, curves[nth % FOLDS]!))
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
