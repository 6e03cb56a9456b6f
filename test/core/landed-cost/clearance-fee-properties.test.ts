/** Clearance fees on random data equal those of the oracle. */
import { expect, test } from 'vitest'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { estimateRequest, givenCode } from '../../../src/core/customs/estimate/estimate.ts'
import { clearanceFees } from '../../../src/core/landed-cost/clearance-fee.ts'
import { consignmentOf } from '../../support/oracle/customs/case.ts'
import { oracleClearanceFees } from '../../support/oracle/customs/clearance.ts'
import { oracleEstimate } from '../../support/oracle/customs/estimate.ts'
import { caseCount } from '../../support/random/case-count.ts'
import { randomCustomsRows } from '../../support/random/customs.ts'
import { CARRIERS } from '../../support/random/customs-conditional.ts'
import { randomCustomsRequest, withPlainCodes } from '../../support/random/customs-request.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'

const WORLDS = caseCount(25, 2000)
const REQUESTS = 10

test(`the fees for ${WORLDS * REQUESTS} random requests are those of the oracle`, () => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= WORLDS; seed++) {
    const dice = diceOf(seed)
    const rows = randomCustomsRows(dice)
    const tables = compileCustoms(rows)
    for (let count = 0; count < REQUESTS; count++) {
      const { request, date } = randomCustomsRequest(dice, rows)
      const plain = withPlainCodes(request)
      const codes = plain.items.map(({ tariff }) => (tariff === undefined ? undefined : givenCode(tariff)))
      const duties = estimateRequest(tables, plain, codes, date)
      const oracle = oracleEstimate(rows, request, date)
      const consignment = consignmentOf(rows, request, date)
      for (const carrierCode of CARRIERS)
        for (const productId of ['1', '2']) {
          const shipment = { carrierCode, productId, destination: plain.to.country }
          const fees = clearanceFees(duties, shipment)
          const found = fees.map(
            ({ row, amountCents, computed }) => `${row.fee} ${computed ? amountCents : 'not computed'}`,
          )
          const expected = oracleClearanceFees(consignment, oracle, [carrierCode, productId])
          expect(found, `seed ${seed}, request ${count}`).toEqual(expected)
          for (const { row, computed } of fees) seen.add(`${row.kind} ${computed}`)
        }
    }
  }
  expect([...seen].sort()).toEqual([
    'fixed false',
    'fixed true',
    'share_of_charges false',
    'share_of_charges true',
  ])
}, 120_000)
