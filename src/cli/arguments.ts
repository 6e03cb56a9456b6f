/** What words of a command line may be; a word that does not fit is refused with exit code 2. */
import { InvalidArgumentError } from 'commander'
import { isDay } from '../core/draft.ts'

/** The code of an account or a rate card. */
export function code(text: string): string {
  if (!/^[a-z0-9-]{1,40}$/.test(text))
    throw new InvalidArgumentError('1 to 40 of a-z, 0-9 and - are allowed.')
  return text
}

/** A text with something in it. */
export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return text.trim()
}

/** A day, 'YYYY-MM-DD'. */
export function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('A day such as 2026-12-01 is expected.')
  return text
}
