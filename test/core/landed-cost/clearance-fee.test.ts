/** Clearance fees of carriers. Figures are calculated by hand. Goods of EUR 1,000.00 from "BB" owe 10% duty in "AA". */
import { describe, expect, test } from 'vitest'
import type { ClearanceFeeRow } from '../../../src/core/customs/data/row-types/fees.ts'
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import type { DutiesRequest } from '../../../src/core/customs/request.ts'
import { clearanceFees } from '../../../src/core/landed-cost/clearance-fee.ts'
import {
  clearanceFee,
  customsRows,
  exchangeRate,
  jurisdiction,
  measure,
  tax,
} from '../../support/customs/customs-rows.ts'
import { smallEstimate } from '../../support/customs/small-estimate.ts'

const SHIPMENT = { carrierCode: 'parcel-co', productId: '7', destination: 'AA' }

function feesOn(
  rows: readonly ClearanceFeeRow[],
  request: Partial<DutiesRequest> = {},
  rest: Partial<CustomsRows> = {},
  code = '61091000',
): readonly string[] {
  const data = customsRows({
    measures: [measure('61', 10), measure('49', 0)],
    taxes: [tax('VAT', { status: 'none', reason: 'no tax' })],
    clearanceFees: rows,
    ...rest,
  })
  const duties = smallEstimate(data, [[code, 1, 1000]], request)
  return clearanceFees(duties, SHIPMENT).map(
    ({ row, amountCents, computed }) => `${row.fee} ${amountCents}${computed ? '' : '?'}`,
  )
}

const SHARE = clearanceFee('share_of_charges', { ratePpm: 25_000 })
const FIXED = clearanceFee('fixed', { amount: '8.5' })

describe('a clearance fee', () => {
  test.each([
    // The duty is EUR 100.00.
    ['is a share of the charges', SHARE, ['clearance 250']],
    ['is at least its minimum', { ...SHARE, minimum: '12' }, ['clearance 1200']],
    ['is at most its maximum', { ...SHARE, maximum: '1.25' }, ['clearance 125']],
    ['is a fixed amount', FIXED, ['clearance 850']],
    ['applies to its product', { ...FIXED, product: '7' }, ['clearance 850']],
    ['does not apply to another product', { ...FIXED, product: '8' }, []],
    ['does not apply to another carrier', { ...FIXED, carrier: 'other' }, []],
    ['applies to its destination', { ...FIXED, destinations: ['ZZ', 'AA'] }, ['clearance 850']],
    ['does not apply to another destination', { ...FIXED, destinations: ['ZZ'] }, []],
    ['applies to its sending country', { ...FIXED, sentFrom: ['BB'] }, ['clearance 850']],
    ['does not apply to another sending country', { ...FIXED, sentFrom: ['CN'] }, []],
    ['applies up to a value', { ...FIXED, valueUpTo: '1000' }, ['clearance 850']],
    ['does not apply to its lower bound', { ...FIXED, valueAbove: '1000' }, []],
    [
      'does not apply to businesses if it is for individuals',
      { ...FIXED, recipient: 'business' as const },
      [],
    ],
    ['does not apply after its end', { ...FIXED, validTo: '2026-11-21' }, []],
    ['does not apply if it is switched off', { ...FIXED, enabled: false }, []],
  ])('%s', (_name, row, fees) => {
    expect(feesOn([row])).toEqual(fees)
  })

  test('is taken from the first row that fits, for each fee', () => {
    const rows = [
      { ...FIXED, destinations: ['ZZ'], amount: '1' },
      { ...FIXED, product: '7', amount: '2' },
      { ...FIXED, amount: '3' },
      { ...SHARE, fee: 'advance' },
    ]
    expect(feesOn(rows)).toEqual(['clearance 200', 'advance 250'])
  })
  test('in another currency is converted, and so are the bounds of the value', () => {
    const pounds = { exchangeRates: [exchangeRate('GBP', '0.8')] }
    // EUR 1,000 is GBP 800. GBP 8.5 / 0.8 = EUR 10.625.
    expect(feesOn([{ ...FIXED, currency: 'GBP', valueAbove: '799' }], {}, pounds)).toEqual(['clearance 1063'])
    expect(feesOn([{ ...FIXED, currency: 'GBP', valueAbove: '800' }], {}, pounds)).toEqual([])
  })
  test('without an exchange rate has no amount, and says so', () => {
    expect(feesOn([{ ...FIXED, currency: 'GBP' }])).toEqual(['clearance 0?'])
  })
  test('is not due on charges that are not due', () => {
    expect(feesOn([SHARE], {}, {}, '49019900')).toEqual([])
    expect(feesOn([{ ...FIXED, onlyIfCharged: true }], {}, {}, '49019900')).toEqual([])
    expect(feesOn([FIXED], {}, {}, '49019900')).toEqual(['clearance 850'])
  })
  test('that depends on charges is listed without an amount if none of them could be calculated', () => {
    const rows = [SHARE, { ...FIXED, fee: 'handling', onlyIfCharged: true }, { ...FIXED, fee: 'entry' }]
    expect(feesOn(rows, {}, { measures: [] })).toEqual(['clearance 0?', 'handling 0?', 'entry 850'])
  })
  test('is not due inside a customs area', () => {
    const one = [jurisdiction('AA', { customsAreas: ['X'] }), jurisdiction('BB', { customsAreas: ['X'] })]
    expect(feesOn([FIXED], {}, { jurisdictions: one })).toEqual([])
  })
})
