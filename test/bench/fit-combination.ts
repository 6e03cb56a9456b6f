/**
 * Fits how the classifier combines terms with the text model: `npx tsx test/bench/fit-combination.ts rows.csv
 * [text-model.bin]` (columns description, hs6, source and optionally weight) prints the values for
 * `textModel` and `sharpness` in classifier-weights.ts: a conditional logit over the candidates of both, with Newton
 * steps and a small L2 penalty. Give a text model that was trained without these rows. For each source it also prints
 * how often the first and the first five codes are right, by terms alone and combined, by parameters that were fitted
 * on the other four fifths of the rows. It ignores what `combine` leaves to the terms.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parse } from 'csv-parse/sync'
import { evidenceOf } from '../../src/core/classification/classify.ts'
import { compileLexicon } from '../../src/core/classification/compile-lexicon.ts'
import { LEAST_HEADING, LEAST_SUBHEADING } from '../../src/core/classification/models/combine.ts'
import { openTextModel, textChances } from '../../src/core/classification/models/text-model.ts'
import { readLexicon } from '../../src/reference/lexicon-reader/lexicon.ts'
import { readTextModel } from '../../src/reference/text-model/read-text-model.ts'
import { solve } from './solve.ts'

type Labelled = {
  readonly description: string
  readonly hs6: string
  readonly source: string
  readonly weight?: string
}
type Example = {
  readonly source: string
  readonly fold: number
  readonly weight: number
  readonly codes: readonly string[]
  readonly byTerms: readonly string[]
  /**
   * Of each code: logarithm of the score share, of the probabilities, and 1 if only the text model proposes it.
   */
  readonly features: readonly (readonly number[])[]
  readonly hs6: string
}

const PENALTY = 0.3
const STEPS = 25
const FOLDS = 5
const SIZE = 4

const [file, modelFile] = process.argv.slice(2)
if (file === undefined) {
  console.error('usage: npx tsx test/bench/fit-combination.ts rows.csv [text-model.bin]')
  process.exit(2)
}
const lexicon = compileLexicon(readLexicon())
const textModel = openTextModel(
  readTextModel(modelFile === undefined ? undefined : pathToFileURL(modelFile)),
  lexicon.codes,
)
const rows: Labelled[] = parse(readFileSync(file), { columns: true, bom: true, skip_empty_lines: true })
const examples = rows.map(exampleOf)
const [score, heading, subheading, proposed] = fit(examples) as [number, number, number, number]
console.log(
  `textModel: { heading: ${(heading / score).toFixed(2)}, subheading: ${(subheading / score).toFixed(2)}, proposedShare: ${Math.exp(proposed / score).toFixed(2)} }, sharpness: ${score.toFixed(2)}`,
)
printFolds()

function exampleOf({ description, hs6, source, weight = '1' }: Labelled): Example {
  const evidence = evidenceOf(lexicon, description)
  const byTerms = evidence?.codes ?? []
  const scores = new Map(byTerms.map((code, nth) => [code, evidence!.scores[nth]! / evidence!.scores[0]!]))
  const chances = textChances(textModel, lexicon.read(description))
  const codes = [...new Set([...byTerms, ...chances.proposed.map((code) => lexicon.codes[code]!)])]
  const features = codes.map((code) => {
    const chance = chances.chanceOf(lexicon.codes.indexOf(code))
    return [
      Math.log(scores.get(code) ?? 1),
      Math.max(LEAST_HEADING, chance?.heading ?? LEAST_HEADING),
      Math.max(LEAST_SUBHEADING, chance?.subheading ?? LEAST_SUBHEADING),
      scores.has(code) ? 0 : 1,
    ]
  })
  const fold = createHash('sha256').update(`fold ${description}`).digest()[0]! % FOLDS
  return { source, fold, weight: Number(weight), codes, byTerms, features, hs6 }
}

/** The parameters with the highest likelihood of the right codes, minus the penalty. */
function fit(list: readonly Example[]): number[] {
  const usable = list.filter(({ codes, hs6 }) => codes.includes(hs6))
  let parameters: number[] = Array.from({ length: SIZE }, () => 0)
  for (let step = 0; step < STEPS; step++) {
    const slope = parameters.map((parameter) => -PENALTY * parameter)
    const bend = parameters.map((_, row) => parameters.map((__, at) => (row === at ? PENALTY : 0)))
    for (const { features, codes, hs6, weight } of usable) {
      const chances = probabilities(features, parameters)
      const mean = parameters.map((_, at) =>
        features.reduce((sum, feature, nth) => sum + chances[nth]! * feature[at]!, 0),
      )
      const right = features[codes.indexOf(hs6)]!
      for (let row = 0; row < SIZE; row++) {
        slope[row]! += weight * (right[row]! - mean[row]!)
        for (let at = 0; at < SIZE; at++)
          bend[row]![at]! +=
            weight *
            features.reduce(
              (sum, feature, nth) =>
                sum + chances[nth]! * (feature[row]! - mean[row]!) * (feature[at]! - mean[at]!),
              0,
            )
      }
    }
    const change = solve(bend, slope)
    parameters = parameters.map((parameter, at) => parameter + Math.max(-1, Math.min(1, change[at]!)))
  }
  return parameters
}

function probabilities(features: Example['features'], parameters: readonly number[]): readonly number[] {
  const sums = features.map((feature) => feature.reduce((sum, value, at) => sum + value * parameters[at]!, 0))
  const most = Math.max(...sums)
  const powers = sums.map((sum) => Math.exp(sum - most))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map((power) => power / total)
}

function printFolds(): void {
  const parameters = Array.from({ length: FOLDS }, (_, fold) =>
    fit(examples.filter((example) => example.fold !== fold)),
  )
  const ranked = examples.map(({ features, codes, fold }) => {
    const chances = probabilities(features, parameters[fold]!)
    return [...codes.keys()].sort((a, b) => chances[b]! - chances[a]!).map((nth) => codes[nth]!)
  })
  for (const source of new Set(examples.map((example) => example.source))) {
    const ofSource = [...examples.keys()].filter((nth) => examples[nth]!.source === source)
    const share = (codesOf: (nth: number) => readonly string[], first: number): string => {
      const right = ofSource.filter((nth) => codesOf(nth).slice(0, first).includes(examples[nth]!.hs6))
      return ((100 * right.length) / ofSource.length).toFixed(1)
    }
    const gains = ofSource.map((nth) => isFirst(ranked[nth]!, nth) - isFirst(examples[nth]!.byTerms, nth))
    const gain = gains.reduce((sum, one) => sum + one, 0) / gains.length
    const error = Math.sqrt(gains.reduce((sum, one) => sum + (one - gain) ** 2, 0)) / gains.length
    const byTerms = (nth: number): readonly string[] => examples[nth]!.byTerms
    console.log(
      `  ${source}: ${ofSource.length} rows, first ${share(byTerms, 1)} → ${share((nth) => ranked[nth]!, 1)} (${(100 * gain).toFixed(1)} ± ${(100 * error).toFixed(1)}), five ${share(byTerms, 5)} → ${share((nth) => ranked[nth]!, 5)}`,
    )
  }
}

function isFirst(codes: readonly string[], nth: number): number {
  return codes[0] === examples[nth]!.hs6 ? 1 : 0
}
