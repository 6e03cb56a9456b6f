/**
 * Published calculations of duties and taxes against the engine. WORKED_CASES names another file of the same form as
 * test/fixtures/customs/worked-cases.json. Prints every case; exits 1 when one is missed, 2 when the file cannot be
 * read.
 */
import path from 'node:path'
import { readWorkedCases, type WorkedCase } from './file.ts'
import { describeOutcome, describeSum } from './report.ts'
import { runWorkedCase } from './worked-cases.ts'

const OWN_COPY = path.resolve(import.meta.dirname, '../../fixtures/customs/worked-cases.json')

function readCases(file: string): readonly WorkedCase[] | undefined {
  try {
    return readWorkedCases(file)
  } catch (error) {
    console.error(`cannot read ${file}: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
}

const named = process.env['WORKED_CASES']
const cases = readCases(named === undefined || named === '' ? OWN_COPY : named)
if (cases === undefined) process.exitCode = 2
else {
  const outcomes = cases.map(runWorkedCase)
  for (const outcome of outcomes) console.log(`${describeOutcome(outcome).join('\n')}\n`)
  console.log(describeSum(outcomes))
  if (outcomes.some(({ isOk }) => !isOk)) process.exitCode = 1
}
