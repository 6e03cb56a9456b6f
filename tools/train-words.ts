/**
 * Trains the text model: `npm run train:words -- file.tsv ... [--hold-back file.tsv] [--out file]`, with labelled
 * texts in tab-separated columns text, code (4 or 6 digits) and weight, beside those of the lexicon and in the folder
 * titles. A fifth of the texts of each file after --hold-back is left out, for measurements. Writes
 * src/reference/text-model/text-model.bin, or the file after --out. Equal inputs give equal bytes on every machine and
 * version of Node: the order of the texts comes from fixed seeds, and only operations are used whose results IEEE 754
 * defines (so no Math.exp). docs/lexicon.md#text-model has the sources.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { compileLexicon, type Lexicon } from '../src/core/classification/compile-lexicon.ts'
import type { LexiconSource } from '../src/core/classification/lexicon.ts'
import {
  BUCKETS,
  encodeTextModel,
  headingsOf,
  MAX_WEIGHTS,
  type TextFeatures,
  textFeatures,
  WEIGHT_STEP,
  type WeightTable,
} from '../src/core/classification/models/text-model.ts'
import { phrasesOf } from '../src/core/classification/phrase-index.ts'
import { readLexicon } from '../src/reference/lexicon-reader/lexicon.ts'
import { SHIPPED_TEXT_MODEL } from '../src/reference/text-model/read-text-model.ts'

/** `code` has four or six digits. A text with a weight of 0.4 counts as 0.4 texts. */
export type LabelledText = { readonly text: string; readonly code: string; readonly weight: number }

/** The weights are the means of several runs, so that they depend less on the order of the texts. */
const SEEDS = [1, 2]
const ROUNDS = 8
/** The step of the descent at the start. It falls to 0 linearly. */
const FIRST_STEP = 3
/** The share of texts that get words of other texts, and the most of them: titles have words that say nothing. */
const NOISY_SHARE = 0.7
const NOISE_MAX = 4
const NOISE_VALUE = 0.6
/** A possible term, relative to a usual one. */
const POSSIBLE = 0.3
/** Smaller weights are dropped, in steps of WEIGHT_STEP. */
const MIN_STEPS = 6
/** Smaller errors are not corrected, for speed. */
const MIN_ERROR = 1e-5

type Example = {
  readonly features: TextFeatures
  readonly heading: number
  /** Undefined for texts with a code of four digits, or a code that the lexicon does not have. */
  readonly subheading: number | undefined
  readonly weight: number
}

/** The bytes of the model, and the number of texts that it was trained on. Texts of unknown headings are left out. */
export function trainTextModel(
  source: LexiconSource,
  texts: readonly LabelledText[],
): { readonly bytes: Uint8Array; readonly texts: number } {
  const lexicon = compileLexicon(source)
  const { codes } = lexicon
  const { headingOf, firstOf } = headingsOf(codes)
  const examples = examplesOf(lexicon, headingOf, [...textsOfLexicon(lexicon, source), ...texts])
  const runs = SEEDS.map((seed) => descend(examples, firstOf, seed))
  const bytes = encodeTextModel({
    codes,
    headings: quantised(runs.map(({ headings }) => headings)),
    subheadings: quantised(runs.map(({ subheadings }) => subheadings)),
  })
  return { bytes, texts: examples.length }
}

/** The weights of headings and subheadings after all rounds, with the texts in the order of the seed. */
function descend(
  examples: readonly Example[],
  firstOf: Uint16Array,
  seed: number,
): { readonly headings: Table; readonly subheadings: Table } {
  const headings = emptyTable(firstOf.length - 1)
  const subheadings = emptyTable(firstOf.at(-1)!)
  const random = randomNumbers(seed)
  const noise = examples.flatMap(({ features }) => features.buckets.slice(0, 2))
  for (let round = 0; round < ROUNDS; round++) {
    const step = FIRST_STEP * (1 - round / ROUNDS)
    for (const nth of shuffled(examples.length, random)) {
      const { heading, subheading, weight, ...example } = examples[nth]!
      const features = random() < NOISY_SHARE ? withNoise(example.features, noise, random) : example.features
      learn(headings, [0, headings.size], features, heading, step * weight)
      if (subheading !== undefined)
        learn(subheadings, [firstOf[heading]!, firstOf[heading + 1]!], features, subheading, step * weight)
    }
  }
  return { headings, subheadings }
}

/** The terms of all codes and of the usual codes of families, and the labels of codes and headings. */
function textsOfLexicon({ index, codes }: Lexicon, { entries, headings }: LexiconSource): LabelledText[] {
  return [
    ...phrasesOf(index).map(({ term, goods }) => ({
      ...{ text: term, code: codes[goods.code]!, weight: goods.possible ? POSSIBLE : 1 },
    })),
    ...entries.map(({ code, label }) => ({ text: label, code, weight: 1 })),
    ...Array.from(headings, ([code, label]) => ({ text: label, code, weight: 1 })),
  ]
}

function examplesOf(
  lexicon: Lexicon,
  headingOf: Uint16Array,
  texts: readonly LabelledText[],
): readonly Example[] {
  const numbers = new Map(lexicon.codes.map((code, number) => [code, number]))
  const headings = new Map(lexicon.codes.map((code, number) => [code.slice(0, 4), headingOf[number]!]))
  return texts.flatMap(({ text, code, weight }) => {
    const heading = headings.get(code.slice(0, 4))
    const features = textFeatures(lexicon.read(text))
    if (heading === undefined || features.buckets.length === 0) return []
    return [{ features, heading, subheading: numbers.get(code), weight }]
  })
}

/** Adds words of other texts. */
function withNoise(
  { buckets, values }: TextFeatures,
  noise: readonly number[],
  random: () => number,
): TextFeatures {
  const count = 1 + Math.floor(random() * NOISE_MAX)
  const added = Array.from({ length: count }, () => noise[Math.floor(random() * noise.length)]!)
  const value = NOISE_VALUE * Math.max(...values)
  const length = Math.sqrt(1 + count * value * value)
  return {
    buckets: [...buckets, ...added],
    values: [...values, ...added.map(() => value)].map((one) => one / length),
  }
}

/** A row of `size` weights per bucket: one for each heading, or for each subheading. */
type Table = { readonly size: number; readonly weights: Float32Array }

function emptyTable(size: number): Table {
  return { size, weights: new Float32Array(BUCKETS * size) }
}

/** One step of the descent for the right one of the headings or subheadings `from` to before `to`. */
function learn(
  { size, weights }: Table,
  [from, to]: readonly [number, number],
  { buckets, values }: TextFeatures,
  right: number,
  rate: number,
): void {
  const errors = new Float64Array(to - from)
  if (errors.length === 1) return
  for (let nth = 0; nth < buckets.length; nth++) {
    const [row, value] = [buckets[nth]! * size + from, values[nth]!]
    for (let at = 0; at < errors.length; at++) errors[at]! += value * weights[row + at]!
  }
  toProbabilities(errors)
  errors[right - from]! -= 1
  const toCorrect: number[] = []
  for (let at = 0; at < errors.length; at++)
    if (errors[at]! > MIN_ERROR || errors[at]! < 0) toCorrect.push(at)
  for (let nth = 0; nth < buckets.length; nth++) {
    const [row, change] = [buckets[nth]! * size + from, rate * values[nth]!]
    for (const at of toCorrect) weights[row + at]! -= change * errors[at]!
  }
}

/** Replaces logarithms by probabilities. */
function toProbabilities(list: Float64Array): void {
  let max = -Infinity
  for (const value of list) max = Math.max(max, value)
  let sum = 0
  for (let at = 0; at < list.length; at++) {
    list[at] = exponential(list[at]! - max)
    sum += list[at]!
  }
  for (let at = 0; at < list.length; at++) list[at]! /= sum
}

/** The exponential of a number up to 0, to about seven digits: Math.exp differs between versions of V8. */
export function exponential(power: number): number {
  if (power < -30) return 0
  // e^p = (e^(p / 2^k))^(2^k), with a series for the small power.
  const small = power / 256
  let result = 1 + small * (1 + (small / 2) * (1 + (small / 3) * (1 + (small / 4) * (1 + small / 5))))
  for (let doubled = 0; doubled < 8; doubled++) result *= result
  return result
}

/** Rounds the mean weights of the runs to steps of WEIGHT_STEP. The largest ones of each bucket are kept. */
function quantised(runs: readonly Table[]): WeightTable {
  const { size } = runs[0]!
  const starts = new Uint32Array(BUCKETS + 1)
  const groups: number[] = []
  const weights: number[] = []
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const rounded = Array.from({ length: size }, (_, group) => {
      const mean = runs.reduce((sum, run) => sum + run.weights[bucket * size + group]!, 0) / runs.length
      return { group, weight: Math.max(-127, Math.min(127, Math.round(mean / WEIGHT_STEP))) }
    })
      .filter(({ weight }) => Math.abs(weight) >= MIN_STEPS)
      .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.group - b.group)
    for (const one of rounded.slice(0, MAX_WEIGHTS).sort((a, b) => a.group - b.group)) {
      groups.push(one.group)
      weights.push(one.weight)
    }
    starts[bucket + 1] = groups.length
  }
  return { starts, groups: Uint16Array.from(groups), weights: Int8Array.from(weights) }
}

/** Numbers from 0 to below 1: a linear congruential generator. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

function shuffled(count: number, random: () => number): readonly number[] {
  const order = Array.from({ length: count }, (_, nth) => nth)
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[order[at], order[other]] = [order[other]!, order[at]!]
  }
  return order
}

/** Throws with file and line if a row has no text, code or weight. */
export function readLabelledTexts(file: string, content: string): readonly LabelledText[] {
  const [, ...lines] = content.trimEnd().split('\n')
  return lines.map((line, nth) => {
    const [text = '', code = '', weight = ''] = line.split('\t')
    if (text === '' || !/^\d{4}(\d\d)?$/.test(code) || !(Number(weight) > 0))
      throw new Error(`${file}, line ${nth + 2}: expected text, code (4 or 6 digits) and weight`)
    return { text, code, weight: Number(weight) }
  })
}

const TITLES = new URL('titles/', import.meta.url)

/** The titles that were written for the training. See docs/lexicon.md#text-model. */
export function readOwnTitles(): readonly LabelledText[] {
  const files = readdirSync(TITLES).filter((name) => name.endsWith('.tsv'))
  return files.sort().flatMap((name) => readLabelledTexts(name, readFileSync(new URL(name, TITLES), 'utf8')))
}

/** True for a fifth of all texts, by their hash. */
export function isHeldBack(text: string): boolean {
  return createHash('sha256').update(text).digest()[0]! < 0x36
}

if (process.argv[1] === import.meta.filename) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'hold-back': { type: 'string', multiple: true, default: [] }, out: { type: 'string' } },
  })
  const read = (file: string) => readLabelledTexts(path.basename(file), readFileSync(file, 'utf8'))
  const labelled = [
    ...readOwnTitles(),
    ...positionals.flatMap(read),
    ...values['hold-back'].flatMap(read).filter(({ text }) => !isHeldBack(text)),
  ]
  const { bytes, texts } = trainTextModel(readLexicon(), labelled)
  writeFileSync(values.out ?? SHIPPED_TEXT_MODEL, bytes)
  console.log(`Trained on ${texts} texts: ${bytes.length} bytes`)
}
