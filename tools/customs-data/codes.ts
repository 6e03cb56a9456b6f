/**
 * Writes the code tables of the customs reference data. Decided here: which lines of the US tariff are on a list of
 * an additional duty, and which codes of HS 2017 ended. Sources: the notes of the Harmonized Tariff Schedule to each
 * line; the correlation of HS 2022 and HS 2017 by the United Nations.
 */
import { readHs2022Codes } from '../../src/reference/customs.ts'
import { readSource, sourceCell, writeTable } from './files.ts'

/** Headings of chapter 99 with additional duties on goods of China (section 301). */
const CHINA_HEADINGS = [
  '9903.88.01',
  '9903.88.02',
  '9903.88.03',
  '9903.88.04',
  '9903.88.15',
  '9903.91.01',
  '9903.91.02',
  '9903.91.03',
]

/** Lines that several of the headings claim part of: their measures name the line itself. */
export function linesSplitBetweenHeadings(folder: string): readonly string[] {
  return headingsByLine(folder).flatMap(({ code, headings }) => (headings.length > 1 ? [code] : []))
}

/** The list of each heading: the lines that it alone claims. */
export function writeCodeLists(folder: string): void {
  const rows = headingsByLine(folder).flatMap(({ code, headings }) =>
    headings.length === 1 ? [[`us-${headings[0]}`, code]] : [],
  )
  rows.sort((a, b) => (a.join(' ') < b.join(' ') ? -1 : 1))
  writeTable('code-lists-us.csv', 'code_list,code_prefix', rows)
}

function headingsByLine(folder: string): readonly { code: string; headings: readonly string[] }[] {
  return readSource(folder, 'tariff-us.csv').map((line) => ({
    code: sourceCell(line, 'code'),
    headings: sourceCell(line, 'chapter99')
      .split(' ')
      .filter((heading) => CHINA_HEADINGS.includes(heading)),
  }))
}

/** Waste of electrical goods: what goods of any such code become one day, not what their code became. */
const ELECTRICAL_WASTE = '8549'

/** The correlation names nothing but waste for 8541.50, semiconductor devices other than those named before. */
const ADDED = [
  { ended: '854150', code: '854151', isMain: false },
  { ended: '854150', code: '854159', isMain: true },
]

/**
 * Codes of HS 2017 that HS 2022 does not have, each with what became of it. Where the conversion of the United
 * Nations goes to none of the successors, the first one of the same heading, or of all, is the main one.
 */
export function writeHsSuccessors(folder: string): void {
  const codes = readHs2022Codes()
  const rows = readSource(folder, 'hs2022-to-hs2017.csv')
    .map((line) => ({
      ended: sourceCell(line, 'hs2017'),
      code: sourceCell(line, 'hs2022'),
      isMain: sourceCell(line, 'main') === '1',
    }))
    .filter(({ ended }) => !codes.has(ended))
    .filter(({ code, isMain }) => isMain || !code.startsWith(ELECTRICAL_WASTE))
    .concat(ADDED)
    .sort((a, b) => (a.ended + a.code < b.ended + b.code ? -1 : 1))
  const withMain = new Set(rows.filter(({ isMain }) => isMain).map(({ ended }) => ended))
  const header = 'ended_code,ended_edition,code,edition,is_main'
  writeTable(
    'hs-successors.csv',
    header,
    rows.map(({ ended, code, isMain }) => {
      const usual = isMain || (!withMain.has(ended) && code === usualSuccessor(rows, ended))
      return [ended, 'HS 2017', code, 'HS 2022', usual ? 'yes' : 'no']
    }),
  )
}

function usualSuccessor(
  rows: readonly { readonly ended: string; readonly code: string }[],
  ended: string,
): string | undefined {
  const own = rows.filter((row) => row.ended === ended)
  return (own.find(({ code }) => code.startsWith(ended.slice(0, 4))) ?? own[0])?.code
}
