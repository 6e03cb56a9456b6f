/**
 * The Southern African Customs Union: column "general" of Schedule 1 Part 1, and its columns for agreements. Source:
 * the South African Revenue Service.
 */
import { type SourceLine, sourceCell } from '../files.ts'
import {
  dutyRate,
  percentRate,
  type Rate,
  readTariff,
  readTariffByCode,
  sourceRate,
  type TariffRow,
  textRate,
  writeTariffFile,
} from '../tariff-rows.ts'
import { type Agreement, type ConcessionLine, preferenceRows, writeAgreements } from './preferences.ts'

const AGREEMENTS: readonly Agreement[] = [
  { column: 'eu_uk', origin: 'SACU-EU-GB', agreement: 'SADC-EU EPA or SACUM-UK EPA' },
  { column: 'efta', origin: 'EFTA', agreement: 'EFTA-SACU FTA' },
  { column: 'sadc', origin: 'SADC-FTA', agreement: 'SADC Protocol on Trade' },
  { column: 'mercosur', origin: 'MERCOSUR', agreement: 'MERCOSUR-SACU PTA' },
  { column: 'afcfta', origin: 'SACU-AFCFTA', agreement: 'AfCFTA' },
]

/** Groups whose members are known only as of 2024. */
const MEMBERS_NOT_SURE: readonly string[] = ['SADC-FTA', 'SACU-AFCFTA']

/**
 * Codes of the source table that HS 2022 does not have: the national chapters 98 and 99, and a heading read as a line.
 */
const NOT_GOODS = /^(?:98|99|441400)/

export function writeSouthernAfrica(folder: string): void {
  const columns = readTariffByCode(folder, '2026/tariffs/za_preferences_2026-02-13.csv')
  const duties = readTariff(folder, '2026/tariffs/za_2026-02-13.csv')
    .filter((line) => !NOT_GOODS.test(sourceCell(line, 'code')))
    .map((line) => dutyOf(line, columns.get(sourceCell(line, 'code')) ?? {}))
  writeTariffFile('tariff-sacu.csv', duties)
  writeAgreements('preferences-sacu.csv', AGREEMENTS, ({ column, origin, agreement }) => {
    const lines: readonly ConcessionLine[] = duties.map(({ code, rate }) => ({
      code,
      duty: rate,
      concession: concessionRate(rate, columns.get(code) ?? {}, column),
    }))
    return preferenceRows(lines, origin, agreement).map((row) =>
      MEMBERS_NOT_SURE.includes(origin) ? { ...row, confidence: 'medium' as const } : row,
    )
  })
}

/**
 * "30% or 500c/2u" is the higher of the two. In its notice of 2024-11-22, the International Trade Administration
 * Commission describes the amount as R5.00 per pair, an alternate rate that protects against low values.
 */
const ALTERNATIVE = /^(\d+(?:\.\d+)?)% or (\d+(?:\.\d+)?)c\/(kg|2u)$/

/** The row of a line. The cell "general" is cut off after its first words; the column MERCOSUR has more of them. */
function dutyOf(line: SourceLine, columns: SourceLine): TariffRow {
  const code = sourceCell(line, 'code')
  const rate = sourceRate(line)
  if (rate.text === 'free free free free free free') return { code, rate: percentRate('0') }
  const general = sourceCell(columns, 'general')
  const whole = sourceCell(columns, 'mercosur')
  if (rate.condition === '') {
    if (whole.startsWith(`${general} less`)) return { code, rate: textRate('not_parsed', whole) }
    return whole.startsWith(`${general} with`)
      ? { code, rate, confidence: 'medium', note: MAXIMUM }
      : { code, rate }
  }
  const isWhole = whole.startsWith(`${general} `) && !rate.text.includes('less')
  const alternative = isWhole ? alternativeRate(whole) : undefined
  return alternative === undefined ? { code, rate } : { code, rate: alternative, confidence: 'medium' }
}

const MAXIMUM = 'The duty is limited to a share of the value, which is not loaded.'

function alternativeRate(text: string): Rate | undefined {
  const [, percent = '', cents = '', unit = ''] = ALTERNATIVE.exec(text) ?? []
  if (percent === '') return undefined
  return dutyRate(`${percent}% MIN ${randOf(cents)} ZAR/${unit === '2u' ? 'pair' : 'kg'}`, 'ZAR')
}

/** "2.2" cents are "0.022" rand. */
function randOf(cents: string): string {
  return String(Number((Number(cents) / 100).toFixed(6)))
}

const CENTS = /^(\d+(?:\.\d+)?)c\/(kg|li|u)$/
const UNITS: Readonly<Record<string, string>> = { kg: 'kg', li: 'l', u: 'item' }

/** Undefined if the column has the general duty, or cannot be compared with it because it is cut off. */
function concessionRate(duty: Rate, columns: SourceLine, column: string): Rate | undefined {
  const text = sourceCell(columns, column)
  if (text === '' || text === sourceCell(columns, 'general')) return undefined
  if (text === 'free') return percentRate('0')
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? []
  if (percent !== undefined) return percentRate(percent)
  const [, cents = '', unit = ''] = CENTS.exec(text) ?? []
  if (cents !== '') {
    const rate = dutyRate(`${randOf(cents)} ZAR/${UNITS[unit]}`, 'ZAR')
    return rate.specific === duty.specific ? undefined : rate
  }
  if (text.startsWith(`${sourceCell(columns, 'general')} `)) return undefined
  return textRate('not_parsed', text)
}
