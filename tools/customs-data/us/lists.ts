/**
 * Writes the code lists that US additional duties apply to. The rates of the duties are
 * maintained by hand in us-additional-duties.csv. Sources: the notes to chapter 99 of the schedule, and notices in the
 * Federal Register.
 */
import type { CodeListRow } from '../../../src/core/customs/data/row-types/measures.ts'
import { readSource, sourceCell, writeTable } from '../files.ts'
import { metalLists } from './metal-annexes.ts'
import { listedCodes, type Schedule } from './schedule.ts'

/** Rows of code-lists-us-duties.csv. */
type ListRow = readonly [list: string, code: string]

/** `codeLists` are the references to chapter 99 in the footnotes of the schedule. */
export function writeDutyLists(
  folder: string,
  schedule: Schedule,
  codeLists: readonly Pick<CodeListRow, 'codeList' | 'codePrefix'>[],
): void {
  const metals = metalLists(folder, schedule)
  /** Statistical lines below the lines of eight digits that have a measure of their own because they are split. */
  const statistical = new Set<string>()
  const split = (line: string): void => {
    for (const code of schedule.get(line) ?? []) statistical.add(code)
  }
  for (const line of metals.mixed.keys()) split(line)
  const listed = splitLists(folder, schedule, split)
  const rows = [
    ...metals.rows,
    ...exemptRows(folder, schedule),
    ...listed,
    ...columnOf(folder, 's338_canada_products.csv', 'hts8').map((code): ListRow => ['us-s338-canada', code]),
    ...codeLists
      .filter(({ codeList }) => RUSSIA.includes(codeList))
      .map(({ codeList, codePrefix }): ListRow => [codeList, codePrefix]),
    ...exclusionRows(folder),
    ...[...statistical].map((code): ListRow => ['us-s232-statistical-lines', code]),
  ]
  const unique = new Set(rows.map((row) => row.join(' ')))
  const sorted = [...unique].sort().map((row) => row.split(' '))
  writeTable('code-lists-us-duties.csv', 'code_list,code_prefix', sorted)
  for (const [line, memberships] of metals.mixed)
    console.log(line, memberships.map(({ first, now }) => `${first ?? '-'} > ${now ?? '-'}`).join(', '))
}

/**
 * Printed matter, films and recorded discs that are exempt as informational materials. The texts of the duties name
 * them in words. Heading 4907 to 4910 (stamps, transfers, cards, calendars) are left out.
 */
const INFORMATIONAL = [
  ...['3704', '3705', '3706', '4901', '4902', '4903', '4904', '4905', '4906', '4911'],
  ...['852349', '9701', '9702', '9703'],
]

function exemptRows(folder: string, schedule: Schedule): readonly ListRow[] {
  const forcedLabour = readSource(folder, 's301_forced_labor_exempt_final.csv')
  const codesOf = (condition: string): readonly string[] =>
    forcedLabour
      .filter((line) => sourceCell(line, 'condition') === condition)
      .map((line) => sourceCell(line, 'hts_code'))
  const full = listedCodes(schedule, [...codesOf('full'), ...INFORMATIONAL])
  const exempt = (list: string, codes: readonly string[]): readonly ListRow[] =>
    listedCodes(schedule, [...codes, ...INFORMATIONAL]).whole.map((code) => [list, code])
  const part = [...codesOf('part of the line only'), ...full.partial]
  return [
    ...full.whole.map((code): ListRow => ['us-s301-forced-labor-exempt', code]),
    ...part.map((code): ListRow => ['us-s301-forced-labor-part', code]),
    ...exempt('us-s301-brazil-exempt', columnOf(folder, 's301_brazil_exempt_final.csv', 'hts8')),
    ...exempt('us-s122-exempt', columnOf(folder, 's122_exempt_products.csv', 'hts8')),
    ...reciprocalRows(folder, schedule),
  ]
}

/**
 * The exempt list contains every code that was exempt on any day. Temporarily exempt codes are also on a list for that
 * period, so that a measure can charge them on the other days.
 */
function reciprocalRows(folder: string, schedule: Schedule): readonly ListRow[] {
  const lines = readSource(folder, 'ieepa_reciprocal_exempt_products.csv')
  const byTime = new Map<string, string[]>()
  for (const line of lines) {
    const [start, end] = [sourceCell(line, 'effective_date_start'), sourceCell(line, 'effective_date_end')]
    const from = start === '' || start === '2025-04-05' ? '' : `-from-${start}`
    const time = `${from}${end === '' ? '' : `-to-${end}`}`
    byTime.set(time, [...(byTime.get(time) ?? []), sourceCell(line, 'hts10')])
  }
  const list = 'us-ieepa-reciprocal-exempt'
  return [...byTime].flatMap(([time, codes]) => {
    const { whole } = listedCodes(schedule, codes)
    return whole.flatMap((code): ListRow[] =>
      time === ''
        ? [[list, code]]
        : [
            [list, code],
            [`${list}${time}`, code],
          ],
    )
  })
}

function columnOf(folder: string, file: string, column: string): readonly string[] {
  return readSource(folder, file).map((line) => sourceCell(line, column))
}

/** Upholstered furniture with a wooden frame, and kitchen cabinets, vanities and their parts (US note 37). */
const FURNITURE = ['9401614011', '9401614031', '9401616011', '9401616031']
const CABINETS = ['9403409060', '9403608093', '9403910080']

/** Lists of statistical lines. A line of eight digits of which only some are listed is on a list of its own. */
function splitLists(folder: string, schedule: Schedule, split: (line: string) => void): readonly ListRow[] {
  const parts = columnOf(folder, 's232_auto_parts.csv', 'hts_prefix')
  const heavy = columnOf(folder, 's232_mhd_parts.csv', 'hts_prefix').filter((code) => !isWithin(code, parts))
  const lists: Readonly<Record<string, readonly string[]>> = {
    'us-s232-furniture': FURNITURE,
    'us-s232-cabinets': CABINETS,
    'us-s232-pharma': columnOf(folder, 's232_pharma_products.csv', 'hts10'),
    'us-s232-auto-parts': parts.filter(isForVehiclesOnly),
    'us-s232-mhd-parts': heavy.filter(isForVehiclesOnly),
    'us-s232-parts-by-use': [...parts, ...heavy].filter(
      (code) => !isForVehiclesOnly(code) && !code.startsWith(COMPUTERS),
    ),
    'us-s232-semi': columnOf(folder, 's232_semi_products.csv', 'hts10'),
  }
  return Object.entries(lists).flatMap(([list, codes]) => {
    const { whole, partial, rest } = listedCodes(schedule, codes)
    partial.forEach(split)
    const isMostly = (line: string): boolean =>
      rest.filter((code) => code.startsWith(line)).length * 2 <= (schedule.get(line) ?? []).length
    return [
      ...whole.map((code): ListRow => [list, code]),
      ...partial.map((line): ListRow => [`${list}-${isMostly(line) ? 'most' : 'some'}`, line]),
    ]
  })
}

function isWithin(code: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => code.startsWith(prefix) || prefix.startsWith(code))
}

/** US note 33(g) names heading 8471 for computers that are parts of vehicles. Hardly any computer is one. */
const COMPUTERS = '8471'

/** Prefixes of the lists of vehicle parts whose goods are also used for other purposes. */
const FOR_ANY_USE = [
  ...[
    '732010',
    '8413919',
    '84139110',
    '84254900',
    '84269100',
    '84311000',
    '84821',
    '84822',
    '84824',
    '84825',
  ],
  ...['8483', '8501', '8507', '85198120', '85256010', '8537', '87169050', '901510', '9029', '87099000'],
]

function isForVehiclesOnly(code: string): boolean {
  return !code.startsWith(COMPUTERS) && !FOR_ANY_USE.some((prefix) => code.startsWith(prefix))
}

/** Headings of chapter 99 with additional duties on goods of the Russian Federation. */
const RUSSIA = ['us-9903.90.08', 'us-9903.90.09']

/** Exclusions from section 301 (China) that ended on 2026-11-09. They cover some goods of a line. */
const LAST_EXCLUSIONS = ['9903.88.69', '9903.88.70']

/** The list of goods charged 7.5%. All other lists with exclusions are charged 25%. */
const LIST_4A = '9903.88.15'
/** List 4B never came into force. */
const LIST_4B = '9903.88.16'

function exclusionRows(folder: string): readonly ListRow[] {
  const on4A = new Set<string>()
  const onOthers = new Set<string>()
  for (const line of readSource(folder, 's301_china_lists.csv')) {
    const [code, list] = [sourceCell(line, 'hts8'), sourceCell(line, 'ch99_code')]
    if (list === LIST_4A) on4A.add(code)
    else if (list !== LIST_4B) onOthers.add(code)
  }
  return readSource(folder, 's301_china_exclusion_lines.csv')
    .filter((line) => LAST_EXCLUSIONS.includes(sourceCell(line, 'ch99_code')))
    .map((line): ListRow => {
      const code = sourceCell(line, 'hts10').slice(0, 8)
      const rate = on4A.has(code) && !onOthers.has(code) ? '7.5' : '25'
      return [`us-s301-exclusions-${rate}`, code]
    })
}
