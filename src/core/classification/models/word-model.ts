/**
 * The fallback of the classifier: a naive Bayes model of words over chapters, headings and subheadings, trained on the
 * terms of the lexicon. The word frequencies of each level are smoothed with those of the level above: subheading,
 * heading, chapter, whole lexicon. Training counts several hundred thousand words at every start, so it uses flat
 * arrays.
 */
import type { ClassifierWeights } from '../classifier-weights.ts'

/** Counts how often words occur with codes, both by number. Counts may be fractions. */
export type TrainingCounts = {
  readonly add: (word: number, code: number, count: number) => void
  readonly byWord: () => CountsByWord
}

/** The counts of word `n` begin at `starts[n]` and end before `starts[n + 1]`. A code may occur twice. */
type CountsByWord = {
  readonly starts: Uint32Array
  readonly codes: Uint16Array
  readonly counts: Float64Array
}

export function countTraining(wordCount: number): TrainingCounts {
  let size = 0
  let words = new Uint32Array(2 ** 18)
  let codes = new Uint16Array(2 ** 18)
  let counts = new Float64Array(2 ** 18)
  return {
    add: (word, code, count) => {
      if (size === words.length) {
        words = copiedTo(words, new Uint32Array(2 * size))
        codes = copiedTo(codes, new Uint16Array(2 * size))
        counts = copiedTo(counts, new Float64Array(2 * size))
      }
      words[size] = word
      codes[size] = code
      counts[size] = count
      size++
    },
    byWord: () => sortByWord(wordCount, words.subarray(0, size), codes, counts),
  }
}

function copiedTo<List extends Uint32Array | Uint16Array | Float64Array>(list: List, larger: List): List {
  larger.set(list)
  return larger
}

function sortByWord(
  wordCount: number,
  words: Uint32Array,
  codes: Uint16Array,
  counts: Float64Array,
): CountsByWord {
  const starts = new Uint32Array(wordCount + 1)
  for (const word of words) starts[word + 1]!++
  for (let word = 0; word < wordCount; word++) starts[word + 1]! += starts[word]!
  const next = starts.slice()
  const sorted = { starts, codes: new Uint16Array(words.length), counts: new Float64Array(words.length) }
  for (let at = 0; at < words.length; at++) {
    const place = next[words[at]!]!++
    sorted.codes[place] = codes[at]!
    sorted.counts[place] = counts[at]!
  }
  return sorted
}

/** One level of groups (chapters, headings or subheadings) with the gains of words in them. */
type ModelLevel = {
  /** The number of groups. */
  readonly size: number
  /** The group of each code, by the code's number. */
  readonly groupOf: Uint16Array
  /** The gains of word `n` begin at `starts[n]` and end before `starts[n + 1]`. */
  readonly starts: Uint32Array
  readonly groups: Uint16Array
  /** What a word adds to the score of a group, in nats. Above 0. */
  readonly gains: Float32Array
}

export type WordModel = {
  readonly chapters: ModelLevel
  readonly headings: ModelLevel
  readonly codes: ModelLevel
  readonly codeCount: number
}

/**
 * Trains the model. The gain of a word in a group is the logarithm of its frequency there relative to the group above.
 * A word that does not occur in a group does not lower its score, so unknown words do not harm long titles.
 */
export function trainWordModel(
  codes: readonly string[],
  training: TrainingCounts,
  weights: ClassifierWeights,
): WordModel {
  const counted = training.byWord()
  const lexicon = openLevel(new Uint16Array(codes.length), 1, undefined, counted, 0, 1)
  const level = (digits: number, above: LevelTraining, smoothing: number, weight: number): LevelTraining => {
    const { groupOf, size } = groupCodes(codes, digits)
    return openLevel(groupOf, size, above, counted, smoothing, weight)
  }
  const chapters = level(2, lexicon, weights.chapterSmoothing, weights.chapterWeight)
  const headings = level(4, chapters, weights.headingSmoothing, weights.headingWeight)
  const subheadings = level(6, headings, weights.codeSmoothing, weights.codeWeight)
  const { starts } = counted
  for (let word = 0; word < starts.length - 1; word++) {
    const [from, to] = [starts[word]!, starts[word + 1]!]
    countWord(lexicon, counted, from, to)
    lexicon.shares[0] = lexicon.wordCounts[0]! / lexicon.totals[0]!
    for (const trained of [chapters, headings, subheadings]) {
      countWord(trained, counted, from, to)
      addGains(trained, counted, word, from, to)
    }
    for (const { wordCounts, groupOf } of [lexicon, chapters, headings, subheadings])
      for (let at = from; at < to; at++) wordCounts[groupOf[counted.codes[at]!]!] = 0
  }
  return {
    chapters: closeLevel(chapters),
    headings: closeLevel(headings),
    codes: closeLevel(subheadings),
    codeCount: codes.length,
  }
}

/** A level during training. `wordCounts` and `shares` are those of the current word, `totals` those of all words. */
type LevelTraining = ModelLevel & {
  readonly above: LevelTraining | undefined
  readonly smoothing: number
  readonly weight: number
  readonly totals: Float64Array
  readonly wordCounts: Float64Array
  readonly shares: Float64Array
  /** For each group: the number of the last word with a share in it, plus 1. */
  readonly lastWord: Uint32Array
  /** The number of gains so far. */
  end: number
}

function openLevel(
  groupOf: Uint16Array,
  size: number,
  above: LevelTraining | undefined,
  { starts, codes, counts }: CountsByWord,
  smoothing: number,
  weight: number,
): LevelTraining {
  const totals = new Float64Array(size)
  for (let at = 0; at < codes.length; at++) totals[groupOf[codes[at]!]!]! += counts[at]!
  return {
    groupOf,
    size,
    above,
    smoothing,
    weight,
    totals,
    end: 0,
    starts: new Uint32Array(starts.length),
    groups: new Uint16Array(codes.length),
    gains: new Float32Array(codes.length),
    wordCounts: new Float64Array(size),
    shares: new Float64Array(size),
    lastWord: new Uint32Array(size),
  }
}

/** Copies the gains into arrays of the right size, to free memory. */
function closeLevel({ size, groupOf, starts, groups, gains, end }: LevelTraining): ModelLevel {
  return { size, groupOf, starts, groups: groups.slice(0, end), gains: gains.slice(0, end) }
}

function countWord(
  { groupOf, wordCounts }: LevelTraining,
  counted: CountsByWord,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) wordCounts[groupOf[counted.codes[at]!]!]! += counted.counts[at]!
}

/** Smaller gains are dropped. */
const MIN_GAIN = 0.01

/** Calculates the smoothed share of a word in each of its groups, and adds its gain over the group above. */
function addGains(
  level: LevelTraining,
  { codes }: CountsByWord,
  word: number,
  from: number,
  to: number,
): void {
  const { groupOf, smoothing, weight, totals, wordCounts, shares, lastWord, groups, gains } = level
  const above = level.above!
  for (let at = from; at < to; at++) {
    const code = codes[at]!
    const group = groupOf[code]!
    if (lastWord[group] === word + 1) continue
    lastWord[group] = word + 1
    const share = above.shares[above.groupOf[code]!]!
    shares[group] = (wordCounts[group]! + smoothing * share) / (totals[group]! + smoothing)
    const gain = weight * Math.log(shares[group]! / share)
    if (gain <= MIN_GAIN) continue
    groups[level.end] = group
    gains[level.end] = gain
    level.end++
  }
  level.starts[word + 1] = level.end
}

function groupCodes(codes: readonly string[], digits: number): { groupOf: Uint16Array; size: number } {
  const numbers = new Map<string, number>()
  const groupOf = Uint16Array.from(codes, (code) => {
    const group = code.slice(0, digits)
    const number = numbers.get(group) ?? numbers.size
    numbers.set(group, number)
    return number
  })
  return { groupOf, size: numbers.size }
}

/**
 * What words add to the score of each chapter, heading and code, by number, in nats. A code's score is the sum of the
 * three.
 */
export type WordScores = {
  readonly chapters: Float64Array
  readonly headings: Float64Array
  readonly codes: Float64Array
}

export function openWordScores({ chapters, headings, codes }: WordModel): WordScores {
  return {
    chapters: new Float64Array(chapters.size),
    headings: new Float64Array(headings.size),
    codes: new Float64Array(codes.size),
  }
}

/** Overwrites `scores` with those of words with their weight (0 to 1). */
export function scoreWords(model: WordModel, words: ReadonlyMap<number, number>, scores: WordScores): void {
  sumGains(model.chapters, words, scores.chapters)
  sumGains(model.headings, words, scores.headings)
  sumGains(model.codes, words, scores.codes)
}

function sumGains(
  { starts, groups, gains }: ModelLevel,
  words: ReadonlyMap<number, number>,
  sums: Float64Array,
): void {
  sums.fill(0)
  for (const [word, weight] of words) {
    const end = starts[word + 1]!
    for (let at = starts[word]!; at < end; at++) sums[groups[at]!]! += weight * gains[at]!
  }
}

/** True if a word raises the score of a code, directly or through its heading or chapter. */
export function supports({ chapters, headings, codes }: WordModel, word: number, code: number): boolean {
  return hasGain(chapters, word, code) || hasGain(headings, word, code) || hasGain(codes, word, code)
}

function hasGain({ groupOf, starts, groups }: ModelLevel, word: number, code: number): boolean {
  const group = groupOf[code]!
  const end = starts[word + 1]!
  for (let at = starts[word]!; at < end; at++) if (groups[at] === group) return true
  return false
}
