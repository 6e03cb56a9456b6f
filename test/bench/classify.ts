/**
 * Measures accuracy and speed of the classifier on labelled descriptions. `npm run bench:classify` takes the titles in
 * test/bench/titles, and `npm run bench:classify -- file.csv` a CSV file with the columns description, hs6 and source.
 * Prints, in percent with standard errors, how often the right code is among the first 1, 3 and 5 candidates, at 2, 4
 * and 6 digits per source; the share after one and two questions, answered with the option that is closest to the right
 * code; how reliable confidences are; the time per description, in the fastest of several rounds; the cost of loading
 * the stored lexicon, once, as in a service that starts; and that of compiling it. The last line is a JSON object.
 * `npm run bench:classify -- --wrong` lists the wrong answers on the titles that are not held back.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import { parse } from 'csv-parse/sync'
import { classify, interview } from '../../src/core/classification/classify.ts'
import { compileLexicon } from '../../src/core/classification/compile-lexicon.ts'
import type { GoodsAnswer, GoodsOption, HsCandidate } from '../../src/core/hs-candidate.ts'
import { loadLexicon, readLexicon } from '../../src/reference/lexicon-reader/lexicon.ts'
import { readTextModel } from '../../src/reference/text-model/read-text-model.ts'
import { bytesInUse } from './memory-in-use.ts'
import { percentile } from './percentile.ts'
import { agree, type LabelledTitle, readTitles } from './titles/labelled-titles.ts'

type Labelled = {
  readonly description: string
  readonly hs6: string
  /** The lines of the table that the row counts in, besides the last one. */
  readonly groups: readonly string[]
}
type Answered = Labelled & {
  readonly candidates: readonly HsCandidate[]
  /** The first code after each of the questions. */
  readonly afterQuestions: readonly (string | undefined)[]
}

const HELD_BACK = 'held back'
const DEVELOPMENT = 'development'
const CANDIDATES = 5
const CONFIDENT_SHARE = 0.3
const BINS = 10
const QUESTIONS = 2
/** A wrong answer with a higher confidence misleads. */
const HIGH_CONFIDENCE = 0.6
/** Rounds of descriptions. The fastest counts: other work can only make one slower. */
const ROUNDS = 7
const STORE = '--store'

const [argument] = process.argv.slice(2)
if (argument === STORE) {
  loadLexicon()
  process.exit(0)
}
const titles = argument === undefined || argument === '--wrong' ? readTitles() : undefined
const rows = titles === undefined ? rowsOfFile(argument!) : rowsOfTitles(titles)

// Another process stores the lexicon, so that the code is cold in this one.
execFileSync(process.execPath, [...process.execArgv, import.meta.filename, STORE])
const before = await bytesInUse()
const { result: lexicon, ...loaded } = timed(loadLexicon)
const lexiconMb = ((await bytesInUse()) - before) / 1e6
const compiled = timed(() => compileLexicon(readLexicon(), undefined, readTextModel()))

const rounds = Array.from({ length: ROUNDS }, () =>
  rows.map(({ description }) => timed(() => classify(lexicon, description, CANDIDATES))),
)
const measured = rows.map((row, nth) => ({ ...row, candidates: rounds[0]![nth]!.result }))
const answered: Answered[] = measured.map((row) => ({ ...row, afterQuestions: codesAfterQuestions(row) }))

if (argument === '--wrong') printWrong()
if (titles !== undefined) printAgreement(titles)
const places = Math.max(...rows.map((row) => row.groups.length))
const ordered = Array.from({ length: places }, (_, place) => rows.map((row) => row.groups[place]!)).flat()
const groups = [...new Set(ordered), 'all']
const sources = Object.fromEntries(groups.map((group) => [group, measure(inGroup(group))]))
printAccuracy(sources)
const halves = titles === undefined ? [] : [HELD_BACK, DEVELOPMENT]
const confident30 = ['all', ...halves].map(printReliability)[0]
const p50 = fastest(0.5)
const p99 = fastest(0.99)
console.log(
  `time per description, fastest of ${ROUNDS} rounds: median ${p50.toFixed(2)} ms, 99th percentile ${p99.toFixed(2)} ms`,
)
console.log(
  `lexicon: ${lexicon.index.phrases.goodsOf.length} terms for ${lexicon.codes.length} codes, ${lexiconMb.toFixed(0)} MB, loaded in ${loaded.ms.toFixed(0)} ms (${loaded.processorMs.toFixed(0)} ms of processor time), read and compiled in ${compiled.processorMs.toFixed(0)} ms of processor time`,
)
console.log(
  `load average of the machine: ${os.loadavg()[0]!.toFixed(1)} on ${os.availableParallelism()} cores`,
)
console.log(JSON.stringify({ sources, confident30_6: confident30, p99_ms: Number(p99.toFixed(2)) }))

function timed<Result>(run: () => Result): { result: Result; ms: number; processorMs: number } {
  const processor = process.cpuUsage()
  const started = performance.now()
  const result = run()
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(processor)
  return { result, ms, processorMs: (user + system) / 1000 }
}

/** A percentile of the times of a round, in the fastest round. */
function fastest(share: number): number {
  return Math.min(
    ...rounds.map((round) =>
      percentile(
        round.map(({ ms }) => ms),
        share,
      ),
    ),
  )
}

function rowsOfFile(file: string): Labelled[] {
  const list: { description: string; hs6: string; source: string }[] = parse(readFileSync(file), {
    columns: true,
    bom: true,
    trim: true,
    skip_empty_lines: true,
  })
  const faulty = list.findIndex((row) => !row.description || !/^\d{6}$/.test(row.hs6) || !row.source)
  if (list.length === 0 || faulty !== -1) {
    console.error(`${file}: row ${faulty + 2} needs description, hs6 (six digits) and source`)
    process.exit(2)
  }
  return list.map(({ source, ...row }) => ({ ...row, groups: [source] }))
}

/** Those on which the labellers agree. */
function rowsOfTitles(list: readonly LabelledTitle[]): Labelled[] {
  const agreed = list.filter((title) => agree(title, 6))
  const byHalf = [HELD_BACK, DEVELOPMENT].flatMap((half) =>
    agreed.filter(({ isHeldBack }) => isHeldBack === (half === HELD_BACK)).map((row) => ({ half, row })),
  )
  return byHalf.map(({ half, row: { title, codes, language, source, isSure } }) => ({
    description: title,
    hs6: codes[0],
    groups: [
      half,
      `${half}, ${language === 'en' ? 'en' : 'others'}`,
      ...[language, source, isSure ? 'both sure' : 'not both sure'],
    ],
  }))
}

function printAgreement(list: readonly LabelledTitle[]): void {
  const agreed = [6, 4, 2].map(
    (digits) => `${list.filter((title) => agree(title, digits)).length} at ${digits} digits`,
  )
  const sure = list.filter(({ isSure }) => isSure).length
  console.log(
    `The labellers agree on ${agreed.join(', ')}, of ${list.length} titles; both are sure about ${sure}.`,
  )
}

/** Only of the titles that are not held back. */
function printWrong(): never {
  for (const row of inGroup(DEVELOPMENT).filter((answer) => !isRight(answer, 6, 1))) {
    const found = row.candidates.map(({ code, confidence }) => `${code} ${confidence.toFixed(2)}`)
    console.log([row.hs6, found.join(' '), row.description].join(' | '))
  }
  process.exit(0)
}

function inGroup(group: string): readonly Answered[] {
  return group === 'all' ? answered : answered.filter(({ groups }) => groups.includes(group))
}

function measure(list: readonly Answered[]): Record<string, number> {
  const figures: Record<string, number> = { n: list.length }
  for (const first of [1, 3, 5])
    for (const digits of [2, 4, 6])
      figures[`top${first}_${digits}`] = share(list, (row) => isRight(row, digits, first))
  for (let asked = 1; asked <= QUESTIONS; asked++)
    figures[`asked${asked}`] = share(list, ({ hs6, afterQuestions }) => afterQuestions[asked - 1] === hs6)
  figures['said'] =
    Math.round((1000 * list.reduce((sum, row) => sum + confidenceOf(row), 0)) / list.length) / 10
  return figures
}

/** Answers questions as somebody who knows the right code would. A question without a better option is skipped. */
function codesAfterQuestions({ description, hs6 }: Labelled): readonly (string | undefined)[] {
  const answers: GoodsAnswer[] = []
  const asked = new Set<string>()
  let now = interview(lexicon, { description, answers }, 1)
  return Array.from({ length: QUESTIONS }, () => {
    const question = now.questions.find(({ id }) => !asked.has(id))
    if (question !== undefined) {
      asked.add(question.id)
      const closeness = ({ code }: Pick<GoodsOption, 'code'>): number => commonDigits(code, hs6)
      const closest = question.options.reduce((best, option) =>
        closeness(option) > closeness(best) ? option : best,
      )
      if (closeness(closest) > closeness(now.candidates[0]!)) {
        answers.push({ id: question.id, value: closest.value })
        now = interview(lexicon, { description, answers }, 1)
      }
    }
    return now.candidates[0]?.code
  })
}

function commonDigits(first: string, second: string): number {
  let digits = 0
  while (digits < 6 && first[digits] === second[digits]) digits++
  return digits
}

function isRight({ candidates, hs6 }: Answered, digits: number, first: number): boolean {
  return candidates.slice(0, first).some(({ code }) => code.slice(0, digits) === hs6.slice(0, digits))
}

function share(list: readonly Answered[], isSo: (row: Answered) => boolean): number {
  return list.length === 0 ? 0 : Math.round((1000 * list.filter(isSo).length) / list.length) / 10
}

function confidenceOf({ candidates }: Answered): number {
  return candidates[0]?.confidence ?? 0
}

/** Shares have their standard error. */
function printAccuracy(figures: Readonly<Record<string, Readonly<Record<string, number>>>>): void {
  const names = Object.keys(figures['all']!)
  const width = Math.max(...Object.keys(figures).map((group) => group.length))
  console.log([' '.repeat(width), ...names.map((name) => name.padStart(10))].join(' '))
  for (const [group, figure] of Object.entries(figures)) {
    const cells = names.map((name) =>
      name === 'n' || name === 'said' ? String(figure[name]) : withError(figure[name]!, figure['n']!),
    )
    console.log([group.padEnd(width), ...cells.map((cell) => cell.padStart(10))].join(' '))
  }
}

function withError(percent: number, n: number): string {
  return `${percent.toFixed(1)} ±${Math.sqrt((percent * (100 - percent)) / n).toFixed(1)}`
}

/**
 * Bins with equal numbers of descriptions, highest confidence first: mean confidence and share of right answers.
 * Returns the share of right answers among the most confident.
 */
function printReliability(group: string): number {
  const list = inGroup(group).toSorted((a, b) => confidenceOf(b) - confidenceOf(a))
  console.log(`${group}: confidence   number  mean  right at 6 digits`)
  let gap = 0
  for (let bin = 0; bin < BINS; bin++) {
    const rowsOf = list.slice(
      Math.floor((bin * list.length) / BINS),
      Math.floor(((bin + 1) * list.length) / BINS),
    )
    if (rowsOf.length === 0) continue
    const meanConfidence = (100 * rowsOf.reduce((sum, row) => sum + confidenceOf(row), 0)) / rowsOf.length
    const right = share(rowsOf, (row) => isRight(row, 6, 1))
    gap += (rowsOf.length / list.length) * Math.abs(meanConfidence - right)
    const range = `${confidenceOf(rowsOf[0]!).toFixed(2)}-${confidenceOf(rowsOf.at(-1)!).toFixed(2)}`
    console.log(
      [
        range.padStart(group.length + 12),
        String(rowsOf.length).padStart(8),
        meanConfidence.toFixed(1).padStart(5),
        right.toFixed(1).padStart(18),
      ].join(' '),
    )
  }
  console.log(`on average ${gap.toFixed(1)} points between mean confidence and share of right answers`)
  const confident = list.slice(0, Math.ceil(list.length * CONFIDENT_SHARE))
  const right = share(confident, (row) => isRight(row, 6, 1))
  console.log(
    `most confident ${CONFIDENT_SHARE * 100}% (${confident.length}): right at 6 digits ${withError(right, confident.length)}%`,
  )
  const wrong = list.filter((row) => !isRight(row, 6, 1))
  const misleading = share(wrong, (row) => confidenceOf(row) > HIGH_CONFIDENCE)
  console.log(
    `wrong answers (${wrong.length}) with a confidence above ${HIGH_CONFIDENCE}: ${withError(misleading, wrong.length)}%`,
  )
  return right
}
