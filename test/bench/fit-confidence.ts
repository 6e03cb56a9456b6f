/**
 * Fits the confidence of the classifier on labelled descriptions: `npm run fit:confidence -- file.csv` prints the
 * values for `confidence` in classifier-weights.ts. Logistic regression with Newton steps and a small L2 penalty. Each
 * source counts with the square root of its number of rows.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { evidenceOf, featuresOf } from '../../src/core/classification/classify.ts'
import { compileLexicon } from '../../src/core/classification/compile-lexicon.ts'
import { readLexicon } from '../../src/reference/lexicon-reader/lexicon.ts'

type Labelled = { readonly description: string; readonly hs6: string; readonly source: string }
type Example = { readonly features: readonly number[]; readonly isRight: boolean; readonly weight: number }

const PENALTY = 1
const STEPS = 30

const files = process.argv.slice(2)
const rows: Labelled[] = files.flatMap((file) =>
  parse(readFileSync(file), { columns: true, bom: true, trim: true, skip_empty_lines: true }),
)
const lexicon = compileLexicon(readLexicon())
const sizes = new Map<string, number>()
for (const { source } of rows) sizes.set(source, (sizes.get(source) ?? 0) + 1)
const examples: Example[] = rows.flatMap(({ description, hs6, source }) => {
  const evidence = evidenceOf(lexicon, description)
  if (evidence === undefined) return []
  const isRight = evidence.codes[0] === hs6
  return [{ features: [1, ...featuresOf(evidence)], isRight, weight: 1 / Math.sqrt(sizes.get(source)!) }]
})
const total = examples.reduce((sum, { weight }) => sum + weight, 0)
const [bias, ...features] = regress(
  examples.map((example) => ({ ...example, weight: (example.weight * examples.length) / total })),
)
console.log(`fitted on ${examples.length} descriptions`)
console.log(
  `bias: ${bias!.toFixed(2)},\nsigns: [${features.map((feature) => feature.toFixed(2)).join(', ')}],`,
)

/** The weights with the highest likelihood of the examples, minus the penalty. */
function regress(list: readonly Example[]): number[] {
  const size = list[0]!.features.length
  let weights: number[] = Array.from({ length: size }, () => 0)
  for (let step = 0; step < STEPS; step++) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : -PENALTY * weight))
    const bend = weights.map((_, row) =>
      weights.map((__, at) => (row === at ? (row === 0 ? 1e-6 : PENALTY) : 0)),
    )
    for (const { features: x, isRight, weight } of list) {
      const p = 1 / (1 + Math.exp(-x.reduce((sum, feature, at) => sum + feature * weights[at]!, 0)))
      for (let row = 0; row < size; row++) {
        slope[row]! += weight * ((isRight ? 1 : 0) - p) * x[row]!
        for (let at = 0; at < size; at++) bend[row]![at]! += weight * p * (1 - p) * x[row]! * x[at]!
      }
    }
    const step_ = solve(bend, slope)
    weights = weights.map((weight, at) => weight + step_[at]!)
  }
  return weights
}

/** Solves a small symmetric system by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rowsOf = matrix.map((row, at) => [...row, right[at]!])
  for (let pivot = 0; pivot < rowsOf.length; pivot++) {
    for (let below = pivot + 1; below < rowsOf.length; below++) {
      const factor = rowsOf[below]![pivot]! / rowsOf[pivot]![pivot]!
      for (let at = pivot; at < rowsOf[below]!.length; at++)
        rowsOf[below]![at]! -= factor * rowsOf[pivot]![at]!
    }
  }
  const solution: number[] = []
  for (let row = rowsOf.length - 1; row >= 0; row--) {
    let value = rowsOf[row]!.at(-1)!
    for (let at = row + 1; at < rowsOf.length; at++) value -= rowsOf[row]![at]! * solution[at]!
    solution[row] = value / rowsOf[row]![row]!
  }
  return solution
}
