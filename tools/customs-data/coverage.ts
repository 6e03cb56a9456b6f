/**
 * Checks that the customs files maintained by hand cover a folder of published tables. Intentional omissions are listed
 * here.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MeasureRow } from '../../src/core/customs/data/row-types/measures.ts'
import type { CustomsRows } from '../../src/core/customs/data/rows.ts'
import { linesSplitBetweenHeadings } from './codes.ts'
import { readSource, type SourceLine, sourceCell } from './files.ts'

/** Suffix of measure types that do not apply to goods under the USMCA. */
const USMCA = '_usmca'

/** Throws with a list of the missing rows. */
export function checkCoverage(folder: string, rows: CustomsRows): void {
  const missing = [
    ...missingTerritories(folder, rows),
    ...missingJurisdictions(folder, rows),
    ...missingPreferences(folder, rows),
    ...missingAdditionalDuties(folder, rows),
    ...missingSplitLines(folder, rows),
  ]
  if (missing.length > 0) throw new Error(`the files maintained by hand lack:\n${missing.join('\n')}`)
  console.log('the files maintained by hand cover the folder')
}

/** Every postal rule of the folder needs a row of territories.csv. */
function missingTerritories(folder: string, { territories }: CustomsRows): readonly string[] {
  return postalRules(folder)
    .filter(({ country, pattern }) => {
      const rows = territories.filter((row) => row.country === country)
      if (pattern === '') return !rows.some((row) => row.postalFrom === '')
      const prefixes = postalPrefixes(pattern)
      return !rows.some(({ postalFrom }) => prefixes.some((prefix) => postalFrom.startsWith(prefix)))
    })
    .map(({ country, pattern }) => `territory ${country} ${pattern}`)
}

/** Patterns contain commas without quotes ("^(35,38)"), so the file is not read as CSV. */
function postalRules(folder: string): readonly { country: string; pattern: string }[] {
  const [, ...lines] = readFileSync(join(folder, 'territories.csv'), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const [, country = '', pattern = ''] = /^([A-Z]{2}),(\^?(?:[^,(]*\([^)]*\)|[^,]*)),/.exec(line) ?? []
    return { country, pattern }
  })
}

/** The prefixes of a pattern: "^(6691,69[12])" is 6691, 691 and 692, "^7[0-2]" is 70, 71 and 72. */
function postalPrefixes(pattern: string): readonly string[] {
  const [, alternatives] = /^\^\(?([A-Z0-9,[\]-]+)\)?$/.exec(pattern) ?? []
  if (alternatives === undefined) throw new Error(`unknown postal pattern ${pattern}`)
  return alternatives.split(',').flatMap((alternative) => {
    const [stem = '', digits] = alternative.split(/[[\]]/)
    const [from = '', to] = digits?.split('-') ?? []
    if (digits === undefined) return [stem]
    if (to === undefined) return [...from].map((digit) => stem + digit)
    return [...'0123456789'].filter((digit) => digit >= from && digit <= to).map((digit) => stem + digit)
  })
}

/** Every destination with rules needs a jurisdiction with the same currency. */
function missingJurisdictions(folder: string, { jurisdictions }: CustomsRows): readonly string[] {
  const rules = JSON.parse(readFileSync(join(folder, 'rules.json'), 'utf8')) as readonly SourceLine[]
  return rules
    .filter(
      (rule) =>
        !jurisdictions.some(
          (row) => row.code === sourceCell(rule, 'code') && row.currency === sourceCell(rule, 'currency'),
        ),
    )
    .map((rule) => `jurisdiction ${sourceCell(rule, 'code')}`)
}

/** Agreements in force must have rows. Agreements that may not be in force must have none. */
function missingPreferences(folder: string, { measures }: CustomsRows): readonly string[] {
  return readSource(folder, 'preferences.csv').flatMap((line) => {
    const [importer, origin, inForce] = ['importer', 'origin', 'in_force'].map((name) =>
      sourceCell(line, name),
    )
    const isListed = measures.some(
      (row) =>
        row.measureType === 'preference' &&
        row.jurisdiction === importer &&
        (row.originGroup === origin || row.originGroup.endsWith(`-${origin}`)),
    )
    return isListed === (inForce !== '?') ? [] : [`preference ${importer} ${origin} (${inForce})`]
  })
}

/**
 * Every additional duty of the folder needs a row of its type. If its rate is a single number, the rates must agree.
 */
function missingAdditionalDuties(folder: string, { measures }: CustomsRows): readonly string[] {
  return readSource(folder, 'us_measures.csv')
    .filter((line) => !measures.some((row) => isSameDuty(row, line)))
    .map((line) => `${sourceCell(line, 'measure_type')} of ${sourceCell(line, 'origin_group')}`)
}

function isSameDuty(row: MeasureRow, line: SourceLine): boolean {
  const type = sourceCell(line, 'measure_type')
  if (row.jurisdiction !== 'US' || ![type, `${type}${USMCA}`].includes(row.measureType)) return false
  const rate = sourceCell(line, 'rate_percent')
  const origin = sourceCell(line, 'origin_group')
  const isFigure = /^\d+(\.\d+)?$/.test(rate) && /^[A-Z]{2,3}$/.test(origin)
  if (!isFigure || row.condition === 'not_loaded') return true
  return (
    row.originGroup === origin &&
    [row.adValoremPpm, row.highestPpm].includes(Number(rate) * 10_000) &&
    row.validFrom === sourceCell(line, 'valid_from') &&
    sourceCell(line, 'kind').startsWith(row.kind)
  )
}

/** Every line that several lists cover in part needs its own row. */
function missingSplitLines(folder: string, { measures }: CustomsRows): readonly string[] {
  return linesSplitBetweenHeadings(folder)
    .filter((code) => !measures.some((row) => row.measureType === 's301_china' && row.codePrefix === code))
    .map((code) => `section 301 rate of ${code}`)
}
