/** Published calculations of duties and taxes, to the cent, and the script that runs a file of them. */

import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { programArguments } from '../../../support/app/compiled-programs.ts'
import { makeThrowAwayFolder } from '../../../support/app/throw-away-folder.ts'
import { readWorkedCases, toWorkedCase } from '../../../support/worked-cases/file.ts'
import { describeOutcome, describeSum } from '../../../support/worked-cases/report.ts'
import { runWorkedCase } from '../../../support/worked-cases/worked-cases.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const cases = readWorkedCases(path.join(root, 'test/fixtures/customs/worked-cases.json'))

/** Goods of 100 with VAT of 20%; `inputs` adds or replaces inputs. */
function simpleCase(inputs: object, expected: object) {
  return {
    id: 'simple',
    destination: 'AA',
    currency: 'EUR',
    inputs: { goods: 100, vat: 20, ...inputs },
    expected: { lines: [['VAT', '20.00']], total: '20.00', ...expected },
  }
}

const outcomeOf = (inputs: object, expected: object) =>
  runWorkedCase(toWorkedCase(simpleCase(inputs, expected)))

describe('published calculations', () => {
  test.each(
    cases.map((workedCase) => [workedCase.id, workedCase] as const),
  )('%s has the published result', (_, workedCase) => {
    const outcome = runWorkedCase(workedCase)
    expect(outcome.isOk, describeOutcome(outcome).join('\n')).toBe(true)
  })

  test('are 28 cases with distinct names', () => {
    expect(new Set(cases.map(({ id }) => id)).size).toBe(28)
  })
})

describe('the result of a case', () => {
  test('is ok if everything agrees', () => {
    expect(outcomeOf({}, {}).isOk).toBe(true)
  })

  test('is ok if a line of 0.00 is only published or only calculated', () => {
    const published = {
      lines: [
        ['Entry fee', '0.00'],
        ['VAT', '20.00'],
      ],
    }
    expect(outcomeOf({ duties: [{ name: 'Duty', adValorem: 0 }] }, published).isOk).toBe(true)
  })

  test.each([
    ['if a line is a cent off', {}, { lines: [['VAT', '20.01']] }],
    ['if the total is a cent off', {}, { total: '19.99' }],
    ['if its base is another', {}, { base: '101.00' }],
    [
      'if a published line is not charged',
      {},
      {
        lines: [
          ['VAT', '20.00'],
          ['Fee', '1.00'],
        ],
      },
    ],
    ['if a charged line is not published', { duties: [{ name: 'Duty', adValorem: 1 }] }, {}],
    [
      'if the stated base is not the calculated one',
      { freight: 5, vatBase: 100 },
      { lines: [['VAT', '21.00']], total: '21.00' },
    ],
    [
      'if part of a duty cannot be calculated',
      { duties: [{ name: 'Duty', expression: '0% + 1 EUR/kg' }] },
      {},
    ],
  ])('is a miss %s', (_, inputs, expected) => {
    const outcome = outcomeOf(inputs, expected)
    expect(outcome.isOk).toBe(false)
  })

  test('shows the published next to the calculated amount', () => {
    const text = describeOutcome(outcomeOf({}, { lines: [['VAT', '20.01']] })).join('\n')
    expect(text).toMatch(/^MISS {2}simple/)
    expect(text).toMatch(/VAT +20\.01 +20\.00 +MISS/)
  })
})

describe('a case that cannot be read is a miss, and the fault names the key:', () => {
  test.each([
    ['an unknown key', { moonTax: 3 }, 'inputs.moonTax: this key is not understood'],
    [
      'an unknown key of a duty',
      { duties: [{ adValorem: 0, moon: 1 }] },
      'inputs.duties[0].moon: this key is not understood',
    ],
    [
      'an unknown key of a specific rate',
      { duties: [{ specific: { rate: 1, unit: 'kg', quantity: 1, per: 'day' } }] },
      'inputs.duties[0].specific.per: this key is not understood',
    ],
    [
      'an amount in a currency without a rate',
      { freightUSD: 5 },
      'inputs.freightUSD: an amount in USD, and no rate to EUR is given',
    ],
    [
      'a figure that is not a number',
      { vat: 'much' },
      'inputs.vat: "much" is no percentage of up to four decimals',
    ],
    [
      'freight with more than two decimals',
      { freight: '5.001' },
      'inputs.freight: 5.001 has more than two decimals, or too many digits',
    ],
    [
      'a rate that cannot be parsed',
      { duties: [{ expression: '5% of the moon' }] },
      'inputs.duties[0].expression: the rate "5% of the moon" is not understood',
    ],
    [
      'a rounding that the engine does not have',
      { rounding: 'half_even_cent' },
      'inputs.rounding: the rounding "half_even_cent" is not understood',
    ],
    ['a duty without a rate', { duties: [{ name: 'Duty' }] }, 'duties: Duty has no rate'],
    [
      'two different quantities of one kind',
      { quantity: { tonne: 2, kg: 100 } },
      'inputs.quantity.kg: another quantity of the same kind is given, or it has more than six decimals',
    ],
    ['two values of the goods', { price: 90 }, 'inputs.price: a second value of the goods beside 100'],
  ])('%s', (_, inputs, problem) => {
    const outcome = outcomeOf(inputs, {})
    expect(outcome.isOk).toBe(false)
    expect(outcome.problems).toContain(problem)
  })

  test('an unknown key in what is expected', () => {
    expect(outcomeOf({}, { landed: '120.00' }).problems).toContain(
      'expected.landed: this key is not understood',
    )
  })

  test('a case without inputs or lines', () => {
    const { problems } = runWorkedCase(toWorkedCase({ id: 'empty' }))
    expect(problems).toEqual(expect.arrayContaining(['inputs: missing', 'expected.lines: missing']))
  })
})

describe('npm run test:customs-cases', () => {
  const folder = makeThrowAwayFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const runScript = (file?: string): Promise<{ readonly code: number; readonly output: string }> =>
    new Promise((resolve) => {
      const { WORKED_CASES: _, ...env } = process.env
      execFile(
        process.execPath,
        programArguments('test/support/worked-cases/main.ts'),
        { cwd: root, env: { ...env, ...(file !== undefined && { WORKED_CASES: file }) } },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      )
    })

  const writeCases = (content: unknown): string => {
    const file = path.join(folder, 'cases.json')
    writeFileSync(file, JSON.stringify(content))
    return file
  }

  test('runs the file of this repository and ends with the totals', async () => {
    const { code, output } = await runScript()
    expect(code).toBe(0)
    expect(output.trimEnd().split('\n').at(-1)).toBe(describeSum(cases.map(runWorkedCase)))
    expect(output).toMatch(/\n28 cases: 28 ok, 0 missed\n$/)
  })

  test('runs another file, and exits with 1 after a miss', async () => {
    const right = simpleCase({}, {})
    const wrong = simpleCase({}, { total: '21.00' })
    const { code, output } = await runScript(writeCases({ note: '', cases: [right, wrong] }))
    expect(code).toBe(1)
    expect(output).toMatch(/\n2 cases: 1 ok, 1 missed\n$/)
  })

  test('exits with 2 if the file does not exist or has no cases', async () => {
    expect((await runScript(path.join(folder, 'nowhere.json'))).code).toBe(2)
    expect((await runScript(writeCases({ cases: [] }))).code).toBe(2)
  })
})
