/** What words of a command line may be; a word that does not fit is refused with exit code 2. */
import { InvalidArgumentError } from 'commander'
import { isDay, nameFault } from '../../core/input.ts'
import { parseDecimal } from '../../core/quantity.ts'
import type { VersionName } from '../../store/rate-cards/versions.ts'

/** Above this a percentage is a slip of the decimal point. */
const MAX_PERCENT_BPS = 100_000

/** The code of an account or a rate card. */
export function code(text: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(text))
    throw new InvalidArgumentError('1 to 40 of a-z, 0-9 and - are allowed.')
  return text
}

/** A name or another text that is kept: something on one line, without control characters. */
export function plainText(text: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw new InvalidArgumentError('It must not be empty.')
  const expected = nameFault(trimmed)
  if (expected !== undefined) throw new InvalidArgumentError(`It must be ${expected}.`)
  return trimmed
}

/** A day, 'YYYY-MM-DD'. */
export function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('A day such as 2026-12-01 is expected.')
  return text
}

/** A whole number of 0 or more. */
export function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}

/** The id of a product. */
export function productId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is a product id such as 1201.')
  return Number(text)
}

/** A version of a rate card, written "demo@2". */
export function versionName(text: string): VersionName {
  const version = parseVersionName(text)
  if (version === undefined) throw new InvalidArgumentError('A version such as demo@2 is expected.')
  return version
}

/** The same for a text that may mean something else; undefined when it does. */
export function parseVersionName(text: string): VersionName | undefined {
  const [, card, versionNo] = /^([a-z0-9-]{1,40})@([1-9]\d{0,8})$/.exec(text) ?? []
  return card === undefined ? undefined : { code: card, versionNo: Number(versionNo) }
}

/** A version number or a whole version name: "2" or "demo@2". */
export function versionNumber(text: string): number | VersionName {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : versionName(text)
}

/** A percentage of 0 or more, as basis points. */
export function percent(text: string): number {
  const bps = parsePercent(text)
  if (bps < 0) throw new InvalidArgumentError('It must not be below 0.')
  return bps
}

/** A percentage with a sign, such as -10 or +2.5, as basis points. */
function signedPercent(text: string): number {
  return parsePercent(text.replace(/^\+(?=\d)/, ''))
}

/** A change of freight: a percentage with a sign, above -100, as basis points. */
export function freightPercent(text: string): number {
  const bps = signedPercent(text)
  if (bps <= -10_000)
    throw new InvalidArgumentError('It must be above -100: freight is never given away (--hide hides).')
  return bps
}

/** A change of the fuel surcharge: a percentage with a sign, from -100, as basis points. */
export function fuelPercent(text: string): number {
  const bps = signedPercent(text)
  if (bps < -10_000) throw new InvalidArgumentError('It must not be below -100.')
  return bps
}

function parsePercent(text: string): number {
  const bps = parseDecimal(text.replace(/%$/, ''), 2)
  if (bps === undefined)
    throw new InvalidArgumentError('A percentage with at most 2 decimals, such as 10 or 2.5, is expected.')
  if (bps > MAX_PERCENT_BPS) throw new InvalidArgumentError('It must not be above 1000.')
  return bps
}
