/**
 * The fall-back of the classifier: a word model over chapter, heading and subheading, trained on the lexicon's own
 * terms. A subheading's word frequencies are smoothed by its heading's, those by the chapter's, those by all words'.
 */
import type { ClassifierWeights } from './classifier-weights.ts'

/** One code's training words: how often each folded word occurs in its terms and label. */
export type TrainingWords = { readonly code: string; readonly counts: ReadonlyMap<string, number> }

/** What a word adds to the score of each group it occurs in: group number and gain (logarithm, above 0), in turn. */
type Gains = ReadonlyMap<string, readonly number[]>

/** What the words say of the groups of one level. */
type ModelLevel = {
  readonly gains: Gains
  /** The number of groups. */
  readonly size: number
  /** The group of each code, by the code's index in the training. */
  readonly groupOf: readonly number[]
}

/** The trained model. A group is a chapter, a heading or a subheading. */
export type WordModel = {
  readonly chapters: ModelLevel
  readonly headings: ModelLevel
  readonly codes: ModelLevel
  readonly codeCount: number
}

/**
 * Trains the model. A word's gain in a group is the logarithm of how much more frequent it is there than in the
 * group above. Words a group does not have cost nothing, so that long titles do not drown in unknown words.
 */
export function trainWordModel(training: readonly TrainingWords[], weights: ClassifierWeights): WordModel {
  const all = countAll(training)
  const whole: Level = { groupOf: training.map(() => 0), groups: [all] }
  const overall = [new Map([...all.counts].map(([word, count]) => [word, count / all.total]))]
  const chapters = levelOf(training, 2)
  const headings = levelOf(training, 4)
  const codes = levelOf(training, 6)
  const inChapter = shares(chapters, whole, overall, weights.chapterSmoothing)
  const inHeading = shares(headings, chapters, inChapter, weights.headingSmoothing)
  const inCode = shares(codes, headings, inHeading, weights.codeSmoothing)
  return {
    chapters: modelLevel(chapters, whole, inChapter, overall, weights.chapterSay),
    headings: modelLevel(headings, chapters, inHeading, inChapter, weights.headingSay),
    codes: modelLevel(codes, headings, inCode, inHeading, weights.codeSay),
    codeCount: training.length,
  }
}

/** The score of every code, by index, for words with their say (0 to 1). Natural logarithms, added up. */
export function scoreWords(model: WordModel, words: ReadonlyMap<string, number>): Float64Array {
  const scores = new Float64Array(model.codeCount)
  for (const level of [model.chapters, model.headings, model.codes]) {
    const sums = new Float64Array(level.size)
    for (const [word, say] of words) {
      const gains = level.gains.get(word) ?? []
      for (let at = 0; at < gains.length; at += 2) sums[gains[at]!]! += say * gains[at + 1]!
    }
    for (let code = 0; code < scores.length; code++) scores[code]! += sums[level.groupOf[code]!]!
  }
  return scores
}

type Group = { readonly counts: ReadonlyMap<string, number>; readonly total: number }
type Level = { readonly groupOf: readonly number[]; readonly groups: readonly Group[] }
/** Per group, the smoothed share of each of its words. */
type Shares = readonly ReadonlyMap<string, number>[]

function levelOf(training: readonly TrainingWords[], digits: number): Level {
  const members: TrainingWords[][] = []
  const numbers = new Map<string, number>()
  const groupOf = training.map((each) => {
    const key = each.code.slice(0, digits)
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    const list = members[number] ?? []
    list.push(each)
    members[number] = list
    return number
  })
  return { groupOf, groups: members.map(countAll) }
}

function countAll(members: readonly TrainingWords[]): Group {
  const counts = new Map<string, number>()
  let total = 0
  for (const member of members) {
    for (const [word, count] of member.counts) {
      counts.set(word, (counts.get(word) ?? 0) + count)
      total += count
    }
  }
  return { counts, total }
}

function shares(level: Level, above: Level, aboveShares: Shares, smoothing: number): Shares {
  const parents = parentsOf(level, above)
  return level.groups.map(({ counts, total }, number) => {
    const parent = aboveShares[parents[number]!]!
    return new Map(
      [...counts].map(([word, count]) => [
        word,
        (count + smoothing * parent.get(word)!) / (total + smoothing),
      ]),
    )
  })
}

function modelLevel(level: Level, above: Level, own: Shares, aboveShares: Shares, say: number): ModelLevel {
  const parents = parentsOf(level, above)
  const gains = new Map<string, number[]>()
  own.forEach((words, number) => {
    const parent = aboveShares[parents[number]!]!
    for (const [word, share] of words) {
      const gain = say * Math.log(share / parent.get(word)!)
      if (gain <= 0.01) continue
      const list = gains.get(word) ?? []
      list.push(number, gain)
      gains.set(word, list)
    }
  })
  return { gains, size: level.groups.length, groupOf: level.groupOf }
}

/** The group above each group: that of any of its codes. */
function parentsOf(level: Level, above: Level): number[] {
  const parents: number[] = []
  level.groupOf.forEach((group, code) => {
    parents[group] = above.groupOf[code]!
  })
  return parents
}
