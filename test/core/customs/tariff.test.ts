import { describe, expect, test } from 'vitest'
import { repairLeadingZero } from '../../../src/core/customs/hs-code.ts'
import type { MeasureRow } from '../../../src/core/customs/reference-rows.ts'
import { compileTariff, findTariffEntry } from '../../../src/core/customs/tariff.ts'

/** A line of a tariff: percent, or an amount per quantity. */
function line(codePrefix: string, rate: number | string, rest: Partial<MeasureRow> = {}): MeasureRow {
  return {
    dataSet: 'test',
    jurisdiction: 'EU',
    codePrefix,
    measureType: 'third_country_duty',
    kind: 'additive',
    originGroup: 'ALL',
    adValoremPpm: typeof rate === 'number' ? Math.round(rate * 10_000) : null,
    specific: typeof rate === 'string' ? rate : '',
    minimum: '',
    maximum: '',
    condition: '',
    text: '',
    lowestPpm: null,
    highestPpm: null,
    lineCount: null,
    validFrom: '2021-01-01',
    validTo: null,
    note: '',
    ...rest,
  }
}

const tariff = compileTariff([
  line('61091000', 12),
  line('64039905', 8),
  line('64039938', 5),
  line('64039950', 8),
  line('64039998', 7),
  line('33030010', 0),
  line('33030090', 6.5),
  line('09012100', 7.5),
  line('2204211110', '13.1 EUR/hl'),
  line('2204211190', '15.4 EUR/hl'),
  line('852411', 0, { lowestPpm: 0, highestPpm: 140_000, lineCount: 20, validFrom: '2022-01-01' }),
  line('84', 0, { validFrom: null }),
  line('70010010', 3, { validTo: '2026-07-01' }),
  line('70010010', 4, { validFrom: '2026-07-01' }),
])

function find(code: string, date = '2026-11-21') {
  const entry = findTariffEntry(tariff, code, date)
  if (entry === undefined) return undefined
  const { row, rateText } = entry.measure
  return [row.codePrefix, rateText, entry.knownPrefix, entry.group?.lineCount]
}

describe('a code is looked up by its longest known prefix', () => {
  test.each([
    ['a national code is its own line', '61091000', ['61091000', '12%', '61091000', undefined]],
    ['ten digits of a known line', '6109100090', ['61091000', '12%', '61091000', undefined]],
    ['one line below six digits', '610910', ['61091000', '12%', '610910', 1]],
    ['the usual rate below six digits', '640399', ['64039905', '8%', '640399', 4]],
    ['an unknown tail leaves the six digits', '64039977', ['64039905', '8%', '640399', 4]],
    ['a heading is the last resort', '640311', ['64039905', '8%', '6403', 4]],
    ['equally frequent rates: the higher', '330300', ['33030090', '6.5%', '330300', 2]],
    ['ten-digit lines below eight digits', '22042111', ['2204211110', '13.1 EUR/hl', '22042111', 2]],
    ['a rate worked out for HS 2022', '852411', ['852411', '0%', '852411', 20]],
    ['the same with a longer code', '85241100', ['852411', '0%', '852411', 20]],
    ['a chapter with one rate', '847130', ['84', '0%', '84', undefined]],
    ['nothing known', '999999', undefined],
  ])('%s: %s', (_name, code, expected) => {
    expect(find(code)).toEqual(expected)
  })

  test('the range of a group is told', () => {
    expect(findTariffEntry(tariff, '640399', '2026-11-21')?.group).toEqual({
      lineCount: 4,
      isUniform: false,
      lowestPpm: 50_000,
      highestPpm: 80_000,
      specificCount: 0,
    })
  })

  test('a measure holds from its first day until the day before its last', () => {
    expect(find('70010010', '2026-06-30')?.[1]).toBe('3%')
    expect(find('70010010', '2026-07-01')?.[1]).toBe('4%')
    expect(find('70010010', '2020-12-31')).toBeUndefined()
  })
})

describe('a lost leading zero', () => {
  test('is put back when that gives a known code', () => {
    expect(repairLeadingZero([tariff], '9012100')).toBe('09012100')
  })
  test('is not looked for in a code that can stand as it is', () => {
    expect(repairLeadingZero([tariff], '901210')).toBe('901210')
    expect(repairLeadingZero([tariff], '6109100')).toBe('6109100')
  })
})
