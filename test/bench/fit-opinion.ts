/**
 * Fits how the text model raises or lowers the confidence: `npx tsx test/bench/fit-opinion.ts rows.csv text-model.bin
 * [others.csv]` (columns description, hs6, source) prints the values for `confidence.opinion` in classifier-weights.ts.
 * Give a text model that was trained without these rows. Logistic regression with Newton steps and a small L2 penalty.
 *
 * It also compares terms alone with both, in percent with standard errors (resampled rows): the rows by curves that
 * were fitted on the other four fifths, and the rows of the other file by the fitted curves.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parse } from 'csv-parse/sync'
import { evidenceOf } from '../../src/core/classification/classify.ts'
import { compileLexicon } from '../../src/core/classification/compile-lexicon.ts'
import {
  confidenceOf,
  type Evidence,
  type OpinionCurve,
  textKindOf,
  withOpinion,
} from '../../src/core/classification/models/confidence.ts'
import { readLexicon } from '../../src/reference/lexicon-reader/lexicon.ts'
import { readTextModel } from '../../src/reference/text-model/read-text-model.ts'
import { type Dice, diceOf } from '../support/random/seeded-dice.ts'
import { solve } from './solve.ts'

type Labelled = { readonly description: string; readonly hs6: string; readonly source: string }
type Curve = { bias: number; features: number[] }
type Curves = Record<OpinionCurve, Curve>
type Answer = { readonly said: number; readonly isRight: boolean }
type Row = Labelled & {
  readonly fold: number
  readonly evidence: Evidence | undefined
  /** The answer of the terms alone. */
  readonly byTerms: Answer
}

const PENALTY = 0.5
const STEPS = 30
const FOLDS = 5
const BINS = 10
const CONFIDENT_SHARE = 0.3
const HIGH_CONFIDENCE = 0.6
const RESAMPLES = 400
const CURVES: readonly OpinionCurve[] = ['title', 'parcel', 'chosen']

const [file, modelFile, othersFile] = process.argv.slice(2)
if (file === undefined || modelFile === undefined) {
  console.error('usage: npx tsx test/bench/fit-opinion.ts rows.csv text-model.bin [others.csv]')
  process.exit(2)
}
const source = readLexicon()
const terms = compileLexicon(source)
const lexicon = compileLexicon(source, undefined, readTextModel(pathToFileURL(modelFile)))

const rows = rowsIn(file)
const fitted = fit(rows)
for (const [name, { bias, features }] of Object.entries(fitted))
  console.log(`${name}: { bias: ${bias}, features: [${features.join(', ')}] },`)
const folds = Array.from({ length: FOLDS }, (_, fold) => fit(rows.filter((row) => row.fold !== fold)))
compare('cross-validated', rows, ({ fold }) => folds[fold]!)
if (othersFile !== undefined) compare(othersFile, rowsIn(othersFile), () => fitted)

function rowsIn(path: string): readonly Row[] {
  const list: Labelled[] = parse(readFileSync(path), { columns: true, bom: true, skip_empty_lines: true })
  return list.map((row) => ({
    ...row,
    fold: createHash('sha256').update(`fold ${row.description}`).digest()[0]! % FOLDS,
    evidence: evidenceOf(lexicon, row.description),
    byTerms: answerOf(row, evidenceOf(terms, row.description), terms.weights.confidence.opinion),
  }))
}

function answerOf({ hs6 }: Labelled, evidence: Evidence | undefined, opinion: Curves): Answer {
  if (evidence === undefined) return { said: 0, isRight: false }
  const confidence = { ...lexicon.weights.confidence, opinion }
  return { said: confidenceOf({ confidence }, evidence)[0]!, isRight: evidence.codes[0] === hs6 }
}

function fit(list: readonly Row[]): Curves {
  const examples = list.flatMap(({ evidence, hs6 }) => {
    if (evidence?.opinion === undefined) return []
    const { curve, features, offset } = withOpinion(lexicon.weights, evidence, evidence.opinion)
    return [{ curve, x: [1, ...features], offset, isRight: evidence.codes[0] === hs6 }]
  })
  const curves = CURVES.map((name) => [name, regress(examples.filter(({ curve }) => curve === name))])
  return Object.fromEntries(curves) as Curves
}

type Example = { readonly x: readonly number[]; readonly offset: number; readonly isRight: boolean }

/** The weights with the highest likelihood of the examples, minus the penalty, with two digits. */
function regress(list: readonly Example[]): Curve {
  const size = list[0]!.x.length
  let weights: number[] = Array.from({ length: size }, () => 0)
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -PENALTY * weight))
    const bend: number[][] = weights.map((_, row) =>
      weights.map((__, at) => (row === at && row > 0 ? PENALTY : 0)),
    )
    for (const { x, offset, isRight } of list) {
      const sum = x.reduce((total, value, at) => total + value * weights[at]!, offset)
      const p = 1 / (1 + Math.exp(-sum))
      for (let row = 0; row < size; row++) {
        slope[row]! += ((isRight ? 1 : 0) - p) * x[row]!
        for (let at = 0; at < size; at++) bend[row]![at]! += p * (1 - p) * x[row]! * x[at]!
      }
    }
    const change = solve(bend, slope)
    weights = weights.map((weight, at) => weight + change[at]!)
  }
  const [bias, ...features] = weights.map((weight) => Math.round(100 * weight) / 100)
  return { bias: bias!, features }
}

function compare(title: string, list: readonly Row[], curvesFor: (row: Row) => Curves): void {
  console.log(title)
  const kinds = { all: list, title: ofKind(list, 'title'), parcel: ofKind(list, 'parcel') }
  for (const [kind, chosen] of Object.entries(kinds)) {
    if (chosen.length === 0) continue
    printFigures(
      `${kind}, terms`,
      chosen.map(({ byTerms }) => byTerms),
    )
    printFigures(
      `${kind}, both`,
      chosen.map((row) => answerOf(row, row.evidence, curvesFor(row))),
    )
  }
}

function ofKind(list: readonly Row[], kind: string): readonly Row[] {
  return list.filter(({ evidence }) => evidence !== undefined && textKindOf(evidence) === kind)
}

function printFigures(name: string, answers: readonly Answer[]): void {
  const dice = diceOf(1)
  const samples = Array.from({ length: RESAMPLES }, () => figuresOf(resample(answers, dice)))
  const figures = Object.entries(figuresOf(answers)).map(([figure, value]) => {
    const others = samples.map((sample) => sample[figure]!)
    const mean = others.reduce((sum, one) => sum + one, 0) / RESAMPLES
    const error = Math.sqrt(others.reduce((sum, one) => sum + (one - mean) ** 2, 0) / RESAMPLES)
    return `${figure} ${value.toFixed(1)} ± ${error.toFixed(1)}`
  })
  console.log(`  ${`${name} (${answers.length})`.padEnd(24)} ${figures.join(', ')}`)
}

function resample(answers: readonly Answer[], dice: Dice): readonly Answer[] {
  return answers.map(() => dice.pick(answers))
}

/** In percent. `gap` is the mean distance between confidence and share of right answers, in ten groups. */
function figuresOf(answers: readonly Answer[]): Record<string, number> {
  const sorted = answers.toSorted((a, b) => b.said - a.said)
  const right = (list: readonly Answer[]): number => list.filter(({ isRight }) => isRight).length
  const said = (list: readonly Answer[]): number => list.reduce((sum, answer) => sum + answer.said, 0)
  const bins = Array.from({ length: BINS }, (_, bin) =>
    sorted.slice(Math.floor((bin * sorted.length) / BINS), Math.floor(((bin + 1) * sorted.length) / BINS)),
  )
  const gap = bins.reduce((sum, bin) => sum + Math.abs(said(bin) - right(bin)), 0)
  const wrong = answers.filter(({ isRight }) => !isRight)
  const confident = sorted.slice(0, Math.ceil(CONFIDENT_SHARE * sorted.length))
  return {
    said: (100 * said(answers)) / answers.length,
    right: (100 * right(answers)) / answers.length,
    gap: (100 * gap) / answers.length,
    'wrong above 0.6':
      (100 * wrong.filter((answer) => answer.said > HIGH_CONFIDENCE).length) / Math.max(1, wrong.length),
    'confident right': (100 * right(confident)) / confident.length,
  }
}
