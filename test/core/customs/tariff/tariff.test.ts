import { describe, expect, test } from 'vitest'
import { packRows } from '../../../../src/core/customs/data/packed-rows.ts'
import type { HsSuccessorRow, MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import {
  findCode,
  limitCodeCache,
  openAreaCodes,
  openCodeCache,
} from '../../../../src/core/customs/tariff/code-facts.ts'
import { compileHsSuccessors, interpretCode } from '../../../../src/core/customs/tariff/hs-code.ts'
import { openSharedParts } from '../../../../src/core/customs/tariff/measure.ts'
import { openMeasureStore } from '../../../../src/core/customs/tariff/measure-store.ts'
import {
  findTariffEntry,
  openTariff,
  sortLines,
  type Tariff,
} from '../../../../src/core/customs/tariff/tariff.ts'
import { BASE_TYPE, measure } from '../../../support/customs/customs-rows.ts'

const GROUPS = new Map([
  ['BD', new Set(['GSP'])],
  ['KH', new Set(['GSP'])],
])

function line(codePrefix: string, rate: number | string, rest: Partial<MeasureRow> = {}): MeasureRow {
  return measure(codePrefix, rate, { validFrom: '2021-01-01', ...rest })
}

function tariffOf(rows: readonly MeasureRow[]): Tariff {
  const types = new Map([[BASE_TYPE.measureType, BASE_TYPE]])
  const store = openMeasureStore(packRows('measures', rows), types, openSharedParts(GROUPS), new Map())
  const lines = sortLines(
    store,
    rows.map((_, row) => row),
  )
  return openTariff(store, lines)
}

const tariff = tariffOf([
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
  line('62010000', 10),
  line('62010000', 6, { originGroup: 'GSP' }),
  line('62010000', 2, { originGroup: 'BD' }),
  line('63010000', 9, { excludedOrigins: ['GSP'] }),
])

function find(code: string, date = '2026-11-21', origin = 'CN') {
  const entry = findTariffEntry(tariff, code, date, origin)
  if (entry === undefined) return undefined
  const { row, rateText } = entry.measure
  return [row.codePrefix, rateText, entry.knownPrefix, entry.group?.lineCount]
}

describe('the lookup of a code uses its longest known prefix:', () => {
  test.each([
    ['a national code is its own line', '61091000', ['61091000', '12%', '61091000', undefined]],
    ['ten digits of a known line', '6109100090', ['61091000', '12%', '61091000', undefined]],
    ['one line below six digits', '610910', ['61091000', '12%', '610910', 1]],
    ['the last line below six digits', '640399', ['64039998', '7%', '640399', 4]],
    ['an unknown tail leaves the six digits', '64039977', ['64039998', '7%', '640399', 4]],
    ['a heading is the last resort', '640311', ['64039998', '7%', '6403', 4]],
    ['of two lines the last', '330300', ['33030090', '6.5%', '330300', 2]],
    ['ten-digit lines below eight digits', '22042111', ['2204211190', '15.4 EUR/hl', '22042111', 2]],
    ['a rate derived for HS 2022', '852411', ['852411', '0%', '852411', 20]],
    ['the same with a longer code', '85241100', ['852411', '0%', '852411', 20]],
    ['a chapter with one rate', '847130', ['84', '0%', '84', undefined]],
    ['nothing known', '999999', undefined],
  ])('%s: %s', (_name, code, expected) => {
    expect(find(code)).toEqual(expected)
  })

  test('an entry of a group has its range', () => {
    expect(findTariffEntry(tariff, '640399', '2026-11-21', 'CN')?.group).toMatchObject({
      lineCount: 4,
      isUniform: false,
      lowestPpm: 50_000,
      highestPpm: 80_000,
      specificCount: 0,
    })
  })

  test('a measure applies from its first day until the day before its end', () => {
    expect(find('70010010', '2026-06-30')?.[1]).toBe('3%')
    expect(find('70010010', '2026-07-01')?.[1]).toBe('4%')
    expect(find('70010010', '2020-12-31')).toBeUndefined()
  })
})

describe('a base duty that depends on the origin', () => {
  test.each([
    ['CN', '10%'],
    ['KH', '6%'],
    ['BD', '2%'],
  ])('of %s: the narrowest that names it', (origin, rate) => {
    expect(find('62010000', '2026-11-21', origin)?.[1]).toBe(rate)
    expect(find('620100', '2026-11-21', origin)?.[1]).toBe(rate)
  })

  test('has no rate for an excluded origin', () => {
    expect(find('63010000', '2026-11-21', 'CN')?.[1]).toBe('9%')
    expect(find('63010000', '2026-11-21', 'BD')).toBeUndefined()
  })
})

describe('a lost leading zero', () => {
  const tables = { tariff: undefined, tariffs: new Map([['EU', tariff]]), hsSuccessors: new Map() }
  test('is restored if that gives a known code', () => {
    expect(interpretCode(tables, '9012100')).toEqual({
      code: '09012100',
      tariffCode: '09012100',
      remarks: ['Code 9012100 was read as 09012100, because its leading zero was missing.'],
    })
  })
  test('is not assumed in a code with an even number of digits', () => {
    expect(interpretCode(tables, '901210')).toEqual({ code: '901210', tariffCode: '901210', remarks: [] })
    expect(interpretCode(tables, '6109100').code).toBe('6109100')
  })
})

describe('a code of an HS edition that ended', () => {
  const row = (code: string, isMain: boolean): HsSuccessorRow => ({
    dataSet: 'test',
    endedCode: '851712',
    endedEdition: 'HS 2017',
    code,
    edition: 'HS 2022',
    isMain,
  })
  const hsSuccessors = compileHsSuccessors([row('851714', false), row('851713', true)])
  const without = { tariff: undefined, tariffs: new Map<string, Tariff>(), hsSuccessors }
  const with2022 = { ...without, tariff: tariffOf([line('85171300', 0)]) }
  const with2017 = { ...without, tariff: tariffOf([line('85171200', 0)]) }

  test('is replaced by its usual successor, and the remark names the others', () => {
    const remark =
      'Code 851712 is a code of HS 2017; in HS 2022 it is 851713 or 851714, of which 851713 was used.'
    expect(interpretCode(without, '851712')).toEqual({
      code: '851713',
      tariffCode: '851713',
      remarks: [remark],
    })
    expect(interpretCode(with2022, '85171299').code).toBe('851713')
  })

  test('gets the rate of its lines while the tariff has them', () => {
    const known = { code: '851713', tariffCode: '851712' }
    expect(interpretCode(with2017, '851712')).toMatchObject(known)
    expect(interpretCode(with2017, '85171299')).toMatchObject(known)
  })

  test('is kept if the tariff has the national line', () => {
    const remark = 'Code 851712 is a code of HS 2017; in HS 2022 it is 851713 or 851714.'
    expect(interpretCode(with2017, '8517120000')).toEqual({
      code: '8517120000',
      tariffCode: '8517120000',
      remarks: [remark],
    })
  })
})

describe('the cache of lookups', () => {
  const area = {
    tariff,
    tariffs: new Map([['EU', tariff]]),
    hsSuccessors: new Map(),
    averages: undefined,
    preferences: undefined,
    additional: undefined,
    conditional: undefined,
    tradeDefence: undefined,
  }

  test('keeps at most 20,000 codes between estimates, and the measures of those', () => {
    const cache = openCodeCache(tariff.measures)
    for (let number = 0; number < 45_000; number++) {
      limitCodeCache(cache)
      findCode(
        openAreaCodes(cache, 'EU', '2026-11-21', 'CN', () => area),
        `61091${String(number).padStart(5, '0')}`,
      )
    }
    const kept = [...cache.areas.values()].reduce((sum, { byCode }) => sum + byCode.size, 0)
    expect(kept).toBeGreaterThan(0)
    expect(kept).toBeLessThanOrEqual(20_000)
    expect(tariff.measures.compiled.size).toBe(1)
  })

  test('has one object per measure, however many codes it applies to', () => {
    const codes = openAreaCodes(openCodeCache(tariff.measures), 'EU', '2026-11-21', 'CN', () => area)
    const [national, longer] = ['61091000', '6109100090'].map((code) => findCode(codes, code).entry?.measure)
    expect(national).toBe(longer)
  })

  test('separates days, origins and areas', () => {
    const cache = openCodeCache()
    const rateOf = (date: string, origin: string) =>
      findCode(
        openAreaCodes(cache, 'EU', date, origin, () => area),
        origin === 'CN' ? '70010010' : '62010000',
      ).entry?.measure.rateText
    expect(rateOf('2026-06-30', 'CN')).toBe('3%')
    expect(rateOf('2026-07-01', 'CN')).toBe('4%')
    expect(rateOf('2026-07-01', 'BD')).toBe('2%')
    expect(rateOf('2026-07-01', 'KH')).toBe('6%')
    expect(cache.areas.size).toBe(4)
  })
})
