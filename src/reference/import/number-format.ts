/**
 * What the numbers of a workbook stand for. Excel stores 13% as 0.13, a day as a number of days, and 17:00 as a part of
 * a day; only the format of the cell tells them from other numbers.
 */
import { dayOfNumber } from './day-number.ts'
import type { WorkbookFiles } from './workbook-xml.ts'

export type NumberKind = 'percent' | 'day'

/** The number formats that every workbook has (ECMA-376 part 1, 18.8.30), as far as they are percentages or days. */
const BUILT_IN: ReadonlyMap<string, NumberKind> = new Map([
  ...['9', '10'].map((id) => [id, 'percent'] as const),
  ...['14', '15', '16', '17', '18', '19', '20', '21', '22', '45', '46', '47'].map(
    (id) => [id, 'day'] as const,
  ),
])

/** The kinds of the cell formats of a workbook, by their numbers. Other formats are undefined. */
export function readNumberKinds(files: WorkbookFiles): readonly (NumberKind | undefined)[] {
  const formats = new Map(BUILT_IN)
  const kinds: (NumberKind | undefined)[] = []
  let inCellFormats = false
  if (!files.has('xl/styles.xml')) return kinds
  files.read('xl/styles.xml', {
    open(tag, attributes) {
      if (tag === 'cellXfs') inCellFormats = true
      const id = attributes['numFmtId'] ?? ''
      const kind = tag === 'numFmt' ? kindOf(attributes['formatCode'] ?? '') : undefined
      if (kind !== undefined) formats.set(id, kind)
      if (tag === 'xf' && inCellFormats) kinds.push(formats.get(id))
    },
    close(tag) {
      if (tag === 'cellXfs') inCellFormats = false
    },
  })
  return kinds
}

/**
 * Of a format such as `yyyy\-mm\-dd` or `0.0%`. Texts in it, conditions such as [Red], and the characters whose width
 * is left free (`_D`) or filled (`*-`) have no meaning.
 */
function kindOf(format: string): NumberKind | undefined {
  const plain = format.replace(/"[^"]*"|[\\_*].|\[[^[\]]*\]/g, '')
  if (plain.includes('%')) return 'percent'
  return /[dmyhs]/i.test(plain) && !/general/i.test(plain) ? 'day' : undefined
}

const MINUTES = 1_440

/** The text of a number of that kind: "13%", "2027-01-31", "17:00". Undefined if it is not one. */
export function textOfKind(kind: NumberKind, text: string, countsFrom1904: boolean): string | undefined {
  const value = Number(text)
  if (text === '' || !Number.isFinite(value)) return undefined
  if (kind === 'percent') return `${Number((value * 100).toPrecision(15))}%`
  if (value > 0 && value < 1) {
    const minutes = Math.round(value * MINUTES) % MINUTES
    const pad = (part: number) => String(part).padStart(2, '0')
    return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
  }
  return dayOfNumber(text, countsFrom1904)
}
