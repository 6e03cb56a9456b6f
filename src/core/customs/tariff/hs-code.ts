/**
 * Codes of goods as callers write them. Decided here: dots and blanks are dropped, 6 to 12 digits must be left, of
 * which the first 10 count; a leading zero that a spreadsheet lost is put back when that gives a known code; a code
 * of an HS edition that ended becomes its successor. Source: decisions 12 and 13 of the README; design note on
 * customs, "Codes".
 */
import { note, type ProblemList, readText } from '../../input.ts'
import type { FieldPath } from '../../problem.ts'
import type { HsSuccessorRow } from '../data/rows.ts'
import { hasLine, isKnownCode, type Tariff } from './tariff.ts'

/** Longest code that means anything: what some states add beyond are statistics. */
const LONGEST = 10

/** The digits of a given code, at most 10; undefined when absent or at fault. */
export function readHsCode(problems: ProblemList, path: FieldPath, value: unknown): string | undefined {
  const text = readText(problems, path, value)
  if (text === undefined) return undefined
  const digits = text.replace(/[.\s]/g, '')
  if (/^\d{6,12}$/.test(digits)) return digits.slice(0, LONGEST)
  return note(problems, path, 'MALFORMED', 'must be a code of 6 to 12 digits (dots and blanks are ignored)')
}

/** What became of the codes that an edition of the HS no longer has, by code; the usual successor first. */
export type HsSuccessors = ReadonlyMap<string, readonly HsSuccessorRow[]>

/** Builds the table; the rows in any order. */
export function compileHsSuccessors(rows: readonly HsSuccessorRow[]): HsSuccessors {
  const successors = new Map<string, HsSuccessorRow[]>()
  for (const row of rows) successors.set(row.endedCode, [...(successors.get(row.endedCode) ?? []), row])
  for (const list of successors.values())
    list.sort((a, b) => Number(b.isMain) - Number(a.isMain) || (a.code < b.code ? -1 : 1))
  return successors
}

/** What a given code stands for, and what had to be assumed to get there. */
export type ReadCode = {
  readonly code: string
  /** What the tariff knows the goods as: the ended code, where it is of an edition that still has it. */
  readonly tariffCode: string
  readonly remarks: readonly string[]
}

/** What codes are looked up in. */
export type CodeTables = {
  /** Of the destination; undefined where none is loaded. */
  readonly tariff: Tariff | undefined
  readonly tariffs: ReadonlyMap<string, Tariff>
  readonly hsSuccessors: HsSuccessors
}

const AS_GIVEN: readonly string[] = []

/** The code to look up for a given one. */
export function interpretCode(tables: CodeTables, given: string): ReadCode {
  const repaired = given.length % 2 === 0 ? given : repairLeadingZero(tables, given)
  const successors = tables.hsSuccessors.get(repaired.length === 6 ? repaired : repaired.slice(0, 6))
  if (repaired === given && successors === undefined)
    return { code: given, tariffCode: given, remarks: AS_GIVEN }
  const remarks =
    repaired === given ? [] : [`Code ${given} read as ${repaired}: its leading zero was missing.`]
  return successors === undefined
    ? { code: repaired, tariffCode: repaired, remarks }
    : succeed(tables, repaired, successors, remarks)
}

/**
 * Codes have an even number of digits, so only an odd number hints at a lost zero; it is put back when one of the
 * tariffs knows the result, or has a national line that it begins with.
 */
function repairLeadingZero({ tariff, tariffs }: CodeTables, digits: string): string {
  const repaired = `0${digits}`
  const candidates = tariff === undefined ? tariffs.values() : [tariff]
  for (const candidate of candidates)
    if (isKnownCode(candidate, repaired) || hasNationalLine(candidate, repaired)) return repaired
  return digits
}

/**
 * A national line of the tariff stays what it is; anything else is shown under the successor. Its rate is that of the
 * ended code's own lines while the tariff has them.
 */
function succeed(
  { tariff }: CodeTables,
  code: string,
  successors: readonly HsSuccessorRow[],
  remarks: readonly string[],
): ReadCode {
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
