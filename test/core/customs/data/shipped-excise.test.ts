/** Excise on parcels, calculated by hand with the shipped rates, on 2026-11-23. Values are EUR 100. */
import { describe, expect, test } from 'vitest'
import { unpackRows } from '../../../../src/core/customs/data/packed-rows.ts'
import { estimateRequest, givenCode } from '../../../../src/core/customs/estimate/estimate.ts'
import { describeLine } from '../../../../src/core/customs/estimate/explain/line.ts'
import type { ContentItem, DutiesRequest } from '../../../../src/core/customs/request.ts'
import { lineCodes } from '../../../../src/core/customs/tariff/tariff.ts'
import { readShippedCustomsData, shippedCustoms } from '../../../../src/reference/customs.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'

const tables = shippedTables()
const RATES = unpackRows(shippedCustoms().tables.exciseRates)

function excisesOn(to: string, tariff: string, item: Partial<ContentItem>) {
  const request: DutiesRequest = {
    from: { country: 'CN' },
    to: { country: to },
    items: [{ description: 'goods', numberOfItems: 1, costSteps: 100_000_000, tariff, ...item }],
  }
  const { taxes, consignment } = estimateRequest(tables, request, [givenCode(tariff)], '2026-11-23')
  return { lines: taxes.filter(({ kind }) => kind === 'EXCISE'), consignment }
}

function exciseOn(to: string, tariff: string, item: Partial<ContentItem>) {
  const { lines, consignment } = excisesOn(to, tariff, item)
  return lines.map((line) => ({ ...line, text: describeLine(consignment, line) }))
}

function short(to: string, tariff: string, item: Partial<ContentItem>): readonly string[] {
  return exciseOn(to, tariff, item).map(
    ({ name, amountCents, computed }) => `${name} ${amountCents}${computed ? '' : '?'}`,
  )
}

const amount = (unit: string, value: number, percent?: number): Partial<ContentItem> => ({
  quantities: [{ unit, amountMicros: Math.round(value * 1_000_000) }],
  ...(percent !== undefined && { alcoholPpm: percent * 10_000 }),
})
const litres = (value: number, percent: number) => amount('l', value, percent)
const CARTON = amount('sticks', 200)
const POUCH: Partial<ContentItem> = { weightGrams: 50 }

/** The codes and strengths of the goods that a name may have. Undefined: the strength is not given. */
const NAMES: readonly (readonly [
  name: RegExp,
  codes: RegExp,
  isOfStrength?: (percent: number) => boolean,
])[] = [
  [/\bbeer\b/i, /^2203/],
  [/sparkling wine/i, /^(220410|2206003)/],
  [/\bwine\b/i, /^220[456]/],
  [/cider|perry|sake/, /^2206/],
  [/fermented drinks/, /^220[456]/],
  [/intermediate products/, /^220[456]/, (percent) => percent <= 22],
  [/spirits/, /^220[78]/],
  [/spirits/, /^220[456]/, (percent) => percent > 22],
  [/alcopops|premixed/, /^2208[79]0/],
  [/on alcohol$/, /^220[45678]/],
  [/cigarettes/, /^240220/],
  [/cigars/, /^240210/],
  [/smoking tobacco|fine-cut|on tobacco$/, /^24031|^240399/],
  [/water-pipe/, /^240311/],
  [/chewing|smokeless/, /^240399/],
  [/heated tobacco|for heating/, /^240411/],
  [/e-liquid|vaping/i, /^24041[29]/],
  // Names of taxes in general.
  [/^(Excise duty|Federal excise tax|Special consumption tax|Purchase tax|Consumption tax)$/, /^2[24]/],
  [/^(Excise and cess|Special tax \(IEPS\)|Tax on industrial products \(IPI\))$/, /^2[24]/],
  [/^(Dock dues|Canary Islands import levy)$/, /^2[24]/],
]

test('to every country, the excise on drinks and tobacco has a name that fits code and strength', () => {
  const codes = [...tables.tariffs.values()].flatMap(lineCodes).filter((code) => /^2[24]/.test(code))
  const sixes = [...new Set(codes.map((code) => code.slice(0, 6)))].filter((code) => code.length === 6)
  const fits = (name: string, code: string, percent: number | undefined): boolean =>
    NAMES.some(
      ([words, prefixes, isOfStrength]) =>
        words.test(name) &&
        prefixes.test(code) &&
        (isOfStrength === undefined || (percent !== undefined && isOfStrength(percent))),
    )
  const faults: string[] = []
  const named = new Set<string>()
  for (const { code: to } of tables.jurisdictions.values()) {
    if (to.length !== 2) continue
    const hasRates = RATES.some(({ jurisdiction }) => jurisdiction === to)
    for (const code of [...sixes, '22060031'])
      for (const percent of hasRates && code.startsWith('22') ? [undefined, 5, 12, 18, 40] : [undefined])
        for (const line of excisesOn(to, code, percent === undefined ? {} : { alcoholPpm: percent * 10_000 })
          .lines) {
          const name = line.name.replace(/ \(not estimated\)$|, part not estimated$/, '')
          named.add(name)
          if (!fits(name, code, percent)) faults.push(`${to} ${code} ${percent}%: ${name}`)
        }
  }
  expect(faults).toEqual([])
  expect(named.size).toBeGreaterThan(30)
})

describe('tobacco', () => {
  test.each<[string, string, string, Partial<ContentItem>, readonly string[]]>([
    // 200 × 19.386 cents, which is below the German tax at every retail price.
    ['DE', '240220', 'Tobacco tax on cigarettes', CARTON, ['3877', ', part not estimated 0?']],
    // 0.05 kg × 96.64
    ['DE', '240319', 'Tobacco tax on fine-cut tobacco', POUCH, ['483', ', part not estimated 0?']],
    // 0.05 kg × (26 + 23)
    ['DE', '240311', 'Tobacco tax on water-pipe tobacco', POUCH, ['245', ', part not estimated 0?']],
    ['DE', '240411', 'Tobacco tax on heated tobacco', CARTON, ['3102', ', part not estimated 0?']],
    // 200 × 39.042 cents
    ['NL', '240220', 'Excise duty on cigarettes', CARTON, ['7808', ', part not estimated 0?']],
    // 0.05 kg × 346.98 = 17.349
    ['NL', '240319', 'Excise duty on smoking tobacco', POUCH, ['1735']],
    ['NL', '240210', 'Excise duty on cigars', CARTON, ['(not estimated) 0?']],
    // 10 ml × 15 cents
    ['BE', '240412', 'Excise duty on e-liquids', amount('ml', 10), ['150']],
    ['BE', '240210', 'Excise duty on cigars', CARTON, ['(not estimated) 0?']],
    // 200 × GBP 0.44667 = GBP 89.334 at 0.858176
    ['GB', '240220', 'Tobacco products duty on cigarettes', CARTON, ['10410', ', part not estimated 0?']],
    // 0.05 kg = 0.110231 lb × 24.78 = USD 2.731527 at 1.136072
    ['US', '240319', 'Federal excise tax on tobacco', POUCH, ['240']],
  ])('to %s, %s', (to, tariff, name, item, ends) => {
    expect(short(to, tariff, item)).toEqual(
      ends.map((end) => (end.startsWith(',') ? `${name}${end}` : `${name} ${end}`)),
    )
  })
  test('without a national rate has the minimum of the EU as a lower bound', () => {
    const [line] = exciseOn('BE', '240220', CARTON)
    expect(line).toMatchObject({ amountCents: 0, computed: false })
    expect(line?.text).toContain('At least 90 EUR/1000 sticks is due, which is EUR 18.00 for these goods.')
  })
  test('names the quantity that a request lacks, and the retail price', () => {
    const [line] = exciseOn('NL', '240220', {})
    expect(line?.text).toContain('A request does not contain the retail price. Give the quantity "sticks".')
  })
  test.each(['DE', 'NL', 'BE'])('chewing tobacco and snuff have no lower bound in %s', (to) => {
    const [line] = exciseOn(to, '240399', POUCH)
    expect(line).toMatchObject({ amountCents: 0, computed: false })
    expect(line?.text).not.toContain('At least')
  })
})

/** The minimum tax is a fixed amount less the value added tax on the retail price (19/119 of it). */
describe('the minimum of German tobacco tax', () => {
  test.each([
    ['240220', 122.8, 0.1984, 251.06],
    ['240210', 14, 0.0147, 75.04],
    ['240319', 61.58, 0.174, 128.83],
  ])('on %s is the lowest tax at any retail price', (code, specific, share, minimum) => {
    const row = readShippedCustomsData().exciseRates.find(
      ({ jurisdiction, codePrefix }) => jurisdiction === 'DE' && codePrefix === code,
    )
    const price = (minimum - specific) / (share + 19 / 119)
    const lowest = specific + share * price
    expect(Number.parseFloat(row?.minimum ?? '')).toBeCloseTo(lowest - 0.005, 2)
    expect(Number.parseFloat(row?.minimum ?? '')).toBeLessThanOrEqual(lowest)
  })
})

describe('alcohol', () => {
  test.each<[string, string, Partial<ContentItem>, readonly string[]]>([
    // 0.33 l × 5% = 0.0165 l: × 55.50 = 0.91575, × 13.03 = 0.214995.
    ['DE', '22089069', litres(0.33, 5), ['Tax on alcopops 92', 'Tax on spirits 21']],
    ['DE', '22083011', litres(0.7, 40), ['Tax on spirits 365']],
    // Vermouth: 0.75 l × 1.02.
    ['DE', '22051010', litres(0.75, 14.8), ['Tax on intermediate products 77']],
    ['DE', '22060031', litres(0.75, 5), ['Sparkling wine tax 38']],
    // Port: 0.75 l × 2.0953 and × 0.5239.
    [
      'FR',
      '22042189',
      litres(0.75, 20),
      ['Excise duty on intermediate products 157', 'Social security contribution on alcohol 39'],
    ],
    ['FR', '22060051', litres(0.75, 5), ['Excise duty on cider and perry 1']],
    ['FR', '22089069', litres(0.33, 5), ['Tax on premixed drinks 182', 'Excise duty on spirits 32']],
    ['IE', '22060051', litres(0.5, 4.5), ['Alcohol products tax on cider and perry 47']],
    ['IE', '22060031', litres(0.75, 9), ['Alcohol products tax on cider and perry 637']],
    // 0.5 l × 4.5% × GBP 10.39 = GBP 0.233775
    ['GB', '22060051', litres(0.5, 4.5), ['Alcohol duty on cider and perry 27']],
    // 0.75 l × 7% × GBP 26.61 = GBP 1.397025
    ['GB', '22060031', litres(0.75, 7), ['Alcohol duty on cider and perry 163']],
  ])('to %s, %s', (to, tariff, item, lines) => {
    expect(short(to, tariff, item)).toEqual(lines)
  })
  test.each(['AX', 'GG', 'JE', 'FO', 'AD', 'SM', 'GP'])('is never silently free in %s', (to) => {
    const [line] = exciseOn(to, '22083011', litres(0.7, 40))
    expect(line).toMatchObject({ amountCents: 0, computed: false })
  })
})
