/**
 * `waybill attempt …`: lists open attempts to cancel shipments, and settles one by hand if its carrier leaves no way to find
 * the outcome. See docs/cancellation.md#settle-an-attempt-by-hand.
 */
import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { CONNECTORS } from '../carriers/registry.ts'
import { isConnectorName } from '../core/connector-names.ts'
import {
  type AttemptToSettle,
  findAttempt,
  type OperatorOutcome,
  readConnectorNames,
  readOpenAttempts,
  settleByOperator,
} from '../store/shipments/audit.ts'
import { type Consent, confirm, confirmedAction, count, plainText } from './terminal/arguments.ts'
import type { OpenDatabase, WithDatabase } from './terminal/database.ts'
import { CommandFailed, Refusal, UsageError } from './terminal/errors.ts'
import { counted, type Output, print, report, table } from './terminal/output.ts'

type SettleOptions = Consent & {
  readonly cancelled?: boolean
  readonly refused?: boolean
  readonly reason: string
  readonly by?: string
}

const MINUTE_MS = 60_000

/** Adds `list` and `settle` to `waybill attempt`. */
export function attemptCommands(attempt: Command, withDatabase: WithDatabase, output: Output): void {
  attempt
    .command('list')
    .description('list the attempts to cancel whose outcome is unknown, oldest first')
    .option('--older-than <minutes>', 'only attempts that have been open for so long', count, 0)
    .option('--json', 'print JSON')
    .action(async ({ olderThan, json }: { olderThan: number; json?: boolean }) => {
      const open = await withDatabase(({ db }) => readOpenAttempts(db, olderThan * MINUTE_MS))
      const rows = open.map(({ attemptId, shipmentId, accountId, carrierCode, ageMs, sends, lastCause }) => [
        ...[attemptId, shipmentId, accountId, carrierCode, ageText(ageMs), String(sends)],
        lastCause ?? 'no answer',
      ])
      const heading = ['ATTEMPT', 'SHIPMENT', 'ACCOUNT', 'CARRIER', 'AGE', 'SENDS', 'LAST']
      report(output, json, open, table(heading, rows, ['AGE', 'SENDS']))
    })

  const settle = attempt
    .command('settle')
    .description('end an attempt by hand, if the carrier cannot tell its outcome')
    .argument('<id>', 'the id of the attempt, or of its shipment')
    .option('--cancelled', 'the carrier does not carry the shipment; Waybill cancels it')
    .option('--refused', 'the carrier carries the shipment; it stays booked')
    .requiredOption('--reason <text>', 'how you found out, for the audit', plainText)
    .option('--by <name>', 'who decided; default: the user of the operating system', plainText)
  confirmedAction(settle, output, (id: string, options: SettleOptions) =>
    settleAttempt(id, options, withDatabase, output),
  )
}

async function settleAttempt(
  id: string,
  { cancelled = false, refused = false, reason, by = systemUser(), ...consent }: SettleOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  if (cancelled === refused) throw new UsageError('give either --cancelled or --refused')
  const outcome: OperatorOutcome = cancelled ? 'cancelled' : 'refused'
  const { json } = consent
  await withDatabase(async ({ db }) => {
    const found = await findAttempt(db, id)
    if (found === undefined) throw new Refusal(`there is no attempt to cancel ${id}`)
    refuseFault(faultOf(found, outcome))
    const question = `${descriptionOf(found)}\nSettle the attempt as ${outcome}?`
    if (!(await confirm(output, consent, question))) {
      print(output, json, ['Nothing was changed.'])
      throw new CommandFailed()
    }
    const { attemptId, shipmentId, accountId, carrierCode } = found
    const cancelledBy = await cancelledByFor(db, carrierCode)
    const settlement = { outcome, by, reason }
    const done = await settleByOperator(db, attemptId, { ...settlement, cancelledBy }, (attempt) =>
      faultOf(attempt, outcome),
    )
    if (done.kind === 'NotSettled') throw new Refusal(done.why)
    const result = { attemptId, shipmentId, accountId, carrierCode, ...settlement, at: done.at }
    // For the log of whatever runs the command.
    output.error(`ATTEMPT_SETTLED ${carrierCode} ${shipmentId} ${outcome} by ${by}: ${reason}`)
    report(output, json, result, [resultLine(found, outcome, cancelledBy)])
  })
}

function refuseFault(fault: string | undefined): void {
  if (fault !== undefined) throw new Refusal(fault)
}

/** Why the attempt cannot be settled by this outcome, or undefined. */
function faultOf(
  { attemptId, shipmentId, phase, state, isRunning, operator }: AttemptToSettle,
  outcome: OperatorOutcome,
): string | undefined {
  const name = `the attempt ${attemptId} of shipment ${shipmentId}`
  if (phase === 'accepted' || (phase === 'refused' && outcome === 'refused'))
    return `${name} is already settled as ${phase === 'accepted' ? 'cancelled' : 'refused'}${operator === null ? '' : ` by ${operator}`}`
  if (isRunning)
    return `${name} is being sent to the carrier at this moment; repeat the command in 15 seconds`
  if (outcome === 'cancelled' && state === 'in_transit')
    return `shipment ${shipmentId} is in transit and cannot be cancelled`
  return undefined
}

/** A carrier without a cancellation call is not notified, so the label must be destroyed. */
async function cancelledByFor(db: OpenDatabase['db'], carrierCode: string): Promise<'carrier' | 'release'> {
  const name = (await readConnectorNames(db)).get(carrierCode)
  const type = name !== undefined && isConnectorName(name) ? CONNECTORS[name] : undefined
  return type?.releases === true ? 'release' : 'carrier'
}

function descriptionOf(attempt: AttemptToSettle): string {
  const { attemptId, shipmentId, accountId, carrierCode, carrierRef, ageMs, sends, lastCause } = attempt
  const { parcelRefs, cancelledRefs } = attempt
  const numbers = parcelRefs?.join(', ') ?? carrierRef
  return [
    `Attempt ${attemptId} to cancel shipment ${shipmentId} of account ${accountId} at ${carrierCode} (${numbers})`,
    ...(cancelledRefs === null ? [] : [`The carrier has cancelled ${cancelledRefs.join(', ')}`]),
    `Open for ${ageText(ageMs)}, sent ${counted(sends, 'time')}. Last: ${lastCause ?? 'no answer'}`,
  ].join('\n')
}

function resultLine(
  { shipmentId, state, cancelledRefs }: AttemptToSettle,
  outcome: OperatorOutcome,
  cancelledBy: 'carrier' | 'release',
): string {
  if (outcome === 'refused')
    return cancelledRefs === null
      ? `Settled as refused. Shipment ${shipmentId} is unchanged.`
      : `Settled as refused. Shipment ${shipmentId} stays booked, but the carrier has cancelled ${cancelledRefs.join(', ')}.`
  if (state === 'cancelled') return `Settled as cancelled. Shipment ${shipmentId} was cancelled already.`
  const label = cancelledBy === 'release' ? ' Its label must be destroyed.' : ''
  return `Settled as cancelled. Shipment ${shipmentId} is cancelled.${label}`
}

/** "2 d 3 h", "3 h 12 min", "14 min". */
function ageText(ageMs: number): string {
  const minutes = Math.floor(ageMs / MINUTE_MS)
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** The user of the operating system. Some containers run under a number without a name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
