/**
 * Fits the confidence of the classifier: `npm run fit:confidence` prints the values for `confidence` in
 * classifier-weights.ts from the rows of rows.csv, and for each source the figures of rows whose confidence comes from
 * the other four fifths. Logistic regression with Newton steps and a small L2 penalty. The function for titles is
 * fitted on texts that are written as titles, the other one on the texts of all sources but the training titles.
 *
 * `npm run fit:confidence -- labelled.csv [text-model.bin]` prints such rows for labelled descriptions (columns
 * description, hs6, source and optionally weight). Give a text model that was trained without them.
 * docs/benchmarks.md#confidence says which rows these are.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parse } from 'csv-parse/sync'
import { evidenceOf } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import { FEATURES, featuresOf } from '../../../src/core/classification/models/confidence.ts'
import { readLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { readTextModel } from '../../../src/reference/text-model/read-text-model.ts'
import { solve } from '../solve.ts'
import { figuresOf, withErrors } from './figures.ts'

/** A labelled description as the confidence sees it. */
export type Row = {
  readonly source: string
  readonly isTitle: boolean
  readonly weight: number
  readonly fold: number
  readonly isRight: boolean
  readonly features: readonly number[]
}
export type Curve = { readonly bias: number; readonly features: readonly number[] }
export type Curves = { readonly titles: Curve; readonly others: Curve }

const PENALTY = 0.5
const STEPS = 30
const FOLDS = 5
/** The weight of a wrong answer. Above 1, because a wrong confidence misleads more than a low one. */
const CAUTION = { titles: 1.35, others: 1.8 }

export function readRows(): readonly Row[] {
  const rows: Record<string, string>[] = parse(readFileSync(new URL('rows.csv', import.meta.url)), {
    columns: true,
  })
  return rows.map((row) => ({
    source: row['source']!,
    isTitle: row['title'] === '1',
    weight: Number(row['weight']),
    fold: Number(row['fold']),
    isRight: row['right'] === '1',
    features: FEATURES.map((name) => Number(row[name])),
  }))
}

/**
 * The functions for titles and for others. A text that is not written as a title may still be one, so the other
 * function has their rows, too. Training titles, of which there are many, are left to the first.
 */
export function fit(rows: readonly Row[]): Curves {
  return {
    titles: fitCurve(
      rows.filter(({ isTitle }) => isTitle),
      CAUTION.titles,
    ),
    others: fitCurve(
      rows.filter(({ source }) => !source.startsWith(TRAINING_TITLES)).map(withoutRival),
      CAUTION.others,
    ),
  }
}

const TRAINING_TITLES = 'training titles'

/** The rival says nothing about texts that are not titles. A feature that is always 0 gets the weight 0. */
function withoutRival(row: Row): Row {
  return { ...row, features: row.features.with(FEATURES.indexOf('rival'), 0) }
}

/** The weights with the highest likelihood of the rows, minus the penalty, with two digits. */
function fitCurve(rows: readonly Row[], caution: number): Curve {
  const size = 1 + FEATURES.length
  let weights: number[] = Array.from({ length: size }, () => 0)
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -PENALTY * weight))
    const bend: number[][] = weights.map((_, row) =>
      weights.map((__, at) => (row === at && row > 0 ? PENALTY : 0)),
    )
    for (const { features, isRight, weight } of rows) {
      const x = [1, ...features]
      const p = logistic(x.reduce((sum, value, at) => sum + value * weights[at]!, 0))
      const counted = weight * (isRight ? 1 : caution)
      for (let row = 0; row < size; row++) {
        slope[row]! += counted * ((isRight ? 1 : 0) - p) * x[row]!
        for (let at = 0; at < size; at++) bend[row]![at]! += counted * p * (1 - p) * x[row]! * x[at]!
      }
    }
    const change = solve(bend, slope)
    weights = weights.map((weight, at) => weight + change[at]!)
  }
  const [bias, ...features] = weights.map((weight) => Math.round(100 * weight) / 100)
  return { bias: bias!, features }
}

/** The confidence of each row, by curves that were fitted on the rows of other folds. */
export function crossValidated(rows: readonly Row[]): readonly number[] {
  const curves = Array.from({ length: FOLDS }, (_, fold) => fit(rows.filter((row) => row.fold !== fold)))
  return rows.map(({ fold, isTitle, features }) => {
    const { bias, features: weights } = curves[fold]![isTitle ? 'titles' : 'others']
    return logistic(features.reduce((sum, value, at) => sum + value * weights[at]!, bias))
  })
}

function logistic(sum: number): number {
  return 1 / (1 + Math.exp(-sum))
}

function printRows(file: string, modelFile: string | undefined): void {
  const model = readTextModel(modelFile === undefined ? undefined : pathToFileURL(modelFile))
  const lexicon = compileLexicon(readLexicon(), undefined, model)
  const list: Record<string, string>[] = parse(readFileSync(file), {
    ...{ columns: true, bom: true, skip_empty_lines: true },
  })
  for (const { description = '', hs6, source, weight = '1' } of list) {
    const evidence = evidenceOf(lexicon, description)
    if (evidence === undefined) continue
    const fold = createHash('sha256').update(`fold ${description}`).digest()[0]! % FOLDS
    const features = featuresOf(evidence, lexicon.weights.confidence.sharpness)
    console.log(
      [
        ...[source, weight, fold, evidence.isTitle ? 1 : 0, evidence.codes[0] === hs6 ? 1 : 0],
        ...features.map((feature) => Number(feature.toFixed(3))),
      ].join(','),
    )
  }
}

function printFit(): void {
  const rows = readRows()
  console.log(`features: ${FEATURES.join(', ')}`)
  for (const [name, { bias, features }] of Object.entries(fit(rows)))
    console.log(`${name}: { bias: ${bias}, features: [${features.join(', ')}] },`)
  const confidences = crossValidated(rows)
  for (const source of ['all', ...new Set(rows.map((row) => row.source))]) {
    const answers = rows.flatMap(({ source: from, isRight }, nth) =>
      source === 'all' || source === from ? [{ confidence: confidences[nth]!, isRight }] : [],
    )
    console.log(`${source} (${answers.length}): ${withErrors(answers, figuresOf)}`)
  }
}

if (process.argv[1] === import.meta.filename) {
  const [file, modelFile] = process.argv.slice(2)
  if (file === undefined) printFit()
  else printRows(file, modelFile)
}
