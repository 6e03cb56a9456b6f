/**
 * The question before a change of what is sold. Decided here: `--yes` answers it; where nobody can be asked (no
 * terminal, or `--json`) and nothing answers it, the command is refused before it does anything.
 */
import { Misuse, type Output } from './output.ts'

/** What the command line says of questions. */
export type Consent = { readonly yes?: boolean; readonly json?: boolean }

/** Throws Misuse (exit code 2) when a question could not be answered. */
export function refuseUnasked(output: Output, { yes, json }: Consent): void {
  if (yes === true) return
  if (json === true) throw new Misuse('with --json nobody is asked: add --yes to go on without a question')
  if (output.ask === undefined)
    throw new Misuse('there is no terminal to ask at: add --yes to go on without a question')
}

/** Asks `question`, unless it is answered already. Anything but y or yes is a no. */
export async function confirm(output: Output, consent: Consent, question: string): Promise<boolean> {
  refuseUnasked(output, consent)
  if (consent.yes === true) return true
  const answer = (await output.ask?.(`${question} [y/N] `)) ?? ''
  return /^\s*y(es)?\s*$/i.test(answer)
}
