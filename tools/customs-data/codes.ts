/**
 * Writes two tables of codes: the lines of the US tariff that each list of additional duties covers, and the HS 2017
 * codes that HS 2022 replaced. Sources: the notes to each line of the Harmonized Tariff Schedule; the correlation table
 * of HS 2022 and HS 2017 by the United Nations.
 */
import { readHs2022Codes } from '../../src/reference/customs.ts'
import { readSource, sourceCell, writeTable } from './files.ts'

/** Headings of chapter 99 with additional duties on goods of Chinese origin (section 301). */
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

/** Lines that several headings cover in part. Each of them has its own measure instead of being on a list. */
export function linesSplitBetweenHeadings(folder: string): readonly string[] {
  return headingsByLine(folder).flatMap(({ code, headings }) => (headings.length > 1 ? [code] : []))
}

/** Writes, for each heading, the lines that no other heading covers. */
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

/** Electrical waste. The correlation table lists it next to many codes, but it is not their successor. */
const ELECTRICAL_WASTE = '8549'

/** Successors of 8541.50 (other semiconductor devices). The correlation table lists only waste for it. */
const ADDED = [
  { ended: '854150', code: '854151', isMain: false },
  { ended: '854150', code: '854159', isMain: true },
]

/**
 * Writes the codes of HS 2017 that HS 2022 does not have, with their successors. If the correlation table marks no main
 * successor, the first one in the same heading is used, or else the first one.
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
  const successors = rows.filter((row) => row.ended === ended)
  return (successors.find(({ code }) => code.startsWith(ended.slice(0, 4))) ?? successors[0])?.code
}
