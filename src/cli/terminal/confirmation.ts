/**
 * Confirmation of commands that change prices or duties. `--yes` confirms in advance. Without `--yes`, a command that
 * cannot ask (no terminal, or `--json`) is refused before it does anything.
 */
import type { Command } from 'commander'
import { UsageError } from './errors.ts'
import type { Output } from './output.ts'

/** The options of a command that asks for confirmation. */
export type Consent = { readonly yes?: boolean; readonly json?: boolean }

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
