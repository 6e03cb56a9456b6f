/**
 * Reads and interprets the codes of goods in requests. Dots and blanks are removed; 6 to 12 digits must remain, and the
 * first 10 are used. A leading zero that a spreadsheet dropped is restored if that gives a known code. A code of an HS
 * edition that ended is replaced by its successor. See docs/rest-contract.md#r13 and docs/customs-data.md#codes.
 */
import { note, type ProblemList, readText } from '../../input.ts'
import type { FieldPath } from '../../problem.ts'
import type { HsSuccessorRow } from '../data/row-types/measures.ts'
import { hasLine, isKnownCode, type Tariff } from './tariff.ts'

/** Digits beyond the tenth are for statistics. See docs/customs-data.md#codes. */
const LONGEST = 10
/** The digits of a subheading of the Harmonized System. */
export const HS_LENGTH = 6

/** The digits of a given code, at most 10; undefined if absent or invalid. */
export function readHsCode(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  if (typeof value === 'string' && isPlainCode(value)) return value
  const text = readText(problems, path, value)
  if (text === undefined) return undefined
  const digits = text.replace(/[.\s]/g, '')
  if (/^\d{6,12}$/.test(digits)) return digits.slice(0, LONGEST)
  return note(problems, path, 'MALFORMED', 'must have 6 to 12 digits (dots and spaces are ignored)')
}

/** True for 6 to 10 digits, like most codes. */
function isPlainCode(text: string): boolean {
  if (text.length < HS_LENGTH || text.length > LONGEST) return false
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code < 0x30 || code > 0x39) return false
  }
  return true
}

/** Successors by the code of an earlier HS edition that ended, the usual successor first. */
export type HsSuccessors = ReadonlyMap<string, readonly HsSuccessorRow[]>

export function compileHsSuccessors(rows: readonly HsSuccessorRow[]): HsSuccessors {
  const successors = new Map<string, HsSuccessorRow[]>()
  for (const row of rows) successors.set(row.endedCode, [...(successors.get(row.endedCode) ?? []), row])
  for (const list of successors.values())
    list.sort((a, b) => Number(b.isMain) - Number(a.isMain) || (a.code < b.code ? -1 : 1))
  return successors
}

export type InterpretedCode = {
  /** The code that lines are shown under, unless the rate comes from a national line. */
  readonly code: string
  /** The code to look up in the tariff: the ended code if the tariff still has it. */
  readonly tariffCode: string
  /** Sentences about what was assumed. */
  readonly remarks: readonly string[]
}

export type CodeTables = {
  /** Of the destination; undefined if none is loaded. */
  readonly tariff: Tariff | undefined
  readonly tariffs: ReadonlyMap<string, Tariff>
  readonly hsSuccessors: HsSuccessors
}

const NO_REMARKS: readonly string[] = []

/** Restores a lost leading zero, and replaces a code that ended. */
export function interpretCode(tables: CodeTables, given: string): InterpretedCode {
  const repaired = given.length % 2 === 0 ? given : repairLeadingZero(tables, given)
  const successors = tables.hsSuccessors.get(repaired.length === 6 ? repaired : repaired.slice(0, 6))
  if (repaired === given && successors === undefined)
    return { code: given, tariffCode: given, remarks: NO_REMARKS }
  const remarks =
    repaired === given ? [] : [`Code ${given} was read as ${repaired}, because its leading zero was missing.`]
  return successors === undefined
    ? { code: repaired, tariffCode: repaired, remarks }
    : replaceEnded(tables, repaired, successors, remarks)
}

/**
 * Codes have an even number of digits, so an odd number suggests a lost zero. It is restored if a tariff has the
 * result, or has a national line that is a prefix of the result. If the destination has no national lines, those of all
 * tariffs count.
 */
function repairLeadingZero({ tariff, tariffs }: CodeTables, digits: string): string {
  // National lines of Japan have nine digits.
  if (tariff !== undefined && hasLine(tariff, digits)) return digits
  const repaired = `0${digits}`
  const candidates = tariff !== undefined && hasNationalLines(tariff) ? [tariff] : tariffs.values()
  for (const candidate of candidates)
    if (isKnownCode(candidate, repaired) || hasNationalLine(candidate, repaired)) return repaired
  return digits
}

/** False for a tariff by six digits, or with rules for chapters alone: it cannot tell which longer codes exist. */
function hasNationalLines({ lengths }: Tariff): boolean {
  return (lengths[0] ?? 0) > HS_LENGTH
}

/**
 * A code with a national line in the tariff is kept. Any other code is shown under its successor, with the rate of the
 * ended code's lines while the tariff has them. See docs/customs-data.md#codes.
 */
function replaceEnded(
  { tariff }: CodeTables,
  code: string,
  successors: readonly HsSuccessorRow[],
  remarks: readonly string[],
): InterpretedCode {
  const [successor, ...others] = successors
  if (successor === undefined) return { code, tariffCode: code, remarks }
  const ended = `${successor.endedCode} is a code of ${successor.endedEdition}`
  const now = `in ${successor.edition} it is ${listed([successor, ...others].map((row) => row.code))}`
  if (tariff !== undefined && hasNationalLine(tariff, code))
    return { code, tariffCode: code, remarks: [...remarks, `Code ${ended}; ${now}.`] }
  const choice = others.length === 0 ? '' : `, of which ${successor.code} was used`
  const isKnown = tariff !== undefined && isKnownCode(tariff, successor.endedCode)
  return {
    code: successor.code,
    tariffCode: isKnown ? successor.endedCode : successor.code,
    remarks: [...remarks, `Code ${ended}; ${now}${choice}.`],
  }
}

const MAX_LISTED = 4

function listed(codes: readonly string[]): string {
  const more = codes.length - MAX_LISTED
  return more > 0 ? `${codes.slice(0, MAX_LISTED).join(', ')} or one of ${more} others` : codes.join(' or ')
}

function hasNationalLine(tariff: Tariff, code: string): boolean {
  for (let length = code.length; length > HS_LENGTH; length--)
    if (hasLine(tariff, code.slice(0, length))) return true
  return false
}
