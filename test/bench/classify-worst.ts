/**
 * Times the most expensive descriptions of 500 characters: `npx tsx test/bench/classify-worst.ts [seconds] [seed]`.
 * Times the texts of every recipe (test/core/classification/hard-texts.ts), then mutates the slowest ones for
 * some seconds (default: 20) and keeps mutations that are slower. Prints milliseconds and the slowest text.
 */
import { classify } from '../../src/core/classification/classify.ts'
import { compileLexicon } from '../../src/core/classification/compile-lexicon.ts'
import { readLexicon } from '../../src/reference/lexicon-reader/lexicon.ts'
import { type HardText, hardTexts, hardWords, mutated } from '../core/classification/hard-texts.ts'
import { diceOf } from '../support/random/seeded-dice.ts'
import { percentile } from './percentile.ts'

/** The maximum number of candidates in a request. */
const CANDIDATES = 20
const WARM_UP = 4
const CALLS = 60
const TEXTS_PER_RECIPE = 4
/** Runs per text. The fastest run counts, because other load only makes runs slower. */
const RUNS = 7

const [seconds = 20, seed = 1] = process.argv.slice(2).map(Number)
const source = readLexicon()
const words = hardWords(source)
const lexicon = compileLexicon(source)

function timeOf(text: string): number {
  const from = performance.now()
  classify(lexicon, text, CANDIDATES)
  return performance.now() - from
}

const texts = Array.from({ length: TEXTS_PER_RECIPE }, (_, nth) => hardTexts(words, seed + nth)).flat()
const first = texts.find(({ recipe }) => recipe === 'frequent words, a foreign one and a misspelt one')!
console.log(
  `first call, cold: ${timeOf(first.text).toFixed(1)} ms, second: ${timeOf(first.text).toFixed(1)} ms`,
)
for (let round = 0; round < WARM_UP; round++) for (const { text } of texts) timeOf(text)

const slowest = texts
  .map((candidate) => ({ ...candidate, ...measure(candidate) }))
  .sort((a, b) => b.p50 - a.p50)
console.log('median    p99  recipe')
for (const recipe of new Set(slowest.map((candidate) => candidate.recipe))) {
  const worst = slowest.find((candidate) => candidate.recipe === recipe)!
  console.log(`${worst.p50.toFixed(2).padStart(6)} ${worst.p99.toFixed(2).padStart(6)}  ${recipe}`)
}
const found = climb(slowest.slice(0, 3))
const { p50, p99 } = measure(found)
console.log(
  `after ${seconds} s of changes: median ${p50.toFixed(2)} ms, 99th percentile ${p99.toFixed(2)} ms`,
)
console.log(found.text)
console.log(JSON.stringify({ worst_p50_ms: round(p50), worst_p99_ms: round(p99) }))

function measure({ text }: HardText): { readonly p50: number; readonly p99: number } {
  const times = Array.from({ length: CALLS }, () => timeOf(text))
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

/** Mutates the texts, keeps mutations that are slower, and returns the slowest text. */
function climb(from: readonly HardText[]): HardText {
  const dice = diceOf(seed)
  const quickest = (text: string): number => Math.min(...Array.from({ length: RUNS }, () => timeOf(text)))
  const pool = from.map((candidate) => ({ ...candidate, ms: quickest(candidate.text) }))
  const end = performance.now() + 1000 * seconds
  while (performance.now() < end) {
    const at = dice.int(0, pool.length - 1)
    const text = mutated(pool[at]!.text, words, dice)
    const ms = quickest(text)
    if (ms > pool[at]!.ms) pool[at] = { ...pool[at]!, text, ms }
  }
  return pool.reduce((worst, candidate) => (candidate.ms > worst.ms ? candidate : worst))
}

function round(ms: number): number {
  return Math.round(100 * ms) / 100
}
