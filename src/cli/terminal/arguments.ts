/**
 * Parsers for command line arguments that several commands use. An argument that a parser refuses ends the command
 * with exit code 2 and the parser's message.
 *
 * Also the confirmation of commands that change prices or duties. `--yes` confirms in advance. Without `--yes`, a
 * command that cannot ask (no terminal, or `--json`) is refused before it does anything.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import { isDay, nameFault } from '../../core/input.ts'
import { parseDecimal } from '../../core/quantity.ts'
import { INDEX_DECIMALS } from '../../core/rating/fuel/fuel-table.ts'
import type { FuelUnit } from '../../core/rating/rate-card.ts'
import { today } from '../../operations/ports/ports.ts'
import type { VersionName } from '../../store/rate-cards/versions.ts'
import { UsageError } from './errors.ts'
import type { Output } from './output.ts'

/** How many changes a comparison lists by default. */
export const LISTED_CHANGES = 10

/** Ten billion. */
const MAX_AMOUNT_CENTS = 1_000_000_000_000

/** 1,000%. Higher percentages are refused, because the decimal point is probably misplaced. */
const MAX_PERCENT_BPS = 100_000
/** The largest integer of a column, in ten-thousandths. */
const MAX_INDEX_VALUE = 2 ** 31 - 1
/** 10,000, in ten-thousandths. */
const MAX_UNIT_AMOUNT = 100_000_000

/** The code of an account or a rate card. */
export function code(text: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(text))
    throw new InvalidArgumentError('Expected 1 to 40 characters of a-z, 0-9 and -.')
  return text
}

/** A name or other text to store: not empty, on one line, without control characters. */
export function plainText(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw new InvalidArgumentError('It must not be empty.')
  const expected = nameFault(trimmed)
  if (expected !== undefined) throw new InvalidArgumentError(`It must be ${expected}.`)
  return trimmed
}

/** A day, 'YYYY-MM-DD'. */
export function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('Expected a day such as 2026-12-01.')
  return text
}

/** Today in UTC, 'YYYY-MM-DD'. */
export function currentDay(): string {
  return today(() => new Date())
}

/** A whole number, 0 or more. */
export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Expected a whole number.')
  return Number(text)
}

/** A number of days, 1 to 3,660. */
export function days(text: string): number {
  const number = count(text)
  if (number < 1 || number > 3_660) throw new InvalidArgumentError('Expected a number of days, 1 to 3660.')
  return number
}

export function productId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Expected a product id such as 1201.')
  return Number(text)
}

/** A version of a rate card, such as "demo@2". */
export function versionName(text: string): VersionName {
  const version = parseVersionName(text)
  if (version === undefined) throw new InvalidArgumentError('Expected a version such as demo@2.')
  return version
}

/** A version of a rate card, or undefined if the text has another form. */
export function parseVersionName(text: string): VersionName | undefined {
  const [, card, versionNo] = /^([a-z0-9-]{1,40})@([1-9]\d{0,8})$/.exec(text) ?? []
  return card === undefined ? undefined : { code: card, versionNo: Number(versionNo) }
}

/** "2" or "demo@2". */
export function versionNumber(text: string): number | VersionName {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : versionName(text)
}

/** Reads a percentage of 0 or more. Returns basis points. */
export function percent(text: string): number {
  const bps = parsePercent(text)
  if (bps < 0) throw new InvalidArgumentError('It must not be below 0.')
  return bps
}

/** Reads a change of freight in percent, such as -10 or +2.5. It must be above -100. Returns basis points. */
export function freightPercent(text: string): number {
  const bps = signedPercent(text)
  if (bps <= -10_000)
    throw new InvalidArgumentError('It must be above -100. Use --hide to stop offering a product.')
  return bps
}

/** Reads a change of the fuel surcharge in percent, such as -50. It must be at least -100. Returns basis points. */
export function fuelPercent(text: string): number {
  const bps = signedPercent(text)
  if (bps < -10_000) throw new InvalidArgumentError('It must not be below -100.')
  return bps
}

/** Reads a fuel figure: a percentage in basis points, or an amount per unit in ten-thousandths. Throws UsageError. */
export function fuelFigure(text: string, per: FuelUnit | undefined): number {
  if (per === undefined) {
    try {
      return percent(text)
    } catch (error) {
      if (error instanceof InvalidArgumentError) throw new UsageError(`percentage ${text}: ${error.message}`)
      throw error
    }
  }
  const amount = parseDecimal(text, 4)
  if (amount !== undefined && amount >= 0 && amount <= MAX_UNIT_AMOUNT) return amount
  throw new UsageError(`amount ${text}: expected an amount of at most 10000, with at most 4 decimals`)
}

/** Reads a value of a fuel index, above 0. Returns ten-thousandths. */
export function indexValue(text: string): number {
  const value = parseDecimal(text, INDEX_DECIMALS)
  if (value === undefined || value <= 0 || value > MAX_INDEX_VALUE)
    throw new InvalidArgumentError(`Expected a number above 0 with at most ${INDEX_DECIMALS} decimals.`)
  return value
}

function signedPercent(text: string): number {
  return parsePercent(text.replace(/^\+(?=\d)/, ''))
}

function parsePercent(text: string): number {
  const bps = parseDecimal(text.replace(/%$/, ''), 2)
  if (bps === undefined)
    throw new InvalidArgumentError('Expected a percentage with at most 2 decimals, such as 10 or 2.5.')
  if (bps > MAX_PERCENT_BPS) throw new InvalidArgumentError('It must not be above 1000.')
  return bps
}

/** Reads an amount of 0 or more with at most two decimals, such as 4.50. Returns cents. */
export function euroAmount(text: string): number {
  const cents = parseDecimal(text, 2)
  if (cents === undefined || cents < 0 || cents > MAX_AMOUNT_CENTS)
    throw new InvalidArgumentError('Expected an amount with at most 2 decimals, such as 4.50.')
  return cents
}

/** A minimum net charge, which is below 10 million. */
export function minimumAmount(text: string): number {
  const cents = euroAmount(text)
  if (cents > 1_000_000_000) throw new InvalidArgumentError('It must not be above 10000000.')
  return cents
}

/** The options of a command that asks for confirmation. */
export type Consent = {
  readonly yes?: boolean
  readonly incompleteComparison?: boolean
  readonly json?: boolean
}

/** For commands that compare prices and ask with `confirmWarned`. */
export function incompleteComparisonOption(): Option {
  return new Option('--incomplete-comparison', 'accept that not all prices were compared, which is listed')
}

/** Adds `--yes`, `--json` and the action to a command that asks for confirmation and has one argument. */
export function confirmedAction<Argument, Options extends Consent>(
  command: Command,
  output: Output,
  action: (argument: Argument, options: Options) => Promise<void>,
): void {
  command
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action(async (argument: Argument, options: Options) => {
      requireConfirmable(output, options)
      await action(argument, options)
    })
}

/** The reasons to ask for confirmation. `notCompared` says what a comparison of prices left out. */
export type Doubts = { readonly warnings: readonly string[]; readonly notCompared: readonly string[] }

/**
 * Asks `question` if there are doubts, unless `--yes` was given. `--incomplete-comparison` accepts only the doubts in
 * `notCompared`. Without a terminal, throws a UsageError that lists the doubts.
 */
export async function confirmWarned(
  output: Output,
  consent: Consent,
  { warnings, notCompared }: Doubts,
  question: string,
): Promise<boolean> {
  const doubts = consent.incompleteComparison === true ? warnings : [...warnings, ...notCompared]
  if (doubts.length === 0 || consent.yes === true) return true
  if (consent.json === true || output.ask === undefined) {
    const option = warnings.length === 0 ? '--incomplete-comparison' : '--yes'
    throw new UsageError(`${listedWarnings(doubts)}: add ${option} to confirm`)
  }
  return confirm(output, consent, question)
}

const WARNINGS_IN_MESSAGE = 3

function listedWarnings(warnings: readonly string[]): string {
  const more = warnings.length - WARNINGS_IN_MESSAGE
  return [...warnings.slice(0, WARNINGS_IN_MESSAGE), ...(more > 0 ? [`${more} more`] : [])].join('; ')
}

/** Throws a UsageError if the command is not confirmed by `--yes` and cannot ask. */
export function requireConfirmable(output: Output, { yes, json }: Consent): void {
  if (yes === true) return
  if (json === true) throw new UsageError('cannot ask for confirmation with --json: add --yes to confirm')
  if (output.ask === undefined)
    throw new UsageError('cannot ask for confirmation without a terminal: add --yes to confirm')
}

/** Asks `question` unless `--yes` was given. Every answer except y and yes counts as no. */
export async function confirm(output: Output, consent: Consent, question: string): Promise<boolean> {
  requireConfirmable(output, consent)
  if (consent.yes === true) return true
  const answer = (await output.ask?.(`${question} [y/N] `)) ?? ''
  return /^\s*y(es)?\s*$/i.test(answer)
}

/** Asks a question that has to be answered. Undefined: the answer is neither yes nor no. */
export async function askYesOrNo(
  output: Output,
  consent: Consent,
  question: string,
): Promise<boolean | undefined> {
  requireConfirmable(output, consent)
  const answer = (await output.ask?.(`${question} [y/n] `)) ?? ''
  return /^\s*y(es)?\s*$/i.test(answer) || (/^\s*no?\s*$/i.test(answer) ? false : undefined)
}
