/** The largest request that validation accepts has an estimate: its amounts stay within the safe integers. */
import { expect, test } from 'vitest'
import { estimateRequest, givenCode } from '../../../../src/core/customs/estimate/estimate.ts'
import { checkDutiesRequest } from '../../../../src/core/customs/request.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'
import { lineTexts } from '../../../support/customs/small-estimate.ts'

const tables = shippedTables()
const UNITS = ['l', 'l pure alcohol', 'sticks']

test.each([
  '220830',
  '240220',
  '240319',
  '04069021',
])('estimates 99 items of %s with the greatest value and quantities', (tariff) => {
  for (const country of ['GB', 'NL', 'US', 'NO']) {
    const request = checkDutiesRequest({
      from: { country: 'CN' },
      to: { country },
      contentItems: Array.from({ length: 99 }, () => ({
        ...{ description: 'goods', numberOfItems: 1_000_000, cost: 10_000, tariff },
        ...{ weight: 100, alcoholPercent: 100, quantities: UNITS.map((unit) => ({ unit, amount: 100 })) },
      })),
    })
    if ('kind' in request) throw new Error(JSON.stringify(request.fields[0]))
    const estimate = estimateRequest(
      tables,
      request,
      request.items.map(() => givenCode(tariff)),
      '2026-11-21',
    )
    expect(Number.isSafeInteger(estimate.estimateCents)).toBe(true)
    expect(lineTexts(estimate).length).toBe(estimate.taxes.length)
  }
})
