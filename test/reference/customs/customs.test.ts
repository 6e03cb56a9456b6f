/** The shipped customs data are complete, dated and consistent. Single figures are tested in figures.test.ts. */
import { describe, expect, test } from 'vitest'
import { compileCustoms } from '../../../src/core/customs/compiled-customs.ts'
import type { MeasureRow } from '../../../src/core/customs/data/row-types/measures.ts'
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import { parseDutyParts } from '../../../src/core/customs/tariff/duty-text.ts'
import { isCountryCode, normalisePostalCode } from '../../../src/core/place.ts'
import {
  readHs2022Codes,
  readShippedCustomsData,
  shippedCustoms,
  shippedRows,
} from '../../../src/reference/customs.ts'

const shipped = shippedCustoms()
const rows = readShippedCustomsData(shipped)
const { dataSets: _sets, ...lists } = rows
const groups = new Set(rows.originGroups.map((row) => row.originGroup))
const codeLists = new Set(rows.codeLists.map((row) => row.codeList))
const jurisdictions = new Set(rows.jurisdictions.map((row) => row.code))
const customsAreas = new Set(rows.jurisdictions.flatMap((row) => row.customsAreas))
const tariffAreas = new Set(
  rows.jurisdictions.map(({ code, customsAreas, tariffOf }) => tariffOf || (customsAreas[0] ?? code)),
)

type Dated = { readonly validFrom: string | null; readonly validTo: string | null }

/** The keys with two rows that apply on the same day. */
function overlaps<Row extends Dated>(rows: readonly Row[], keyOf: (row: Row) => string): string[] {
  const byKey = new Map<string, Row[]>()
  for (const row of rows) byKey.set(keyOf(row), [...(byKey.get(keyOf(row)) ?? []), row])
  return [...byKey].flatMap(([key, same]) => {
    const inOrder = same.sort((a, b) => ((a.validFrom ?? '') < (b.validFrom ?? '') ? -1 : 1))
    return inOrder.flatMap((row, index) => {
      const next = inOrder[index + 1]
      return next !== undefined && (row.validTo ?? '9999') > (next.validFrom ?? '') ? [key] : []
    })
  })
}

function isOrigin(name: string): boolean {
  return name === 'ALL' || isCountryCode(name) || groups.has(name)
}

test('every data set has a short title, a source, a date and rows', () => {
  for (const set of shipped.dataSets) {
    expect(set.title.length, set.name).toBeGreaterThan(5)
    expect(set.title.length, set.name).toBeLessThan(33)
    expect(set.source.length, set.name).toBeGreaterThan(10)
    expect(set.date, set.name).toMatch(/^20\d\d-\d\d-\d\d$/)
    expect(set.rowCount, set.name).toBeGreaterThan(0)
    expect(shippedRows(shipped, set)[set.table], set.name).toHaveLength(set.rowCount)
  }
  expect(rows.dataSets.every((set) => set.layer === 0)).toBe(true)
})

test('every row belongs to a data set of its table', () => {
  const tableOf = new Map(shipped.dataSets.map((set) => [set.name, set.table]))
  for (const [table, list] of Object.entries(lists))
    expect(list.filter((row) => tableOf.get(row.dataSet) !== table)).toEqual([])
})

test('no row is lost', () => {
  const counts = Object.fromEntries(shipped.dataSets.map((set) => [set.name, set.rowCount]))
  expect(counts).toMatchObject({
    'tariff-eu': 11_830,
    'tariff-gb': 11_830,
    'tariff-us': 11_414,
    'hs2022-fill': 740,
    'tariff-jp': 9646,
    'preferences-jp': 9693,
    'tariff-sacu': 8562,
    'preferences-sacu': 3071,
    'tariff-cn': 7768,
    'tariff-br': 10_671,
    'tariff-ecowas': 6499,
    'tariff-cemac': 6206,
    'tariff-au': 5000,
    'tariff-mx': 1868,
    'tariff-vn': 7455,
    'tax-rates': 991,
    'code-lists-us': 10_390,
    'hs-successors': 464,
  })
})

test('the rows compile into tables', () => {
  const areas = new Set(
    rows.measures
      .filter((row) => row.measureType === 'third_country_duty' && row.level !== 'average')
      .map((row) => row.jurisdiction),
  )
  expect(new Set(compileCustoms(rows).tariffs.keys())).toEqual(areas)
})

test('every validity begins before it ends', () => {
  const dated = [...rows.taxRates, ...rows.measures, ...rows.thresholds, ...rows.fees]
  expect(dated.filter((row) => (row.validFrom ?? '') >= (row.validTo ?? '9999'))).toEqual([])
})

describe('measures', () => {
  test('of one key never apply on the same day', () => {
    const key = (row: CustomsRows['measures'][number]) =>
      [row.jurisdiction, row.codePrefix, row.measureType, row.originGroup, row.scopeList, row.agreement].join(
        ' ',
      )
    // The agreement of an additional duty is its law. Two laws of one type would both be charged.
    const keyOfType = (row: CustomsRows['measures'][number]) =>
      row.measureType === 'preference' ? key(row) : key({ ...row, agreement: '' })
    expect(overlaps(rows.measures, keyOfType)).toEqual([])
  })
  test('have a rate that can be read', () => {
    const isWithoutRate = (row: MeasureRow) =>
      row.adValoremPpm === null && row.specific === '' && row.text === '' && row.condition !== 'range_only'
    const isTextMissing = (row: MeasureRow) =>
      (row.condition === 'not_loaded' || row.condition === 'not_parsed') && row.text === ''
    expect(rows.measures.filter(isWithoutRate)).toEqual([])
    expect(rows.measures.filter(isTextMissing)).toEqual([])
    const texts = rows.measures.flatMap((row) => [row.specific, row.minimum, row.maximum])
    const unread = [...new Set(texts)].filter((text) => text !== '' && parseDutyParts(text) === undefined)
    expect(unread).toEqual([])
  })
  test('have a known type, origin and area, and a valid code', () => {
    const types = new Set(rows.measureTypes.map((row) => row.measureType))
    // National lines of Japan have nine digits.
    const isCode = ({ jurisdiction, codePrefix }: MeasureRow) =>
      /^(?:\d{2}(?:\d{2}){0,4})?$/.test(codePrefix) || (jurisdiction === 'JP' && /^\d{9}$/.test(codePrefix))
    const origins = new Set(rows.measures.flatMap((row) => [row.originGroup, ...row.excludedOrigins]))
    expect(rows.measures.filter((row) => !types.has(row.measureType))).toEqual([])
    expect(rows.measures.filter((row) => !tariffAreas.has(row.jurisdiction))).toEqual([])
    expect(rows.measures.filter((row) => !isCode(row))).toEqual([])
    expect([...origins].filter((origin) => !isOrigin(origin))).toEqual([])
  })
  test('name only shipped lists, and every shipped list', () => {
    const named = rows.measures
      .flatMap((row) => [row.scopeList, row.exemptList])
      .filter((list) => list !== '')
    expect(named.filter((list) => !codeLists.has(list))).toEqual([])
    expect([...codeLists].filter((list) => !named.includes(list))).toEqual([])
  })
  test('have types that exclude only earlier types', () => {
    const types = rows.measureTypes.map((row) => row.measureType)
    expect(new Set(types).size).toBe(types.length)
    for (const row of rows.measureTypes)
      for (const other of row.notWith)
        expect(types.indexOf(other)).toBeLessThan(types.indexOf(row.measureType))
  })

  test('for HS 2022 are subheadings', () => {
    const levels = rows.measures.filter((row) => row.dataSet === 'hs2022-fill').map(({ level }) => level)
    expect(new Set(levels)).toEqual(new Set(['subheading']))
  })

  test('for HS 2022 do not repeat subheadings of HS 2017', () => {
    const lines = rows.measures.filter((row) => row.dataSet === 'tariff-eu' || row.dataSet === 'tariff-gb')
    const headings = new Set(lines.map((row) => row.jurisdiction + row.codePrefix.slice(0, 6)))
    for (const row of rows.measures)
      if (row.dataSet === 'hs2022-fill') expect(headings.has(row.jurisdiction + row.codePrefix)).toBe(false)
  })
  test('name the agreement and origin of a preference', () => {
    const preferences = rows.measures.filter((row) => row.measureType === 'preference')
    expect(preferences.filter((row) => row.agreement === '' || row.originGroup === 'ALL')).toEqual([])
    const isKnown = (row: MeasureRow) => row.adValoremPpm !== null || row.specific !== ''
    expect(preferences.filter((row) => isKnown(row) === (row.condition !== ''))).toEqual([])
  })
})

describe('codes', () => {
  test('codes consist of digits and occur once on a list', () => {
    const keys = rows.codeLists.map((row) => `${row.codeList} ${row.codePrefix}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(rows.codeLists.filter((row) => !/^\d{2}(?:\d{2}){0,4}$/.test(row.codePrefix))).toEqual([])
  })
  test('codes of six or more digits on lists exist in HS 2022', () => {
    const known = readHs2022Codes()
    const long = rows.codeLists.filter(({ codePrefix }) => codePrefix.length >= 6)
    expect(long.filter(({ codePrefix }) => !known.has(codePrefix.slice(0, 6)))).toEqual([])
  })
  test('codes that ended do not exist in HS 2022, and their successors do', () => {
    const known = readHs2022Codes()
    for (const row of rows.hsSuccessors) {
      expect(known.has(row.endedCode), row.endedCode).toBe(false)
      expect(known.has(row.code), row.code).toBe(true)
    }
  })
  test('that ended have a usual successor', () => {
    const ended = new Set(rows.hsSuccessors.map((row) => row.endedCode))
    const withMain = new Set(rows.hsSuccessors.filter((row) => row.isMain).map((row) => row.endedCode))
    expect([...ended].filter((code) => !withMain.has(code))).toEqual([])
    expect(ended.size).toBe(144)
  })
})

describe('origins', () => {
  test('in a group are countries and occur once', () => {
    const keys = rows.originGroups.map((row) => `${row.originGroup} ${row.country}`)
    expect(new Set(keys).size).toBe(keys.length)
    for (const row of rows.originGroups) expect(isCountryCode(row.country), row.country).toBe(true)
  })
  test('in the group EU are its 27 states and Monaco', () => {
    expect(rows.originGroups.filter((row) => row.originGroup === 'EU').length).toBe(28)
  })
})

describe('taxes', () => {
  test('that are levied have a standard rate without dates', () => {
    for (const tax of rows.taxes) {
      if (tax.status !== 'levied') continue
      if (rows.exciseRates.some(({ jurisdiction }) => tax.kind === 'EXCISE' && jurisdiction === tax.ratesOf))
        continue
      const rates = rows.taxRates.filter((row) => row.jurisdiction === tax.ratesOf && row.tax === tax.tax)
      const standard = rates.filter((row) => row.codePrefix === '' && row.validFrom === null)
      expect(
        standard.map((row) => row.kind),
        tax.jurisdiction,
      ).toEqual(['standard'])
    }
  })
  test('have one rate for a code on a day', () => {
    const key = (row: CustomsRows['taxRates'][number]) => `${row.jurisdiction} ${row.tax} ${row.codePrefix}`
    const dated = rows.taxRates.filter((row) => row.validFrom !== null || row.validTo !== null)
    expect(overlaps(dated, key)).toEqual([])
    const undated = rows.taxRates.filter((row) => row.validFrom === null && row.validTo === null).map(key)
    expect(new Set(undated).size).toBe(undated.length)
  })
  test('of earlier years have an end and differ from the current rate', () => {
    for (const row of rows.taxRates) {
      if (row.dataSet !== 'tax-rates-earlier') continue
      expect(row.validTo, row.jurisdiction).not.toBeNull()
      const today = rows.taxRates.find(
        (other) =>
          other.jurisdiction === row.jurisdiction && other.codePrefix === '' && other.validFrom === null,
      )
      expect(today?.ratePpm, row.jurisdiction).not.toBe(row.ratePpm)
    }
  })
  test('that are not levied or not estimated have a reason', () => {
    for (const tax of rows.taxes)
      if (tax.status !== 'levied') expect(tax.reason, tax.jurisdiction).not.toBe('')
  })
  test('and their rates, fees, excise and jurisdictions have texts that are full sentences', () => {
    const texts = [
      ...[...rows.taxes, ...rows.fees].map(({ reason }) => reason),
      ...[...rows.taxes, ...rows.taxRates, ...rows.exciseRates, ...rows.jurisdictions].map(
        ({ note }) => note,
      ),
    ]
    for (const text of new Set(texts)) if (text !== '') expect(text).toMatch(/^[A-Z0-9].*[^ .]\.$/)
  })
  test('and levies exempt known groups and countries', () => {
    for (const place of rows.fees.flatMap((row) => row.exemptOrigins))
      expect(isOrigin(place), place).toBe(true)
  })
  test('and fees do not have "estimated" in their names, because the engine adds it', () => {
    for (const { name } of [...rows.taxes, ...rows.fees]) expect(name).not.toMatch(/estimated/)
  })
  test('include excise on alcohol and tobacco in every country and territory with a levied import tax', () => {
    const without = rows.taxes.filter(
      (tax) =>
        tax.status === 'levied' &&
        !rows.taxes.some(
          ({ jurisdiction, kind, codePrefixes }) =>
            jurisdiction === tax.jurisdiction && kind === 'EXCISE' && codePrefixes.includes('2208'),
        ),
    )
    expect(without.map((tax) => tax.jurisdiction)).toEqual([])
  })
  test('exist for every rate', () => {
    const known = new Set(rows.taxes.map((tax) => `${tax.ratesOf} ${tax.tax}`))
    for (const row of rows.taxRates)
      expect(known.has(`${row.jurisdiction} ${row.tax}`), `${row.jurisdiction} ${row.tax}`).toBe(true)
  })
  test('belong to known jurisdictions', () => {
    for (const { jurisdiction } of [...rows.taxes, ...rows.taxRates, ...rows.fees])
      expect(jurisdictions.has(jurisdiction), jurisdiction).toBe(true)
  })
})

describe('thresholds', () => {
  test('belong to customs areas (duty) or jurisdictions (tax), and have a reason', () => {
    for (const row of rows.thresholds) {
      const known = row.appliesTo === 'duty' ? customsAreas : jurisdictions
      expect(known.has(row.jurisdiction), row.jurisdiction).toBe(true)
      expect(row.reason).toMatch(/^[a-zA-Z0-9].*[^.]$/)
    }
  })
  test('name countries, customs areas or groups as senders', () => {
    for (const place of rows.thresholds.flatMap((row) => row.sentFrom))
      expect(isOrigin(place) || customsAreas.has(place), place).toBe(true)
  })
  test('have the rate, amount and limit that their kind needs', () => {
    for (const row of rows.thresholds) {
      expect(row.kind === 'flat_rate' ? row.ratePpm !== null : true, row.reason).toBe(true)
      expect(row.kind === 'flat_per_item').toBe(row.flatAmount !== '')
      if (row.kind !== 'flat_rate') expect(row.limitAmount).not.toBe('')
    }
  })
  test('are ordered by limit where an earlier one would hide a later one', () => {
    const on = rows.thresholds.filter((row) => row.enabled && row.kind !== 'taxed_excess')
    const hidden = on.filter((row, index) =>
      on.slice(0, index).some((first) => {
        const isSame = first.jurisdiction === row.jurisdiction && first.appliesTo === row.appliesTo
        const isWider =
          first.sentFrom.length === 0 &&
          first.includedPrefixes.length === 0 &&
          first.recipient === 'any' &&
          first.kind !== 'not_levied_up_to'
        const isSooner = (first.validFrom ?? '') <= (row.validFrom ?? '') && first.validTo === null
        return isSame && isWider && isSooner && Number(first.limitAmount) >= Number(row.limitAmount)
      }),
    )
    expect(hidden.map((row) => row.reason)).toEqual([])
  })
})

describe('fees', () => {
  test('of one kind are due once on a day', () => {
    expect(overlaps(rows.fees, (row) => `${row.jurisdiction} ${row.fee}`)).toEqual([])
  })
  test('have an amount, or a reason why not', () => {
    for (const row of rows.fees) {
      if (row.status === 'not_estimated') expect(row.reason, row.fee).not.toBe('')
      else
        expect(row.kind === 'share_of_value' ? row.ratePpm !== null : row.amount !== '', row.fee).toBe(true)
    }
  })
})

describe('territories', () => {
  test('are in known countries and jurisdictions', () => {
    for (const row of rows.territories) {
      expect(isCountryCode(row.country), row.country).toBe(true)
      expect(jurisdictions.has(row.jurisdiction), row.jurisdiction).toBe(true)
    }
  })
  test('have normalised postal codes', () => {
    for (const { country, postalFrom } of rows.territories)
      expect(normalisePostalCode(country, postalFrom)).toBe(postalFrom)
  })
})

test('every amount that is compared, charged or rounded has an exchange rate', () => {
  const known = new Set(['EUR', ...rows.exchangeRates.map((row) => row.currency)])
  const rounding = rows.jurisdictions.filter((row) => row.roundingUnit !== '' || row.valueUnit !== '')
  const inDuties = rows.measures
    .flatMap((row) => [row.specific, row.minimum, row.maximum])
    .flatMap((text) => (text === '' ? [] : (parseDutyParts(text)?.specifics ?? [])))
  for (const { currency } of [...rows.thresholds, ...rows.fees, ...rounding, ...inDuties])
    expect(known.has(currency), currency).toBe(true)
})
