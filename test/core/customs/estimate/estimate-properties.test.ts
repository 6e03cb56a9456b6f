/**
 * Properties of estimates on random data: equality with the oracle (test/support/oracle/customs), and invariants of every
 * estimate.
 */
import { describe, expect, test } from 'vitest'
import { dutyBasis } from '../../../../src/core/customs/estimate/basis.ts'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
  otherSchemeOf,
} from '../../../../src/core/customs/estimate/estimate.ts'
import {
  describeLine,
  lineBaseCents,
  lineLeastCents,
} from '../../../../src/core/customs/estimate/explain/line.ts'
import { type CustomsTables, compileCustomsTables } from '../../../../src/core/customs/tables.ts'
import { type EngineUnderTest, estimateDifferences } from '../../../support/oracle/customs/compare.ts'
import type { OracleRequest } from '../../../support/oracle/customs/estimate.ts'
import { caseCount } from '../../../support/random/case-count.ts'
import { randomCustomsRows } from '../../../support/random/customs.ts'
import { randomCustomsRequest, withPlainCodes } from '../../../support/random/customs-request.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'

const WORLDS = caseCount(150, 4000)
const REQUESTS = 25
const GENERATED = caseCount(25_000, 100_000)

function estimate(tables: CustomsTables, request: OracleRequest, date: string): DutiesEstimate {
  const codes = request.items.map(({ tariff }) => (tariff === undefined ? undefined : givenCode(tariff)))
  return estimateRequest(tables, request, codes, date)
}

const engine: EngineUnderTest = (rows) => {
  const tables = compileCustomsTables(rows)
  return (request, date) => {
    const found = estimate(tables, request, date)
    const { taxes, estimateCents, complete } = found
    const lines = taxes.map((line) => ({
      ...line,
      baseCents: lineBaseCents(line),
      basis: dutyBasis(line),
      leastCents: lineLeastCents(line),
    }))
    return { lines, estimateCents, complete, otherScheme: otherSchemeOf(found) }
  }
}

describe('an estimate equals that of the oracle', () => {
  test(`on ${WORLDS} sets of reference data, ${REQUESTS} requests each`, () => {
    for (let seed = 1; seed <= WORLDS; seed++)
      expect(estimateDifferences(engine, seed, REQUESTS).slice(0, 1)).toEqual([])
  }, 600_000)
})

describe(`for ${GENERATED} generated requests`, () => {
  test('the estimate is the sum of its lines, and every line at zero has a reason', () => {
    let requests = 0
    const faults: string[] = []
    for (let seed = 1; requests < GENERATED; seed++) {
      const dice = diceOf(seed)
      const rows = randomCustomsRows(dice)
      const tables = compileCustomsTables(rows)
      for (let count = 0; count < 500; count++, requests++) {
        const { request, date } = randomCustomsRequest(dice, rows)
        const fault = faultOf(estimate(tables, withPlainCodes(request), date))
        if (fault !== '') faults.push(`seed ${seed}, request ${count}: ${fault}`)
      }
    }
    expect(faults).toEqual([])
  }, 120_000)
})

/** The first fault of an estimate; empty if there is none. */
function faultOf({ taxes, estimateCents, complete, items, consignment }: DutiesEstimate): string {
  const sum = taxes.reduce((total, { amountCents }) => total + amountCents, 0)
  if (sum !== estimateCents) return `lines add up to ${sum}, the estimate is ${estimateCents}`
  if (complete !== (taxes.every(({ computed }) => computed) && items.every((item) => item.classification)))
    return 'complete is wrong'
  const keys = new Set(taxes.map(({ harmonizedCode, name }) => `${harmonizedCode} ${name}`))
  if (keys.size !== taxes.length) return 'two lines of one code and name'
  for (const line of taxes) {
    if (!Number.isSafeInteger(line.amountCents) || line.amountCents < 0) return `amount ${line.amountCents}`
    if (!line.computed && line.amountCents !== 0) return `${line.name} is not computed, but not zero`
    if (line.amountCents === 0 && describeLine(consignment, line) === '')
      return `${line.name} is zero without a description`
  }
  return ''
}
