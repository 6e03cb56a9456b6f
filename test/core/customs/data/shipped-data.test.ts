/** Estimates with all of the shipped data. */

import { describe, expect, test } from 'vitest'
import type { MeasureRow } from '../../../../src/core/customs/data/row-types/measures.ts'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../../../../src/core/customs/estimate/estimate.ts'
import { lineSource } from '../../../../src/core/customs/estimate/explain/line.ts'
import type { LineSource } from '../../../../src/core/customs/estimate/explain/text.ts'
import type { TaxLine } from '../../../../src/core/customs/estimate/tax-line.ts'
import { checkDutiesRequest, type DutiesRequest } from '../../../../src/core/customs/request.ts'
import { isInSeason, parseSeasons } from '../../../../src/core/customs/tariff/conditional-rate.ts'
import { groupBy } from '../../../../src/core/group-by.ts'
import { isInForce } from '../../../../src/core/validity.ts'
import { readShippedCustomsData } from '../../../../src/reference/customs.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'
import { shortLines } from '../../../support/customs/small-estimate.ts'
import { caseCount } from '../../../support/random/case-count.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'

const rows = readShippedCustomsData()
const tables = shippedTables()
const TODAY = '2026-11-21'
/** Routes on which only the base duty applies. Values are above all low-value limits. */
const AREAS = [
  { area: 'EU', from: 'CN', to: 'DE' },
  { area: 'GB', from: 'CN', to: 'GB' },
  { area: 'US', from: 'FK', to: 'US' },
] as const

function estimate(
  from: string,
  to: string,
  codes: readonly string[],
  cost: number,
  date = TODAY,
): DutiesEstimate {
  const request: DutiesRequest = {
    from: { country: from },
    to: { country: to },
    items: codes.map((tariff) => ({
      description: 'goods',
      numberOfItems: 1,
      costSteps: cost * 1_000_000,
      tariff,
    })),
  }
  const given = codes.map(givenCode)
  return estimateRequest(tables, request, given, date)
}

function baseLine({ taxes, consignment }: DutiesEstimate): TaxLine & { source: LineSource | undefined } {
  const line = taxes.find(({ name }) => name.startsWith('Most-favoured-nation duty'))!
  return { ...line, source: lineSource(consignment, line) }
}

const baseRows = rows.measures.filter(
  (row) => row.measureType === 'third_country_duty' && isInForce(row, TODAY) && row.codePrefix.length >= 8,
)

/** The share of the value in parts per million; of a seasonal duty, that of the season. */
function shareToday({ adValoremPpm, condition, text }: MeasureRow): number {
  const seasons = condition === 'seasonal' ? (parseSeasons(text) ?? []) : []
  const season = seasons.find((one) => isInSeason(one, TODAY))
  return (season === undefined ? adValoremPpm : season.rate.base.adValoremPpm) ?? 0
}

describe.each(AREAS)('the tariff of $area', ({ area, from, to }) => {
  const lines = baseRows.filter((row) => row.jurisdiction === area)
  // The line of the code itself applies, even if there are ten-digit lines below it.
  test('charges every national code by its own line', () => {
    expect(lines.length).toBeGreaterThan(11_000)
    const wrong: string[] = []
    for (const row of lines) {
      const line = baseLine(estimate(from, to, [row.codePrefix], 1000))
      const isPlain = [row.specific, row.minimum, row.maximum, row.condition].every((part) => part === '')
      const cents = Math.floor((2 * 100_000 * (row.adValoremPpm ?? 0) + 1_000_000) / 2_000_000)
      const isRight = isPlain ? line.computed && line.amountCents === cents : line.source?.codePrefix !== ''
      if (line.harmonizedCode !== row.codePrefix || line.source?.codePrefix !== row.codePrefix || !isRight)
        wrong.push(`${row.codePrefix}: ${line.harmonizedCode} ${line.amountCents}`)
    }
    expect(wrong).toEqual([])
  })

  test('has ranges for six-digit codes that contain every line below them', () => {
    const wrong: string[] = []
    for (const [six, below] of groupBy(lines, ({ codePrefix }) => codePrefix.slice(0, 6))) {
      const range = baseLine(estimate(from, to, [six], 1000)).source?.range
      // The unit value of the goods leaves some lines out.
      const shares = below.filter((row) => !hasUnitValue(row)).map((row) => shareToday(row) / 10_000)
      const [lowest, highest] = [Number(range?.lowestPercent), Number(range?.highestPercent)]
      if (!shares.every((share) => lowest <= share && share <= highest))
        wrong.push(`${six}: ${shares.join(' ')} not in ${lowest} to ${highest}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('a change of law changes only the lines it concerns', () => {
  const SAMPLE = ['61091000', '640399', '950300', '851713', '330300', '22042100', '490199', '73239300']

  /** Destinations whose lines differ between two days, for consignments of small, middling and large value. */
  function changed(from: string, before: string, after: string): string[] {
    const destinations = rows.jurisdictions.map(({ code }) => code).filter((code) => /^[A-Z]{2}$/.test(code))
    return destinations.filter((to) =>
      [3, 15, 900].some((cost) => {
        const [first, second] = [before, after].map((date) =>
          shortLines(estimate(from, to, SAMPLE, cost, date)).join('\n'),
        )
        return first !== second
      }),
    )
  }
  const inArea = (area: string): string[] =>
    rows.jurisdictions
      .filter(({ code, customsAreas }) => customsAreas[0] === area && /^[A-Z]{2}$/.test(code))
      .map(({ code }) => code)

  test.each([
    // Kazakhstan changed its rules for e-commerce on the same day.
    ['EU: the relief up to EUR 150 ends', '2026-06-30', '2026-07-01', 'EU', ['KZ']],
    ['Türkiye: the flat rate up to EUR 30 ends', '2026-02-05', '2026-02-06', 'TR', []],
    ['United States: section 301 replaces section 122', '2026-07-23', '2026-07-24', 'US', []],
  ])('%s', (_name, before, after, area, others) => {
    expect(changed('CN', before, after).sort()).toEqual([...inArea(area), ...others].sort())
  })

  test('EU: duties of a consignment become EUR 3 each, which is part of the tax base', () => {
    const on = (date: string) => shortLines(estimate('CN', 'NL', ['61091000', '950300'], 20, date))
    expect(on('2026-06-30')).toEqual([
      '61091000 Most-favoured-nation duty 0',
      '950300 Most-favoured-nation duty 0',
      '61091000 Value added tax 420',
      '950300 Value added tax 420',
    ])
    // 21% of 23.00
    expect(on('2026-07-01')).toEqual([
      '61091000 Flat-rate customs duty 300',
      '950300 Flat-rate customs duty 300',
      '61091000 Value added tax 483',
      '950300 Value added tax 483',
    ])
  })

  test('Türkiye: 30% from the EU and 60% from elsewhere for all taxes, then the tariff', () => {
    const on = (from: string, date: string) => shortLines(estimate(from, 'TR', ['61091000'], 20, date))
    const tax = '61091000 Value added tax'
    expect(on('DE', '2026-02-05')).toEqual(['61091000 Flat-rate customs duty 600', `${tax} 0`])
    expect(on('CN', '2026-02-05')).toEqual(['61091000 Flat-rate customs duty 1200', `${tax} 0`])
    expect(on('DE', '2026-02-06')).toEqual(['61091000 Most-favoured-nation duty 240', `${tax} 224`])
  })

  test('United States: one additional duty replaces another, other lines stay', () => {
    const on = (date: string) => shortLines(estimate('VN', 'US', ['61091000'], 100, date))
    const rest = (additional: string) => [
      '61091000 Most-favoured-nation duty 1650',
      additional,
      // The carrier pays a fee in its place.
      '61091000 Merchandise processing fee 0',
      '61091000 Value added tax 0',
    ]
    expect(on('2026-07-23')).toEqual(rest('61091000 Section 122 duty 1000'))
    expect(on('2026-07-24')).toEqual(rest('61091000 Section 301 duty (forced labour) 1250'))
  })
})

describe('any text as a tariff code', () => {
  const texts = caseCount(25_000, 100_000)
  test(`is refused with its path or answered, and never throws (${texts} texts)`, () => {
    const dice = diceOf(7)
    const digits = '0123456789'
    const odd = '. -/٣Ⅷ\u00a0x%'
    let answered = 0
    for (let run = 0; run < texts; run++) {
      const length = dice.int(0, 14)
      let tariff = ''
      for (let at = 0; at < length; at++)
        tariff += dice.chance(0.04) ? dice.pick([...odd]) : dice.pick([...digits])
      const to = dice.pick(['DE', 'GB', 'US', 'CH', 'BR', 'MZ'])
      const request = checkDutiesRequest({
        from: { country: 'CN' },
        to: { country: to },
        contentItems: [{ description: 'goods', numberOfItems: 1, cost: 200, tariff }],
      })
      if ('kind' in request) {
        expect(request.fields.map(({ path }) => path.join('.'))).toEqual(['contentItems.0.tariff'])
        continue
      }
      const [item] = request.items
      if (item?.tariff === undefined) continue
      const code = givenCode(item.tariff)
      const { taxes, estimateCents } = estimateRequest(tables, request, [code], TODAY)
      expect(taxes.reduce((sum, line) => sum + line.amountCents, 0)).toBe(estimateCents)
      answered += 1
    }
    expect(answered).toBeGreaterThan(0.3 * texts)
  })
})

function hasUnitValue({ unitValueAbove, unitValueUpTo }: MeasureRow): boolean {
  return `${unitValueAbove}${unitValueUpTo}` !== ''
}
