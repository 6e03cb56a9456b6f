/**
 * Estimates for every country of the world: each has an answer, and no duty or tax is silently zero. Also the tariffs
 * that are known by six digits, the rules for whole countries and the ranges.
 */
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import {
  type DutiesEstimate,
  estimateRequest,
  givenCode,
} from '../../../src/core/customs/estimate/estimate.ts'
import { describeLine, lineRatePercent } from '../../../src/core/customs/estimate/explain/line.ts'
import type { DutiesRequest } from '../../../src/core/customs/request.ts'
import { readShippedCustomsData } from '../../../src/reference/customs.ts'

const rows = readShippedCustomsData()
const tables = compileCustoms(rows)

/** ISO 3166-1 alpha-2. */
const COUNTRIES = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
  BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
  EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
  HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
  LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
  NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
  TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/)

const CODES = ['610910', '85171300', '040690', '220300', '940360']

function estimate(
  to: string,
  codes: readonly string[],
  from = 'CN',
  originCountry?: string,
  recipient: 'individual' | 'business' = 'individual',
): DutiesEstimate {
  const request: DutiesRequest = {
    recipient,
    from: { country: from },
    to: { country: to },
    items: codes.map((tariff) => ({
      description: 'goods',
      numberOfItems: 1,
      costSteps: 1_000_000_000,
      tariff,
      ...(originCountry !== undefined && { originCountry }),
    })),
  }
  return estimateRequest(tables, request, codes.map(givenCode), '2026-11-23')
}

/** The duties on goods for a business, which no low-value rule replaces: name, rate or "not estimated". */
function duties(to: string, code: string, from?: string, origin?: string): readonly string[] {
  const { taxes, consignment } = estimate(to, [code], from, origin, 'business')
  return taxes
    .filter(({ kind }) => kind === 'DUTY' || kind === 'COMBINED')
    .map((line) =>
      line.computed
        ? `${line.name} ${lineRatePercent(line)}%`
        : (describeLine(consignment, line).split('. ')[0] ?? ''),
    )
}

describe('every country of ISO 3166', () => {
  test('occurs once', () => {
    expect(new Set(COUNTRIES).size).toBe(249)
  })
  test.each(COUNTRIES)('%s has an answer, and what is not known is not computed', (country) => {
    const { taxes, consignment, complete } = estimate(country, CODES, country === 'CN' ? 'US' : 'CN')
    expect(taxes.length).toBeGreaterThan(0)
    for (const line of taxes) {
      expect(describeLine(consignment, line), line.name).not.toBe('')
      if (!line.computed) expect(line.amountCents).toBe(0)
    }
    expect(complete).toBe(taxes.every((line) => line.computed))
    const dutiable = taxes
      .filter(({ kind }) => kind === 'DUTY' || kind === 'COMBINED')
      .map((line) => line.harmonizedCode.slice(0, 6))
    expect(new Set(dutiable)).toEqual(new Set(CODES.map((code) => code.slice(0, 6))))
  })
  test('that is inhabited has a name, and one jurisdiction', () => {
    const codes = rows.jurisdictions.map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    const wholes = rows.territories
      .filter(({ postalFrom }) => postalFrom === '')
      .map(({ country }) => country)
    expect(new Set(wholes).size).toBe(wholes.length)
    expect(COUNTRIES.filter((country) => !wholes.includes(country))).toEqual([
      ...['AQ', 'BV', 'GS', 'HM', 'IO', 'TF', 'UM'],
    ])
  })
})

describe('tariffs by six digits', () => {
  const BASE = 'Most-favoured-nation duty'
  test.each([
    ['IN', '610910', [`${BASE} 20%`, 'Social welfare surcharge 10%']],
    ['IN', '640399', [`${BASE} 35%`, 'Social welfare surcharge 10%']],
    ['IN', '490110', [`${BASE} 10%`, 'Social welfare surcharge 10%']],
    ['CA', '610910', [`${BASE} 18%`]],
    ['CA', '851713', [`${BASE} 0%`]],
    ['CA', '640391', [`${BASE} 18%`]],
    ['AE', '610910', [`${BASE} 5%`]],
    ['OM', '240220', [`${BASE} 100%`]],
    ['QA', '220421', [`${BASE} 50%`]],
    ['BH', '851713', [`${BASE} 0%`]],
    ['KZ', '330499', [`${BASE} 5%`]],
    ['KZ', '490110', [`${BASE} 0%`]],
    ['TR', '610910', [`${BASE} 12%`, 'Additional customs duty 30%']],
    ['TR', '640399', [`${BASE} 8%`, 'Additional customs duty 30%']],
    ['TR', '330499', [`${BASE} 0%`, 'Additional customs duty 25%']],
    ['TR', '420222', [`${BASE} 9.7%`, 'Additional customs duty 30%']],
    ['TR', '851713', [`${BASE} 0%`]],
    ['CL', '610910', [`${BASE} 6%`]],
    ['MO', '220830', [`${BASE} 0%`]],
    ['IS', '851713', [`${BASE} 0%`]],
    ['KE', '610910', [`${BASE} 35%`]],
    ['NO', '620342', [`${BASE} 10.7%`]],
  ])('%s %s', (country, code, expected) => {
    expect(duties(country, code)).toEqual(expected)
  })

  test.each([
    ['CA', '040690', 'The rate is up to about 300% on dairy, poultry and eggs outside quotas'],
    ['CA', '070200', 'The rate is an amount per kilogram in season for some goods'],
    ['KW', '020311', 'The rate is set by each Gulf state (pork)'],
    [
      'KZ',
      '610910',
      'The rate is a percentage with a minimum in euro per kilogram, pair, litre or square metre',
    ],
    ['TR', '070200', 'The rate is set by the national tariff on agricultural goods'],
  ])('%s %s has no rate, because the zero of the source is not a duty of 0%%', (country, code, text) => {
    expect(duties(country, code).join()).toContain(text)
  })

  test('Türkiye: goods of the EU and of agreement partners do not owe the additional duty', () => {
    expect(duties('TR', '610910', 'NL')).toEqual([`${BASE} 12%`])
    expect(duties('TR', '610910', 'NL', 'DE')).toEqual(['Preferential duty (EU-Türkiye customs union) 0%'])
    expect(duties('TR', '610910', 'CH', 'CH')).toEqual([`${BASE} 12%`])
    expect(duties('TR', '610910', 'NL', 'CN')).toHaveLength(2)
  })

  test('Canada: agreements with the United States and Mexico leave out dairy', () => {
    const [preference, counterTariff, ...others] = duties('CA', '610910', 'US', 'US')
    expect([preference, others]).toEqual(['Preferential duty (CUSMA) 0%', []])
    expect(counterTariff).toContain('15%, 25% or 50% on 648 listed goods')
    expect(duties('CA', '040690', 'US', 'US').join()).not.toContain('0%.')
  })

  test('have no rate of a chapter for a code without a rate', () => {
    const areas = new Set(['IN', 'CA', 'GCC', 'KZ', 'TR'])
    for (const row of rows.measures)
      if (areas.has(row.jurisdiction) && row.measureType === 'third_country_duty') {
        expect(row.level).toBe('subheading')
        expect(row.confidence).toBe('low')
      }
  })
})

describe('averages of chapters', () => {
  test.each([
    [
      'AR',
      '330499',
      'Average duty on cosmetics and perfume in Argentina: 15.7%',
      'Individual rates range from 2% to 18%',
    ],
    [
      'AR',
      '940360',
      'Average duty on furniture, bedding and lamps in Argentina: 17.8%',
      'Individual rates range from',
    ],
  ])('%s %s', (country, code, average, range) => {
    const { taxes, consignment } = estimate(country, [code])
    const [line] = taxes
    const text = line === undefined ? '' : describeLine(consignment, line)
    expect(text).toContain(average)
    expect(text).toContain(range)
    expect(text).toContain('confidence low')
  })

  test('name the goods, and lie in their range', () => {
    const averages = rows.measures.filter((row) => row.dataSet === 'averages')
    expect(averages.length).toBeGreaterThan(80)
    for (const { jurisdiction, codePrefix, goods, adValoremPpm, lowestPpm, highestPpm } of averages) {
      expect(goods, codePrefix).not.toBe('')
      expect(adValoremPpm ?? -1, `${jurisdiction} ${codePrefix}`).toBeGreaterThanOrEqual(lowestPpm ?? 0)
      expect(adValoremPpm ?? -1, `${jurisdiction} ${codePrefix}`).toBeLessThanOrEqual(highestPpm ?? 0)
    }
  })

  test('give way to the rules of a country', () => {
    expect(duties('AR', '610910')).toEqual(['Most-favoured-nation duty 20%'])
    expect(duties('AR', '851713')).toEqual(['Most-favoured-nation duty 0%'])
    expect(duties('AR', '640399')).toEqual(['Most-favoured-nation duty 20%'])
  })
})

test('a lost leading zero is restored for countries with six digits alone', () => {
  for (const country of ['IN', 'CL', 'KZ'])
    expect(estimate(country, ['9012100']).taxes[0]?.harmonizedCode.slice(0, 6), country).toBe('090121')
})

test('ranges are never amounts', () => {
  const ranges = rows.measures.filter((row) => row.condition === 'range_only')
  expect(ranges.length).toBeGreaterThan(100)
  for (const row of ranges) {
    expect(row.adValoremPpm).toBeNull()
    expect(row.lowestPpm ?? 0, row.jurisdiction).toBeLessThan(row.highestPpm ?? 0)
  }
  for (const country of ['AF', 'ET', 'PK']) {
    const { taxes, complete, estimateCents } = estimate(country, ['610910'])
    expect([taxes[0]?.amountCents, complete, estimateCents]).toEqual([0, false, 0])
  }
})
