/**
 * Compares published calculations of duties and taxes with the engine, and prints every case. The file is
 * test/fixtures/customs/worked-cases.json, or the one that WORKED_CASES names. Exit code 1: a case differs. Exit code 2:
 * the file cannot be read.
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
