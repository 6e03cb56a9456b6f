/**
 * Reads and interprets the codes of goods in requests. Dots and blanks are removed; 6 to 12 digits must remain, and the
 * first 10 are used. A leading zero that a spreadsheet dropped is restored if that gives a known code. A code of an HS edition
 * that ended is replaced by its successor. See docs/rest-contract.md#r13 and docs/decisions/customs.md#d29.
 */
import { note, type ProblemList, readText } from '../../input.ts'
import type { FieldPath } from '../../problem.ts'
import type { HsSuccessorRow } from '../data/rows.ts'
import { hasLine, isKnownCode, type Tariff } from './tariff.ts'

/** Digits beyond the tenth are for statistics. See docs/decisions/customs.md#d59. */
const LONGEST = 10

/** The digits of a given code, at most 10; undefined if absent or invalid. */
export function readHsCode(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  const text = readText(problems, path, value)
  if (text === undefined) return undefined
  const digits = text.replace(/[.\s]/g, '')
  if (/^\d{6,12}$/.test(digits)) return digits.slice(0, LONGEST)
  return note(problems, path, 'MALFORMED', 'must be a code of 6 to 12 digits (dots and blanks are ignored)')
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
    repaired === given ? [] : [`Code ${given} read as ${repaired}: its leading zero was missing.`]
  return successors === undefined
    ? { code: repaired, tariffCode: repaired, remarks }
    : replaceEnded(tables, repaired, successors, remarks)
}

/**
 * Codes have an even number of digits, so an odd number suggests a lost zero. It is restored if a tariff has the
 * result, or has a national line that is a prefix of the result.
 */
function repairLeadingZero({ tariff, tariffs }: CodeTables, digits: string): string {
  const repaired = `0${digits}`
  const candidates = tariff === undefined ? tariffs.values() : [tariff]
  for (const candidate of candidates)
    if (isKnownCode(candidate, repaired) || hasNationalLine(candidate, repaired)) return repaired
  return digits
}

/**
 * A code with a national line in the tariff is kept. Any other code is shown under its successor, with the rate of the ended
 * code's lines while the tariff has them. See docs/decisions/customs.md#d58.
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
  const choice = others.length === 0 ? '' : `, of which ${successor.code} was taken`
  const isKnown = tariff !== undefined && isKnownCode(tariff, successor.endedCode)
  return {
    code: successor.code,
    tariffCode: isKnown ? successor.endedCode : successor.code,
    remarks: [...remarks, `Code ${ended}; ${now}${choice}.`],
  }
}

const HS_LENGTH = 6
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
