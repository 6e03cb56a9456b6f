/**
 * Properties of estimates on random data: equality with the oracle (test/support/oracle/customs), and invariants of
 * every estimate.
 */
import { describe, expect, test } from 'vitest'
import { type CompiledCustoms, compileCustoms } from '../../../../src/core/customs/compiled-customs.ts'
import { IMPORT_SCHEMES, type ImportScheme } from '../../../../src/core/customs/data/row-types/thresholds.ts'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
  otherSchemeOf,
  shareByItem,
} from '../../../../src/core/customs/estimate/estimate.ts'
import {
  describeLine,
  dutyBasis,
  lineBaseCents,
  lineLeastCents,
  lineRatePercent,
  lineRateRange,
} from '../../../../src/core/customs/estimate/explain/line.ts'
import { collectorOf } from '../../../../src/core/customs/estimate/import-schemes/collector.ts'
import { schemeOfSome } from '../../../../src/core/customs/estimate/import-schemes/seller-scheme.ts'
import { type EngineUnderTest, estimateDifferences } from '../../../support/oracle/customs/compare.ts'
import type { OracleRequest } from '../../../support/oracle/customs/estimate.ts'
import { caseCount } from '../../../support/random/case-count.ts'
import { randomCustomsRows } from '../../../support/random/customs.ts'
import { randomCustomsRequest, withPlainCodes } from '../../../support/random/customs-request.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'

const WORLDS = caseCount(80, 4000)
const REQUESTS = 25
const GENERATED = caseCount(6_000, 100_000)
const VARIED = caseCount(1_000, 50_000)

function estimate(tables: CompiledCustoms, request: OracleRequest, date: string): DutiesEstimate {
  const codes = request.items.map(({ tariff }) => (tariff === undefined ? undefined : givenCode(tariff)))
  return estimateRequest(tables, request, codes, date)
}

const engine: EngineUnderTest = (rows) => {
  const tables = compileCustoms(rows)
  return (request, date) => {
    const found = estimate(tables, request, date)
    const { taxes, estimateCents, checkoutCents, complete, consignment } = found
    const lines = taxes.map((line) => ({
      ...line,
      baseCents: lineBaseCents(line),
      basis: dutyBasis(line),
      leastCents: lineLeastCents(line),
      collectedBy: collectorOf(consignment, line),
    }))
    const used = schemeOfSome(consignment)
    const sellerScheme = used && `${used.scheme.row.scheme} ${used.basis}`
    return { lines, estimateCents, checkoutCents, complete, otherScheme: otherSchemeOf(found), sellerScheme }
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
      const tables = compileCustoms(rows)
      for (let count = 0; count < 500; count++, requests++) {
        const { request, date } = randomCustomsRequest(dice, rows)
        const fault = faultOf(estimate(tables, withPlainCodes(request), date))
        if (fault !== '') faults.push(`seed ${seed}, request ${count}: ${fault}`)
      }
    }
    expect(faults).toEqual([])
  }, 120_000)
})

describe(`for ${VARIED} generated requests`, () => {
  test('other schemes, the order of the items and a second run do not change what they must not change', () => {
    let requests = 0
    const faults: string[] = []
    for (let seed = 1; requests < VARIED; seed++) {
      const dice = diceOf(seed)
      const rows = randomCustomsRows(dice)
      const tables = compileCustoms(rows)
      for (let count = 0; count < 50; count++, requests++) {
        const { request, date } = randomCustomsRequest(dice, rows)
        const plain = withPlainCodes(request)
        const fault = faultOfVariants(tables, plain, date) || faultOfShares(estimate(tables, plain, date))
        if (fault !== '') faults.push(`seed ${seed}, request ${count}: ${fault}`)
      }
    }
    expect(faults).toEqual([])
  }, 240_000)
})

/** The lines with their amounts. */
const moneyOf = ({ taxes }: DutiesEstimate): string =>
  taxes.map(({ harmonizedCode, name, amountCents }) => `${harmonizedCode} ${name} ${amountCents}`).join('\n')

/** The first fault of the estimate under other schemes and in another order; empty if there is none. */
function faultOfVariants(tables: CompiledCustoms, request: OracleRequest, date: string): string {
  const actual = estimate(tables, request, date)
  if (moneyOf(estimate(tables, request, date)) !== moneyOf(actual)) return 'a second run differs'
  const under = (importScheme: ImportScheme) => estimate(tables, { ...request, importScheme }, date)
  const { importScheme } = actual.consignment
  // A scheme that is given, other than that of the seller, says that the seller does not collect the tax. IOSS says so
  // only if the request said before that the seller does.
  const used = schemeOfSome(actual.consignment)?.scheme.row.scheme
  const isKept = importScheme === 'IOSS' && request.importScheme !== 'SELLER_COLLECTS'
  const isAlone = used === undefined || used === importScheme || isKept
  if (importScheme !== undefined && isAlone && moneyOf(under(importScheme)) !== moneyOf(actual))
    return `the assumed scheme ${importScheme} gives another estimate if it is given`
  const isSame = IMPORT_SCHEMES.every((scheme) => moneyOf(under(scheme)) === moneyOf(actual))
  if (otherSchemeOf(actual) === undefined && !isSame)
    return 'there is no other scheme, but the estimate depends on the scheme'
  const reversed = estimate(tables, { ...request, items: request.items.toReversed() }, date)
  return reversed.estimateCents === actual.estimateCents
    ? ''
    : `${actual.estimateCents} cents, in reverse order ${reversed.estimateCents}`
}

/** The first fault of the items' shares and of the ranges; empty if there is none. */
function faultOfShares(found: DutiesEstimate): string {
  const shares = shareByItem(found).flat()
  if (shares.some(({ amountCents }) => amountCents < 0)) return 'a share below zero'
  for (const [index, line] of found.taxes.entries()) {
    const sum = shares.reduce((all, one) => all + (one.lineIndex === index ? one.amountCents : 0), 0)
    if (sum !== line.amountCents) return `shares of ${sum} cents in a line of ${line.amountCents}`
    const range = lineRateRange(line)
    if (range === undefined) continue
    const [lowest, highest] = [Number(range.lowestPercent), Number(range.highestPercent)]
    const percent = Number(lineRatePercent(line) ?? lowest)
    if (percent < lowest || percent > highest)
      return `${line.name}: ${percent}% is not between ${lowest}% and ${highest}%`
  }
  return ''
}

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
