/**
 * Draws codes from the published tables of national tariffs, estimates them with the shipped data, and compares rate,
 * basis and data set. Reads the tables itself, independently of the scripts that write the files. Prints a line per
 * table and throws if an estimate differs.
 *
 *   npx tsx tools/customs-data/national/check.ts <folder> [codes per table]
 */

import { compilePackedCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { classifyItems, estimateRequest } from '../../../src/core/customs/estimate/estimate.ts'
import { dutyBasis } from '../../../src/core/customs/estimate/explain/line.ts'
import type { TaxLine } from '../../../src/core/customs/estimate/tax-line.ts'
import { checkDutiesRequest } from '../../../src/core/customs/request.ts'
import type { Measure } from '../../../src/core/customs/tariff/measure.ts'
import { readHs2022Codes, shippedCustoms, shippedHeads } from '../../../src/reference/customs.ts'
import { readSource, type SourceLine, sourceCell } from '../files.ts'

const [folder, count = '600'] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: check.ts <folder> [codes per table]')

const shipped = shippedCustoms()
const tables = compilePackedCustoms({ tables: shipped.tables, dataSets: shippedHeads(shipped.dataSets) })
const hs2022 = readHs2022Codes()
const DATE = '2026-11-23'
/** Above all low-value rules. */
const VALUE = 100_000

type Answer = { readonly line: TaxLine | undefined; readonly measure: Measure | undefined }

/** The base duty or the claimed preference. */
function dutyOn(to: string, code: string, origin?: string): Answer {
  const item = { description: 'goods', tariff: code, numberOfItems: 1, cost: VALUE, originCountry: origin }
  const request = checkDutiesRequest({
    from: { country: 'TW' },
    to: { country: to },
    contentItems: [item],
    recipientType: 'business',
  })
  if ('kind' in request) throw new Error(JSON.stringify(request.fields))
  const { taxes } = estimateRequest(
    tables,
    request,
    classifyItems(request.items, () => []),
    DATE,
  )
  for (const line of taxes) {
    const { calculation } = line
    if (calculation.kind === 'joined' || !('measure' in calculation.facts)) continue
    const { measure } = calculation.facts
    if (measure.type.role !== 'additional') return { line, measure }
  }
  return { line: taxes[0], measure: undefined }
}

/** A generator of whole numbers that gives the same draws in every run. */
let state = 20261123
function draw<Value>(values: readonly Value[], number: number): readonly Value[] {
  if (values.length <= number) return values
  return Array.from({ length: number }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return values[state % values.length] as Value
  })
}

const faults: string[] = []

/** "12%", "425 JPY/kg", "20% + 1 JPY/kg MIN 2 JPY/kg", without redundant zeros. */
function expectedText(line: SourceLine): string {
  const percent = sourceCell(line, 'ad_valorem_percent') || sourceCell(line, 'mfn_percent')
  const plain = (text: string): string =>
    text.replace(/(\d+\.\d*?)0+(?=[^\d]|$)/g, '$1').replace(/\.(?= )/g, '')
  const sum = [percent === '' ? '' : `${Number(percent)}%`, plain(sourceCell(line, 'specific'))]
  const minimum = sourceCell(line, 'minimum')
  const text =
    sum.filter((part) => part !== '').join(' + ') + (minimum === '' ? '' : ` MIN ${plain(minimum)}`)
  return text.replaceAll('/head', '/item')
}

type Table = {
  readonly file: string
  readonly to: string
  readonly dataSet: string
  /** Lines that are stored in another way on purpose. */
  readonly isLeftOut?: (line: SourceLine) => boolean
}

const TABLES: readonly Table[] = [
  { file: 'tariffs/jp_2026-07.csv', to: 'JP', dataSet: 'tariff-jp' },
  {
    file: 'tariffs/za_2026-02-13.csv',
    to: 'ZA',
    dataSet: 'tariff-sacu',
    isLeftOut: (line) => /^(98|99|441400)/.test(sourceCell(line, 'code')),
  },
  { file: 'tariffs/br_tec_hs2017.csv', to: 'BR', dataSet: 'tariff-br' },
  { file: 'tariffs/ecowas_cet_ng.csv', to: 'NG', dataSet: 'tariff-ecowas' },
  { file: 'tariffs/ecowas_cet_gh.csv', to: 'ML', dataSet: 'tariff-ecowas' },
  { file: 'tariffs/cemac_cet_cm.csv', to: 'GA', dataSet: 'tariff-cemac' },
  { file: 'tariffs/au_part_2026-04.csv', to: 'AU', dataSet: 'tariff-au' },
  {
    file: 'hs6/mx_8digit_2026-05.csv',
    to: 'MX',
    dataSet: 'tariff-mx',
    isLeftOut: (line) => !hs2022.has(sourceCell(line, 'code').slice(0, 6)),
  },
]

function checkTable({ file, to, dataSet, isLeftOut }: Table, number: number): void {
  const lines = readSource(folder as string, `2026/${file}`).filter((line) => !isLeftOut?.(line))
  let texts = 0
  let read = 0
  let cut = 0
  const before = faults.length
  for (const line of draw(lines, number)) {
    const code = sourceCell(line, 'code')
    const { line: answer, measure } = dutyOn(to, code)
    const expected = expectedText(line)
    const found = measure?.rateText ?? 'none'
    const basis = answer && dutyBasis(answer)
    if (basis !== (measure?.row.condition === '' ? 'NATIONAL_LINE' : 'NOT_LOADED'))
      faults.push(`${to} ${code}: ${basis}`)
    if (measure?.row.dataSet !== dataSet) faults.push(`${to} ${code}: from ${measure?.row.dataSet}`)
    if (expected === '') {
      if (measure?.row.condition === '') read += 1
      else texts += 1
      if (measure?.row.condition !== '' && answer?.amountCents !== 0) faults.push(`${to} ${code}: charged`)
    } else if (measure?.row.condition === 'not_parsed') {
      cut += 1
    } else if (found !== expected) {
      faults.push(`${to} ${code}: ${found} instead of ${expected}`)
    }
  }
  const groups = checkSubheadings(to, dataSet, lines, number)
  const bad = faults.length - before
  console.log(
    `${to}: ${Math.min(number, lines.length)} lines (${texts} text, ${read} read from text, ${cut} kept as text because the rate is cut off), ${groups} subheadings, ${bad} differences`,
  )
}

/** A six-digit code has the most frequent rate of its lines; of equally frequent rates, the higher. */
function checkSubheadings(to: string, dataSet: string, lines: readonly SourceLine[], number: number): number {
  const bySubheading = new Map<string, SourceLine[]>()
  for (const line of lines) {
    const code = sourceCell(line, 'code').slice(0, 6)
    bySubheading.set(code, [...(bySubheading.get(code) ?? []), line])
  }
  const plain = [...bySubheading].filter(
    ([code, group]) => hs2022.has(code) && group.every((line) => /^[\d.]+%$/.test(expectedText(line))),
  )
  for (const [code, group] of draw(plain, number)) {
    const counts = new Map<number, number>()
    for (const line of group) {
      const percent = Number(expectedText(line).slice(0, -1))
      counts.set(percent, (counts.get(percent) ?? 0) + 1)
    }
    const [usual] = [...counts].sort(([a, n], [b, m]) => m - n || b - a)
    const { measure, line } = dutyOn(to, code)
    const expected = `${usual?.[0]}%`
    const basis = line && dutyBasis(line)
    if (basis !== (counts.size === 1 ? 'NATIONAL_LINE' : 'SUBHEADING')) faults.push(`${to} ${code}: ${basis}`)
    if (measure?.rateText !== expected || measure.row.dataSet !== dataSet)
      faults.push(`${to} ${code}: ${measure?.rateText} (${measure?.row.dataSet}) instead of ${expected}`)
  }
  return Math.min(number, plain.length)
}

/** Codes of 2023 without a mark: the rate of 2023, or lines whose average it is. */
function checkChina(number: number): void {
  const lines = readSource(folder as string, '2026/tariffs/cn_mfn_2019-06.csv')
  const subheadings = readSource(folder as string, '2026/hs6/cn_hs6_2023.csv')
  let split = 0
  for (const line of draw(subheadings, number)) {
    const [code, percent, mark] = ['code', 'mfn_percent', 'note'].map((name) => sourceCell(line, name)) as [
      string,
      string,
      string,
    ]
    const { measure, line: answer } = dutyOn('CN', code)
    if (mark !== '') {
      if (!mark.startsWith('tariff quota') && answer?.amountCents !== 0) faults.push(`CN ${code}: charged`)
    } else if (measure?.row.level === 'subheading') {
      if (measure.rateText !== `${Number(percent)}%`) faults.push(`CN ${code}: ${measure.rateText}`)
      if (answer === undefined || dutyBasis(answer) !== 'SUBHEADING') faults.push(`CN ${code}: basis`)
    } else {
      split += 1
      const below = lines.filter((other) => sourceCell(other, 'code').startsWith(code))
      const sum = below.reduce((total, other) => total + Number(sourceCell(other, 'ad_valorem_percent')), 0)
      if (Math.abs(sum / below.length - Number(percent)) > 0.006) faults.push(`CN ${code}: average differs`)
      for (const other of below) {
        const found = dutyOn('CN', sourceCell(other, 'code')).measure?.rateText
        if (found !== expectedText(other)) faults.push(`CN ${sourceCell(other, 'code')}: ${found}`)
      }
    }
  }
  console.log(`CN: ${number} subheadings, ${split} of them with lines`)
}

const JAPANESE_ORIGINS: Readonly<Record<string, string>> = {
  ...{ eu: 'FR', gb: 'GB', ch: 'CH', cptpp: 'SG', rcep_cn: 'CN', rcep_kr: 'KR', in: 'IN', us: 'US' },
}

/** Only percentages are compared: the lower of the duty and the concession. */
function checkJapan(column: string, number: number): void {
  const duties = new Map(
    readSource(folder as string, '2026/tariffs/jp_2026-07.csv').map((line) => [
      sourceCell(line, 'code'),
      line,
    ]),
  )
  const origin = JAPANESE_ORIGINS[column] ?? ''
  const lines = readSource(folder as string, '2026/tariffs/jp_epa_2026-07.csv')
  // Goods of the United Kingdom have the lower rate of two agreements.
  const columns = column === 'gb' ? ['gb', 'cptpp'] : [column]
  checkConcessions('JP', origin, number, lines, (line) => [
    expectedText(duties.get(sourceCell(line, 'code')) ?? {}),
    lowestOf(columns.map((name) => sourceCell(line, name))),
  ])
}

/** A text that is not a number is returned as it is. */
function lowestOf(texts: readonly string[]): string {
  const given = texts.filter((text) => text !== '')
  const unclear = given.find((text) => !/^[\d.]+$/.test(text))
  if (unclear !== undefined || given.length === 0) return unclear ?? ''
  return `${Math.min(...given.map(Number))}%`
}

const SOUTHERN_ORIGINS: Readonly<Record<string, string>> = {
  ...{ eu_uk: 'DE', efta: 'NO', sadc: 'MU', mercosur: 'AR', afcfta: 'EG' },
}

function checkSouthernAfrica(column: string, number: number): void {
  const percentOf = (text: string): string => (text === 'free' ? '0%' : text)
  const lines = readSource(folder as string, '2026/tariffs/za_preferences_2026-02-13.csv').filter(
    (line) => !/^(98|99)/.test(sourceCell(line, 'code')),
  )
  checkConcessions('NA', SOUTHERN_ORIGINS[column] ?? '', number, lines, (line) => [
    percentOf(sourceCell(line, 'general')),
    percentOf(sourceCell(line, column)),
  ])
}

function checkConcessions(
  to: string,
  origin: string,
  number: number,
  lines: readonly SourceLine[],
  ratesOf: (line: SourceLine) => readonly [duty: string, concession: string],
): void {
  let lowered = 0
  let skipped = 0
  const before = faults.length
  for (const line of draw(lines, number)) {
    const [duty, concession] = ratesOf(line)
    const code = sourceCell(line, 'code')
    const { measure } = dutyOn(to, code, origin)
    if (![duty, concession].every((text) => text === '' || /^[\d.]+%$/.test(text)) || duty === '') {
      skipped += 1
      continue
    }
    const isLower = concession !== '' && Number.parseFloat(concession) < Number.parseFloat(duty)
    if (isLower) lowered += 1
    const expected = isLower ? concession : duty
    const role = isLower ? 'preference' : 'base'
    if (
      Number.parseFloat(measure?.rateText ?? '') !== Number.parseFloat(expected) ||
      measure?.type.role !== role
    )
      faults.push(
        `${to} ${code} of ${origin}: ${measure?.type.role} ${measure?.rateText} instead of ${role} ${expected}`,
      )
  }
  console.log(
    `${to} of ${origin}: ${number} lines, ${lowered} with a preference, ${skipped} not plain, ${faults.length - before} differences`,
  )
}

for (const table of TABLES) checkTable(table, Number(count))
checkChina(Number(count))
for (const column of ['eu', 'gb', 'ch', 'cptpp', 'rcep_cn', 'rcep_kr', 'in', 'us'])
  checkJapan(column, Number(count))
for (const column of ['eu_uk', 'efta', 'sadc', 'mercosur', 'afcfta'])
  checkSouthernAfrica(column, Number(count))
if (faults.length > 0) throw new Error(`${faults.length} differences:\n${faults.slice(0, 40).join('\n')}`)
