/**
 * The keys that files of worked cases may use, each in a small case calculated by hand. The comment of a case has the
 * calculation.
 */
import { describe, expect, test } from 'vitest'
import { openDraft } from '../../../support/worked-cases/draft.ts'
import { toWorkedCase } from '../../../support/worked-cases/file.ts'
import { describeOutcome } from '../../../support/worked-cases/report.ts'
import { takeRounding } from '../../../support/worked-cases/rounding.ts'
import { runWorkedCase } from '../../../support/worked-cases/worked-cases.ts'

type Lines = Readonly<Record<string, string>>
type Row = readonly [why: string, inputs: object, lines: Lines, rest?: object]

/** Expects these lines for a case. `rest` can set destination, currency and rounding. */
function expectLines([why, inputs, lines, rest = {}]: Row): void {
  const workedCase = toWorkedCase({
    id: why,
    destination: 'AA',
    origin: 'BB',
    currency: 'EUR',
    inputs,
    expected: { lines: Object.entries(lines) },
    ...rest,
  })
  const outcome = runWorkedCase(workedCase)
  expect(outcome.isOk, describeOutcome(outcome).join('\n')).toBe(true)
}

const cases = (rows: readonly Row[]) => rows.map((row) => [row[0], row] as const)

describe('duties', () => {
  test.each(
    cases([
      [
        'a cap counts rates that the case does not list, and they are not compared',
        // 15 - (3 + 4) = 8
        { goods: 100, duties: [{ name: 'Cap', capTotal: 15, given: ['3', 4] }] },
        { Cap: '8.00' },
        { expected: { lines: [['Cap', '8.00']], total: '8.00' } },
      ],
      [
        'a cap counts the base alone unless it says more',
        // 20 - 3; the 5 in between is not counted
        {
          goods: 100,
          duties: [
            { name: 'MFN', adValorem: 3 },
            { name: 'S232', adValorem: 5 },
            { name: 'Cap', capTotal: 20 },
          ],
        },
        { MFN: '3.00', S232: '5.00', Cap: '17.00' },
      ],
      [
        'a cap that counts nothing is charged in full',
        {
          goods: 100,
          duties: [
            { name: 'MFN', adValorem: 3 },
            { name: 'Cap', capTotal: 20, given: [] },
          ],
        },
        { MFN: '3.00', Cap: '20.00' },
      ],
      [
        'a cap counts a duty by its name',
        {
          goods: 100,
          duties: [
            { name: 'MFN', adValorem: 3 },
            { name: 'S232', adValorem: 5 },
            { name: 'Cap', capTotal: 20, given: ['MFN', 's232'] },
          ],
        },
        { MFN: '3.00', S232: '5.00', Cap: '12.00' },
      ],
      [
        'a floor tops up all duties',
        {
          goods: 100,
          duties: [
            { name: 'MFN', adValorem: 3 },
            { name: 'Floor', floorTotal: 15 },
          ],
        },
        { MFN: '3.00', Floor: '12.00' },
      ],
      [
        'a duty may be charged in place of the base',
        {
          goods: 100,
          duties: [
            { name: 'MFN', adValorem: 3 },
            { name: 'Safeguard', adValorem: 25, replacesBase: true },
          ],
        },
        { Safeguard: '25.00' },
      ],
      [
        'a unit the engine has no word for is counted as the case counts it',
        { goods: 0, duties: [{ name: 'Duty', specific: { rate: '0.393', unit: 'stick', quantity: 200 } }] },
        { Duty: '78.60' },
      ],
      [
        'a rate beside a unit is an amount per unit; a unit of two is counted by the product',
        // 0.5 x (40 x 0.45)
        {
          goods: 100,
          duties: [{ name: 'Duty', rate: '0.5', unit: '%vol/hl', quantity: { asv: 40, hl: '0.45' } }],
        },
        { Duty: '9.00' },
      ],
      [
        'two rates per unit and the value add up',
        // 2 + 3 x 2 + 0.1 x 7
        {
          goods: 100,
          duties: [
            {
              name: 'Duty',
              adValorem: 2,
              specific: [
                { rate: 3, unit: 'hl', quantity: 2 },
                { rate: '0.1', unit: 'bottle', quantity: 7 },
              ],
            },
          ],
        },
        { Duty: '8.70' },
      ],
      [
        'a minimum and a maximum are amounts, or texts of a tariff',
        {
          goods: 100,
          duties: [
            { name: 'A', adValorem: 2, min: 5 },
            { name: 'B', adValorem: 20, max: '12.50' },
            { name: 'C', adValorem: 1, min: '0.3 EUR/item', quantity: 10 },
          ],
        },
        { A: '5.00', B: '12.50', C: '3.00' },
      ],
      [
        'a text of a tariff with a quantity of the unit it names',
        // 8 + 2.50 x 4
        { goods: 100, duties: [{ name: 'Duty', expression: '8.00 % + 2.50 EUR/hl', quantity: 4 }] },
        { Duty: '18.00' },
      ],
      [
        'an amount per tonne in another currency, at the rate of the case',
        // 10 EUR x 2 x 0.85
        {
          goods: 100,
          fx: { EUR: '0.85' },
          quantity: { tonne: 2 },
          duties: [{ name: 'Duty', expression: '10 EUR/tonne' }],
        },
        { Duty: '17.00' },
        { currency: 'GBP' },
      ],
      [
        'a surcharge on the duty, and a tax on both',
        // 1000: 100, 10, 18% of 1110
        { goods: 1000, bcd: 10, sws: 10, igst: 18 },
        { BCD: '100.00', SWS: '10.00', IGST: '199.80' },
      ],
      [
        'a preference is charged in place of a higher duty',
        {
          goods: 100,
          duties: [{ name: 'Third country duty', adValorem: 12 }],
          preference: { name: 'Preference', adValorem: 4 },
        },
        { Preference: '4.00' },
      ],
      [
        'a preference that is not claimed is not charged',
        {
          goods: 100,
          duties: [
            { name: 'MFN', adValorem: 12 },
            { name: 'FTA', adValorem: 4, preferential: true },
          ],
          preferenceClaimed: false,
        },
        { MFN: '12.00' },
      ],
      [
        'excise is in the base of the tax',
        // (100 + 12) x 20%
        { goods: 100, exciseAmount: 12, vat: 20 },
        { Excise: '12.00', VAT: '22.40' },
      ],
      [
        'a zero preference is listed at nothing, whatever else is charged',
        {
          goods: '1,200.00',
          duties: [
            { name: 'Tariff preference', adValorem: 0 },
            { name: 'Anti-dumping', adValorem: '10%' },
          ],
        },
        { 'Tariff preference': '0.00', 'Anti-dumping': '120.00' },
      ],
    ]),
  )('%s', (_, row) => expectLines(row))
})

describe('taxes and fees', () => {
  test.each(
    cases([
      [
        'freight that is in the base of the tax alone, under FOB',
        { goods: 100, freight: 10, valuation: 'FOB', duty: 10, vat: 10, vat_includes_freight: true },
        { Duty: '10.00', VAT: '12.00' },
      ],
      [
        'the base of the tax is the value raised by a tenth, and the duty',
        // 15% x (1000 x 1.1 + 200)
        { goods: 1000, valuation: 'FOB', duty: 20, vat: 15, uplift: 10 },
        { Duty: '200.00', VAT: '195.00' },
      ],
      [
        'a tax inside its own base',
        // 120 x 17 / 83
        { goods: 100, duty: 20, icms: { rate: 17, porDentro: true } },
        { Duty: '20.00', ICMS: '24.58' },
      ],
      ['two taxes on one value', { goods: 200, gst: 5, pst: 7 }, { GST: '10.00', PST: '14.00' }],
      [
        'seven tenths of a tax',
        // 1000 x 13% x 70%
        { goods: 1000, vatRate: '13%', taxShare: '70%' },
        { 'Import VAT': '91.00' },
      ],
      [
        'six tenths of the price are the value',
        // 20,000 x 0.6 x 10%
        { goods: 20000, personalUseFactor: 0.6, consumptionTax: 10 },
        { 'Consumption tax': '1200.00' },
      ],
      [
        'a fee in the base of the tax',
        // 15% x 1029.26 = 154.389
        { goods: 1000, vat: 15, fees: [{ name: 'Entry fee', amount: '29.26', inTaxBase: true }] },
        { 'Entry fee': '29.26', VAT: '154.39' },
      ],
      [
        'fees by name, none of them taxed',
        { goods: 1000, vat: 10, fees: { Entry: 12, Inspection: '3.50' } },
        { Entry: '12.00', Inspection: '3.50', VAT: '100.00' },
      ],
      [
        'a fee under a key of its own, taxed by another key',
        { goods: 100, handlingFee: 6, vatOnFee: true, vat: 20 },
        { 'Handling fee': '6.00', VAT: '21.20' },
      ],
      [
        'a processing fee has a minimum, in an object or in keys of its own',
        { goods: 3000, mpf: { rate: '0.3464', min: '33.58' }, hmfRate: '0.125', hmfMin: 5 },
        { MPF: '33.58', HMF: '5.00' },
      ],
      [
        'a fee for goods above a value only',
        {
          goods: 100,
          fees: [
            { name: 'A', amount: 1, above: 100 },
            { name: 'B', amount: 2, upTo: 100 },
          ],
        },
        { B: '2.00' },
      ],
    ]),
  )('%s', (_, row) => expectLines(row))
})

describe('low-value rules', () => {
  test.each(
    cases([
      [
        'a limit on duty is inclusive and looks at the goods where freight is not in it',
        // 20% x 155
        { goods: 135, freight: 20, duty: 12, vat: 20, deMinimisDuty: 135 },
        { VAT: '31.00' },
        { destination: 'GB', currency: 'GBP' },
      ],
      [
        'a limit that the destination compares with freight and insurance is exceeded by them',
        // 9% x 410
        { goods: 390, freight: 20, vat: 9, deMinimisVat: 400 },
        { GST: '36.90' },
        { destination: 'SG', currency: 'SGD' },
      ],
      [
        'unless the case says what is compared',
        { goods: 390, freight: 20, vat: 9, deMinimisVat: 400, deMinimisBasis: 'goods' },
        {},
        { destination: 'SG', currency: 'SGD' },
      ],
      [
        'an amount per code holds up to the limit that the goods keep to',
        {
          intrinsic: '<=150',
          b2c: true,
          items: [
            { hs6: '640399', qty: 1 },
            { hs6: '640399', qty: 2 },
            { hs6: '610910', qty: 3 },
          ],
          flatDutyPerItem: 3,
          vat: 20,
          goods: 90,
        },
        // two codes: 6; 20% x 96
        { 'Flat duty': '6.00', VAT: '19.20' },
      ],
      [
        'above the limit the tariff holds',
        {
          goods: 160,
          intrinsic: 160,
          duties: [{ name: 'Duty', adValorem: 4 }],
          flatDutyPerItem: 3,
          flatDutyLimit: 150,
        },
        { Duty: '6.40' },
      ],
      [
        'and for a business it holds below the limit',
        { goods: 100, b2c: false, duties: [{ name: 'Duty', adValorem: 4 }], flatDutyPerItem: 3 },
        { Duty: '4.00' },
      ],
      [
        'a flat rate of the lower tier',
        {
          goods: 40,
          ii: {
            tiers: [
              { upTo: 50, rate: 20 },
              { upTo: 3000, rate: 60, deduct: 20 },
            ],
          },
        },
        { II: '8.00' },
      ],
      [
        'a flat rate of the upper tier, less a deduction',
        {
          goods: 200,
          ii: {
            tiers: [
              { upTo: 50, rate: 20 },
              { upTo: 3000, rate: 60, deduct: 20 },
            ],
          },
        },
        { II: '100.00' },
      ],
      [
        'goods and a deduction in another currency',
        // 60% x 520 - 104
        { goodsUSD: 100, exchangeRate: '1 USD = 5.20 BRL', ii: { rate: 60, deductUSD: 20 } },
        { II: '208.00' },
        { destination: 'BR', currency: 'BRL' },
      ],
      [
        'a flat rate that stands for the taxes',
        { goods: 100, globalRate: { rate: 19, replacesTaxes: true }, vat: 16 },
        { 'Global rate': '19.00' },
      ],
      [
        'duty and tax on what exceeds a limit',
        // 10% of 50, and 20% of 55
        {
          goods: 200,
          duties: [{ name: 'Duty', adValorem: 10 }],
          dutyOnExcessOver: 150,
          vatOnExcessOver: 150,
          vat: 20,
        },
        { Duty: '5.00', VAT: '11.00' },
      ],
      [
        'duty of less than a limit is waived',
        { goods: 100, duty: '8.99', vat: 20, dutyWaivedBelow: 9 },
        { VAT: '20.00' },
      ],
      [
        'duty that comes to the limit is not',
        { goods: 100, duty: 9, vat: 20, dutyWaivedBelow: 9 },
        { Duty: '9.00', VAT: '21.80' },
      ],
      [
        'a tax above the limit is levied, to five centimes',
        // 65 x 8.1% = 5.265
        { vatBase: 65, vat: '8.1', taxNotLeviedUpTo: 5, roundTo: '0.05' },
        { VAT: '5.25' },
        { currency: 'CHF' },
      ],
    ]),
  )('%s', (_, row) => expectLines(row))
})

describe('goods and rounding', () => {
  test.each(
    cases([
      [
        'items have prices or values, and rates of their own',
        // 12% x 20, 4% x 30; 20% x 22.40 and x 31.20
        {
          items: [
            { hs6: '610910', qty: 2, price: 10, duty: 12 },
            { hs6: '910211', value: 30, duty: 4 },
          ],
          vat: 20,
        },
        { Duty: '3.60', VAT: '10.72' },
      ],
      [
        'a customs value stands for goods and freight',
        { customsValue: 184, vat: 21 },
        { VAT: '38.64' },
        { expected: { lines: [['VAT', '38.64']], customsValue: 184, vatBase: '184.00' } },
      ],
      [
        'values cut to a thousand, amounts to a hundred',
        // 23,000 x 5% = 1,150; (23,456 + 1,150 cut to 24,000) x 10%
        { goods: 23456, duty: 5, consumptionTax: 10, truncateValueTo: 1000 },
        { 'Customs duty': '1100', 'Consumption tax': '2400' },
        { currency: 'JPY', rounding: 'floor_100_yen' },
      ],
      [
        'amounts cut to the cent',
        // 19.9995
        { goods: '133.33', vat: 15 },
        { VAT: '19.99' },
        { rounding: 'floor_cent' },
      ],
    ]),
  )('%s', (_, row) => expectLines(row))

  test.each([
    ['half_up_cent_per_line', undefined, undefined, undefined],
    ['half_up', undefined, undefined, undefined],
    ['half_up_0.05', '0.05', 'half_up', undefined],
    ['half_up_5_rappen', '0.05', 'half_up', undefined],
    ['nearest_10_won', '10', 'half_up', undefined],
    ['half_up_yen', '1', 'half_up', undefined],
    ['floor_cent', '0.01', 'down', undefined],
    ['floor_cent_per_measure', '0.01', 'down', undefined],
    ['truncate_1', '1', 'down', undefined],
    ['round_down_to_100_yen', '100', 'down', undefined],
    ['floor_100; value_floor_1000', '100', 'down', '1000'],
  ])('the rounding %s is understood', (words, unit, mode, valueUnit) => {
    const ledger = { currency: 'EUR', rates: new Map<string, string>(), problems: [] }
    const draft = openDraft(ledger)
    takeRounding(draft, { path: 'rounding', key: 'rounding', value: words, currency: 'EUR', ledger })
    expect([draft.roundingUnit, draft.roundingMode, draft.valueUnit]).toEqual([unit, mode, valueUnit])
    expect(ledger.problems).toEqual([])
  })

  test.each([
    ['half_even_cent'],
    ['up_1'],
    ['half_up_cent_on_total'],
    ['floor_0'],
    ['value_half_up_1'],
    ['floor_1; floor_10'],
  ])('the rounding %s is refused', (words) => {
    const ledger = { currency: 'EUR', rates: new Map<string, string>(), problems: [] }
    takeRounding(openDraft(ledger), {
      path: 'rounding',
      key: 'rounding',
      value: words,
      currency: 'EUR',
      ledger,
    })
    expect(ledger.problems).toHaveLength(1)
  })
})
