/**
 * Writes a tariff that is known by six digits. Rates that a whole heading or chapter shares become one row, which makes
 * the file five times shorter.
 */
import { groupBy } from '../../src/core/group-by.ts'
import { readHs2022Codes } from '../../src/reference/customs.ts'
import { writeTable } from './files.ts'

/** The cells of a row after its code. `percent` and `lowest` to `lines` may be empty. */
export type SixDigitRate = {
  readonly percent: string
  readonly specific?: string
  readonly minimum?: string
  readonly maximum?: string
  readonly condition?: 'not_loaded'
  readonly text?: string
  readonly lowest?: string
  readonly highest?: string
  readonly lines?: string
  readonly note?: string
}

const HEADER =
  'code_prefix,ad_valorem_percent,specific,minimum,maximum,condition,text,level,lowest_percent,highest_percent,lines,note'

/** Writes rates by code of six digits. Rates that a whole heading or chapter shares become one row. */
export function writeSixDigitTariff(file: string, rates: ReadonlyMap<string, SixDigitRate>): void {
  const unknown = [...rates.keys()].filter((code) => !HS_CODES.has(code))
  if (unknown.length > 0) throw new Error(`${file}: not codes of HS 2022: ${unknown.join(', ')}`)
  const cells = new Map([...rates].map(([code, rate]) => [code, cellsOf(rate)]))
  const rows = shortened(cells).map(([prefix, text]) => [prefix, ...JSON.parse(text)])
  writeTable(file, HEADER, rows)
}

const HS_CODES = readHs2022Codes()

function cellsOf(rate: SixDigitRate): string {
  const amounts = [rate.specific, rate.minimum, rate.maximum]
  const rest = [rate.condition, rate.text, 'subheading', rate.lowest, rate.highest, rate.lines, rate.note]
  return JSON.stringify([rate.percent, ...amounts, ...rest].map((cell) => cell ?? ''))
}

/**
 * The shortest list of prefixes that gives every code of HS 2022 its value under the rule that the longest prefix
 * applies. A code without a value gets none. A heading with exceptions always has its own row, because the lines below
 * a heading without a row are counted as a group.
 */
export function shortened(values: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = []
  for (const headings of grouped(HS_CODES).values()) {
    const usual = headings.map((codes) => usualValue(codes.map((code) => values.get(code))))
    const ofChapter = usualValue(usual)
    const covered = headings.filter(
      (codes, index) => usual[index] === ofChapter && codes.every((code) => values.get(code) === ofChapter),
    )
    const chapter = covered.length > 1 ? ofChapter : undefined
    if (chapter !== undefined) rows.push([headings[0]?.[0]?.slice(0, 2) ?? '', chapter])
    headings.forEach((codes, index) => {
      const ofHeading = usual[index]
      const exceptions = codes.flatMap((code) => {
        const value = values.get(code)
        return value === undefined || value === ofHeading ? [] : [[code, value] as const]
      })
      if (ofHeading !== undefined && (exceptions.length > 0 || ofHeading !== chapter))
        rows.push(codes.length === 1 ? [codes[0] ?? '', ofHeading] : [codes[0]?.slice(0, 4) ?? '', ofHeading])
      rows.push(...exceptions)
    })
  }
  return rows
}

/** Codes by heading, and headings by chapter. */
function grouped(codes: Iterable<string>): Map<string, string[][]> {
  const headings = groupBy([...codes], (code) => code.slice(0, 4))
  return groupBy([...headings.values()], ([first = '']) => first.slice(0, 2))
}

/** The most frequent value; undefined if any is missing, because a shorter prefix would then cover it. */
function usualValue(values: readonly (string | undefined)[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) {
    if (value === undefined) return undefined
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
