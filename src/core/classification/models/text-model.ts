/**
 * The text model: how likely each heading is for a text, and each subheading of that heading. It is linear in words,
 * pairs of words, beginnings of words and the last word of the first phrase. `npm run train:words` trains it on
 * labelled texts and writes the bytes that `openTextModel` reads. See docs/hs-classification.md.
 */
import type { LexiconWord } from '../text/lexicon-text.ts'

/** Features are numbered by a hash. Two features with the same number share their weights. */
export const BUCKETS = 2 ** 16

/** The features of a text with their values. The squares of the values add up to 1. */
export type TextFeatures = { readonly buckets: readonly number[]; readonly values: readonly number[] }

/** Relative to a word. */
const PAIR = 0.7
const HEAD = 0.7
const BEGINNING = 0.4
const BEGINNING_LENGTH = 4

/** The features of a text without words are empty. */
export function textFeatures(words: readonly LexiconWord[]): TextFeatures {
  const found = new Map<number, number>()
  const add = (name: string, value: number): void => {
    const bucket = bucketOf(name)
    found.set(bucket, Math.max(found.get(bucket) ?? 0, value))
  }
  let isFirstPhrase = true
  let head: LexiconWord | undefined
  for (let at = 0; at < words.length; at++) {
    const { key, weight, endsPhrase, isNoise } = words[at]!
    add(`word ${key}`, weight)
    if (key.length > BEGINNING_LENGTH) add(beginningOf(key), BEGINNING * weight)
    const next = words[at + 1]
    if (!endsPhrase && next !== undefined)
      add(`pair ${key} ${next.key}`, PAIR * Math.min(weight, next.weight))
    if (isFirstPhrase && !isNoise && !(key >= '0' && key < ':')) head = words[at]
    if (isFirstPhrase && head !== undefined && (endsPhrase || next === undefined)) {
      add(`head ${head.key}`, HEAD * head.weight)
      isFirstPhrase = false
    }
  }
  let squares = 0
  for (const value of found.values()) squares += value * value
  const length = squares === 0 ? 1 : Math.sqrt(squares)
  return { buckets: [...found.keys()], values: Array.from(found.values(), (value) => value / length) }
}

/** FNV-1a with a final mix, so that all bits depend on all letters. */
function bucketOf(name: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 12)) & (BUCKETS - 1)
}

function beginningOf(key: string): string {
  return `beginning ${key.slice(0, BEGINNING_LENGTH)}`
}

/** The bucket of a word on its own. */
export function wordBucket(key: string): number {
  return bucketOf(`word ${key}`)
}

/** The weights of bucket `n` begin at `starts[n]` and end before `starts[n + 1]`. */
export type WeightTable = {
  readonly starts: Uint32Array
  /** Numbers of headings, or of subheadings. */
  readonly groups: Uint16Array
  /** In steps of `WEIGHT_STEP`. */
  readonly weights: Int8Array
}

/** Subheadings ascending, with the weights of their headings and their own. */
export type TextModelData = {
  readonly codes: readonly string[]
  readonly headings: WeightTable
  readonly subheadings: WeightTable
}

export const WEIGHT_STEP = 1 / 8
/** The maximum number of weights of a bucket in one table. */
export const MAX_WEIGHTS = 255

const MARK = 'WTM1'
const HEADER_BYTES = 16

/**
 * The bytes of a model, little-endian: the mark, the numbers of codes and of weights in both tables (32 bits each), the
 * codes (32 bits), the numbers of weights per bucket (8), the groups (16) and the weights (8). Headings come first.
 */
export function encodeTextModel({ codes, headings, subheadings }: TextModelData): Uint8Array {
  const tables = [headings, subheadings]
  const weightCount = headings.weights.length + subheadings.weights.length
  const bytes = new Uint8Array(HEADER_BYTES + 4 * codes.length + 2 * BUCKETS + 3 * weightCount)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < MARK.length; at++) bytes[at] = MARK.charCodeAt(at)
  const numbers = [codes.length, headings.weights.length, subheadings.weights.length, ...codes.map(Number)]
  for (const [nth, number] of numbers.entries()) view.setUint32(4 + 4 * nth, number, true)
  let end = HEADER_BYTES + 4 * codes.length
  for (const { starts } of tables)
    for (let bucket = 0; bucket < BUCKETS; bucket++) bytes[end++] = starts[bucket + 1]! - starts[bucket]!
  for (const { groups } of tables)
    for (const group of groups) {
      view.setUint16(end, group, true)
      end += 2
    }
  for (const { weights } of tables) for (const weight of weights) view.setInt8(end++, weight)
  return bytes
}

export type TextModel = {
  readonly headings: WeightTable
  readonly subheadings: WeightTable
  /** The heading of each subheading of the model. */
  readonly headingOf: Uint16Array
  /** The subheadings of heading `n` are from `firstOf[n]` to before `firstOf[n + 1]`. */
  readonly firstOf: Uint16Array
  /** By subheading of the model: its number in the lexicon, or NONE. */
  readonly lexiconCode: Int32Array
  /** By number in the lexicon: the subheading of the model, or NONE. */
  readonly subheadingOf: Int32Array
  /** Arrays that every text overwrites. */
  readonly space: { readonly headings: Float64Array; readonly subheadings: Float64Array }
}

const NONE = -1

/**
 * Reads the bytes of a model for the codes of a lexicon (ascending). Codes that only one of them has are not proposed.
 * Throws if the bytes are not those of a model.
 */
export function openTextModel(bytes: Uint8Array, lexiconCodes: readonly string[]): TextModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isModel = bytes.length >= HEADER_BYTES && String.fromCharCode(...bytes.subarray(0, 4)) === MARK
  const [codeCount, ofHeadings, ofSubheadings] = [4, 8, 12].map((at) =>
    isModel ? view.getUint32(at, true) : 0,
  )
  const tablesAt = HEADER_BYTES + 4 * codeCount!
  const groupsAt = tablesAt + 2 * BUCKETS
  const weightsAt = groupsAt + 2 * (ofHeadings! + ofSubheadings!)
  if (!isModel || weightsAt + ofHeadings! + ofSubheadings! !== bytes.length)
    throw new Error('the text model is damaged')
  const table = (nth: number, first: number, count: number): WeightTable => {
    const starts = new Uint32Array(BUCKETS + 1)
    for (let bucket = 0; bucket < BUCKETS; bucket++)
      starts[bucket + 1] = starts[bucket]! + bytes[tablesAt + nth * BUCKETS + bucket]!
    const groups = new Uint16Array(count)
    for (let at = 0; at < count; at++) groups[at] = view.getUint16(groupsAt + 2 * (first + at), true)
    const weights = Int8Array.from(bytes.subarray(weightsAt + first, weightsAt + first + count))
    return { starts, groups, weights }
  }
  const codes = Array.from({ length: codeCount! }, (_, nth) =>
    String(view.getUint32(HEADER_BYTES + 4 * nth, true)).padStart(6, '0'),
  )
  const { headingOf, firstOf } = headingsOf(codes)
  const numbers = new Map(lexiconCodes.map((code, number) => [code, number]))
  const lexiconCode = Int32Array.from(codes, (code) => numbers.get(code) ?? NONE)
  const subheadingOf = new Int32Array(lexiconCodes.length).fill(NONE)
  lexiconCode.forEach((number, subheading) => {
    if (number !== NONE) subheadingOf[number] = subheading
  })
  return {
    headings: table(0, 0, ofHeadings!),
    subheadings: table(1, ofHeadings!, ofSubheadings!),
    headingOf,
    firstOf,
    lexiconCode,
    subheadingOf,
    space: {
      headings: new Float64Array(firstOf.length - 1),
      subheadings: new Float64Array(codes.length),
    },
  }
}

/** The headings of ascending codes, as in `TextModel`. */
export function headingsOf(codes: readonly string[]): Pick<TextModel, 'headingOf' | 'firstOf'> {
  const firsts: number[] = []
  const headingOf = Uint16Array.from(codes, (code, nth) => {
    if (code.slice(0, 4) !== codes[nth - 1]?.slice(0, 4)) firsts.push(nth)
    return firsts.length - 1
  })
  return { headingOf, firstOf: Uint16Array.from([...firsts, codes.length]) }
}

/** The probability of the heading, and that of the subheading within the heading. Both are natural logarithms. */
export type CodeChance = { readonly heading: number; readonly subheading: number }

/** Of a code, 0 to 1. 0 if the model does not have it. */
export function probabilityOf(chance: CodeChance | undefined): number {
  return chance === undefined ? 0 : Math.exp(chance.heading + chance.subheading)
}

export type TextChances = {
  /** The most probable codes of the lexicon by number, best first, at most `PROPOSED`. */
  readonly proposed: readonly number[]
  /** Of a code of the lexicon. Valid until the next text. Undefined if the model does not have the code. */
  readonly chanceOf: (code: number) => CodeChance | undefined
}

export const PROPOSED = 12
/** Codes of less probable headings are not proposed. */
const HEADINGS = 8

export function textChances(model: TextModel, words: readonly LexiconWord[]): TextChances {
  const features = textFeatures(words)
  const { headings, subheadings } = model.space
  sumWeights(model.headings, features, headings)
  sumWeights(model.subheadings, features, subheadings)
  const total = logOfSum(headings, 0, headings.length)
  const chanceOf = (subheading: number): CodeChance => {
    const heading = model.headingOf[subheading]!
    const among = logOfSum(subheadings, model.firstOf[heading]!, model.firstOf[heading + 1]!)
    return { heading: headings[heading]! - total, subheading: subheadings[subheading]! - among }
  }
  const likely: { readonly code: number; readonly chance: number }[] = []
  for (const heading of highest(headings, HEADINGS)) {
    for (let nth = model.firstOf[heading]!; nth < model.firstOf[heading + 1]!; nth++) {
      const chance = chanceOf(nth)
      if (model.lexiconCode[nth] !== NONE)
        likely.push({ code: model.lexiconCode[nth]!, chance: chance.heading + chance.subheading })
    }
  }
  likely.sort((a, b) => b.chance - a.chance || a.code - b.code)
  return {
    proposed: likely.slice(0, PROPOSED).map(({ code }) => code),
    chanceOf: (code) => {
      const subheading = model.subheadingOf[code]!
      return subheading === NONE ? undefined : chanceOf(subheading)
    },
  }
}

function sumWeights(table: WeightTable, { buckets, values }: TextFeatures, sums: Float64Array): void {
  const { starts, groups, weights } = table
  sums.fill(0)
  for (let nth = 0; nth < buckets.length; nth++) {
    const value = WEIGHT_STEP * values[nth]!
    const end = starts[buckets[nth]! + 1]!
    for (let at = starts[buckets[nth]!]!; at < end; at++) sums[groups[at]!]! += value * weights[at]!
  }
}

/** The logarithm of the sum of exponentials. */
function logOfSum(list: Float64Array, from: number, to: number): number {
  let max = -Infinity
  for (let at = from; at < to; at++) max = Math.max(max, list[at]!)
  let sum = 0
  for (let at = from; at < to; at++) sum += Math.exp(list[at]! - max)
  return max + Math.log(sum)
}

/** The positions of the highest numbers, highest first; of equal ones, the earlier. */
function highest(list: Float64Array, count: number): readonly number[] {
  const best: number[] = []
  for (let at = 0; at < list.length; at++) {
    if (best.length === count && list[at]! <= list[best.at(-1)!]!) continue
    let place = best.length
    while (place > 0 && list[best[place - 1]!]! < list[at]!) place--
    best.splice(place, 0, at)
    if (best.length > count) best.pop()
  }
  return best
}

/** True if a word makes a heading or a subheading more probable. */
export function pointsTo(model: TextModel, key: string, code: number): boolean {
  return raises(model, wordBucket(key), code)
}

/**
 * True if a word makes a heading or a subheading more probable, and so does its beginning, or the same word as a head
 * noun. An unknown word shares the weights of each of these features with other words, so it rarely passes.
 */
export function clearlyPointsTo(model: TextModel, key: string, code: number): boolean {
  const others = [`head ${key}`, ...(key.length > BEGINNING_LENGTH ? [beginningOf(key)] : [])]
  return pointsTo(model, key, code) && others.some((name) => raises(model, bucketOf(name), code))
}

function raises(model: TextModel, bucket: number, code: number): boolean {
  const subheading = model.subheadingOf[code]!
  if (subheading === NONE) return false
  return (
    isRaised(model.headings, bucket, model.headingOf[subheading]!) ||
    isRaised(model.subheadings, bucket, subheading)
  )
}

function isRaised({ starts, groups, weights }: WeightTable, bucket: number, group: number): boolean {
  const end = starts[bucket + 1]!
  for (let at = starts[bucket]!; at < end; at++) if (groups[at] === group && weights[at]! > 0) return true
  return false
}
