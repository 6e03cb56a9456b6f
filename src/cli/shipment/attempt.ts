/**
 * `waybill attempt …`: lists open attempts to cancel shipments, shows what was sent for one, and settles one by hand if
 * its carrier leaves no way to find the outcome. See docs/cancellation.md#settle-an-attempt-by-hand.
 */
import type { Command } from 'commander'
import type { CarrierCall } from '../../operations/ports/carrier-calls.ts'
import { callsForAttempt } from '../../store/shipments/carrier-calls.ts'
import {
  type AttemptToSettle,
  findAttempts,
  type OperatorOutcome,
  type OperatorSettlement,
  readConnectorNames,
  readOpenAttempts,
  readSettlements,
  type SettledAttempt,
  settleByOperator,
} from '../../store/shipments/operators/audit.ts'
import { configuredConnectors } from '../connectors.ts'
import { type Consent, confirm, confirmedAction, count, days, plainText } from '../terminal/arguments.ts'
import type { OpenDatabase, WithDatabase } from '../terminal/database.ts'
import { CommandFailed, Refusal, UsageError } from '../terminal/errors.ts'
import { counted, type Output, print, report, table } from '../terminal/output.ts'
import { systemUser } from '../terminal/system-user.ts'

type ListOptions = { readonly olderThan: number; readonly settled?: number; readonly json?: boolean }

type SettleOptions = Consent & {
  readonly cancelled?: boolean
  readonly refused?: boolean
  readonly reason: string
  readonly by?: string
  readonly reverse?: boolean
  readonly account?: string
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Adds `list`, `show` and `settle` to `waybill attempt`. */
export function attemptCommands(attempt: Command, withDatabase: WithDatabase, output: Output): void {
  attempt
    .command('list')
    .description('list the attempts to cancel whose outcome is unknown, oldest first')
    .option('--older-than <minutes>', 'only attempts open for at least this many minutes', count, 0)
    .option('--settled <days>', 'list the decisions of operators of so many days instead, newest first', days)
    .option('--json', 'print JSON')
    .action(async ({ olderThan, settled, json }: ListOptions) => {
      if (settled !== undefined) {
        const decisions = await withDatabase(({ db }) => readSettlements(db, settled * DAY_MS))
        return report(output, json, decisions, settlementTable(decisions))
      }
      const open = await withDatabase(({ db }) => readOpenAttempts(db, olderThan * MINUTE_MS))
      const rows = open.map(({ attemptId, shipmentId, accountId, carrierCode, ageMs, sends, lastCause }) => [
        ...[attemptId, shipmentId, accountId, carrierCode, ageText(ageMs), String(sends)],
        lastCause ?? 'no answer',
      ])
      const heading = ['ATTEMPT', 'SHIPMENT', 'ACCOUNT', 'CARRIER', 'AGE', 'SENDS', 'LAST']
      report(output, json, open, table(heading, rows, ['AGE', 'SENDS']))
    })

  attempt
    .command('show')
    .description('show an attempt, and the calls to its carrier since it began')
    .argument('<id>', 'the id of the attempt, or of its shipment')
    .option(...ACCOUNT_OPTION)
    .option('--json', 'print JSON, with what was sent and received')
    .action((id: string, options: { readonly account?: string; readonly json?: boolean }) =>
      showAttempt(id, options, withDatabase, output),
    )

  const settle = attempt
    .command('settle')
    .description('end an attempt by hand, when the carrier cannot confirm the outcome')
    .argument('<id>', 'the id of the attempt, or of its shipment')
    .option(...ACCOUNT_OPTION)
    .option('--cancelled', 'the carrier does not carry the shipment; Waybill cancels it')
    .option('--refused', 'the carrier carries the shipment; it stays booked')
    .requiredOption('--reason <text>', 'how you found out, for the audit', plainText)
    .option('--by <name>', 'who decided; default: the user of the operating system', plainText)
    .option('--reverse', 'reverse the decision of another operator')
  confirmedAction(settle, output, (id: string, options: SettleOptions) =>
    settleAttempt(id, options, withDatabase, output),
  )
}

const ACCOUNT_OPTION = [
  '--account <account>',
  'the account of the shipment, if several have one with this id',
] as const

/** The attempt that the operator names. */
async function namedAttempt(
  db: OpenDatabase['db'],
  id: string,
  account: string | undefined,
): Promise<AttemptToSettle> {
  const [found, ...others] = await findAttempts(db, id, account)
  if (found === undefined) throw new Refusal(`there is no attempt to cancel ${id}`)
  if (others.length === 0) return found
  const accounts = [found, ...others].map(({ accountId }) => accountId).join(', ')
  throw new Refusal(`several accounts have the shipment ${id}; name one of ${accounts} with --account`)
}

async function showAttempt(
  id: string,
  { account, json }: { readonly account?: string; readonly json?: boolean },
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  await withDatabase(async ({ db }) => {
    const found = await namedAttempt(db, id, account)
    const { shipmentId, carrierRef, parcelRefs } = found
    const calls = await callsForAttempt(db, {
      ...found,
      subjects: [shipmentId, carrierRef, ...(parcelRefs ?? [])],
    })
    report(output, json, { ...found, calls }, [...descriptionOf(found), ...callTable(calls)])
  })
}

/** A line for each request, or for a call that sent none. */
function callTable(calls: readonly CarrierCall[]): string[] {
  if (calls.length === 0) return ['No calls to the carrier are recorded.']
  const rows = calls.flatMap(({ begunAt, purpose, subject, outcome, cause = '', durationMs, exchanges }) => {
    const about = (request: string, status: string, tookMs: number, ids: string) => [
      ...[begunAt, purpose, subject, request, status, `${tookMs} ms`, outcome, cause, ids],
    ]
    // Calls to the sandbox that runs inside the service send no requests.
    if (exchanges.length === 0)
      return [about(outcome === 'not_sent' ? 'nothing sent' : '', '', durationMs, '')]
    return exchanges.map((sent) =>
      about(
        `${sent.method} ${pathOf(sent.url)}`,
        sent.status === null ? (sent.fault ?? '') : String(sent.status),
        sent.durationMs,
        Object.entries(sent.carrierIds)
          .map(([name, value]) => `${name} ${value}`)
          .join(', '),
      ),
    )
  })
  const heading = [
    'AT',
    'CALL',
    'ABOUT',
    'REQUEST',
    'STATUS',
    'TIME',
    'ANSWER',
    'CAUSE',
    'IDS OF THE CARRIER',
  ]
  return table(heading, rows, ['TIME'])
}

/** Without the host, which is the same for all requests of a carrier. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/, '')
}

async function settleAttempt(
  id: string,
  { cancelled = false, refused = false, reverse = false, reason, by, account, ...consent }: SettleOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  if (cancelled === refused) throw new UsageError('give either --cancelled or --refused')
  const user = systemUser()
  const decision: OperatorSettlement = {
    outcome: cancelled ? 'cancelled' : 'refused',
    by: by ?? user,
    systemUser: user,
    reason,
    isReversal: reverse,
  }
  const { outcome } = decision
  const { json } = consent
  await withDatabase(async ({ db }) => {
    const found = await namedAttempt(db, id, account)
    refuseFault(faultOf(found, decision))
    const question = [...descriptionOf(found), `Settle the attempt as ${outcome}?`].join('\n')
    if (!(await confirm(output, consent, question))) {
      print(output, json, ['Nothing was changed.'])
      throw new CommandFailed()
    }
    const { attemptId, shipmentId, accountId, carrierCode } = found
    const cancelledBy = await cancelledByFor(db, carrierCode)
    const done = await settleByOperator(
      db,
      { accountId, attemptId },
      { ...decision, cancelledBy },
      (attempt) => faultOf(attempt, decision),
    )
    if (done.kind === 'NotSettled') throw new Refusal(done.why)
    const result = { attemptId, shipmentId, accountId, carrierCode, ...decision, at: done.at }
    // For the log of whatever runs the command.
    const reversing = found.operator === null || !reverse ? '' : ` (reversing ${found.operator})`
    output.error(
      `ATTEMPT_SETTLED ${carrierCode} ${shipmentId} ${outcome} by ${decision.by}${reversing}: ${reason}`,
    )
    report(output, json, result, [resultLine(found, outcome, cancelledBy)])
  })
}

function refuseFault(fault: string | undefined): void {
  if (fault !== undefined) throw new Refusal(fault)
}

/** Why the attempt cannot be settled by this decision, or undefined. */
function faultOf(
  attempt: AttemptToSettle,
  { outcome, by, isReversal }: OperatorSettlement,
): string | undefined {
  const { attemptId, shipmentId, phase, state, isRunning, operator } = attempt
  const name = `the attempt ${attemptId} of shipment ${shipmentId}`
  const decided = phase === 'pending' ? null : operator
  if (phase === 'accepted' || (phase === 'refused' && outcome === 'refused'))
    return `${name} is already settled as ${phase === 'accepted' ? 'cancelled' : 'refused'}${operator === null ? '' : ` by ${operator}`}`
  if (isReversal && decided === null) return `no operator has settled ${name}, so there is nothing to reverse`
  if (decided !== null && !isReversal)
    return `${name} is already settled as ${phase} by ${decided}; another operator can reverse that with --reverse`
  if (decided?.toLowerCase() === by.toLowerCase())
    return `${name} was settled by ${decided}; only another operator can reverse that`
  if (isRunning)
    return `${name} is being sent to the carrier at this moment; repeat the command in 15 seconds`
  if (outcome === 'cancelled' && state === 'in_transit')
    return `shipment ${shipmentId} is in transit and cannot be cancelled`
  return undefined
}

/** A carrier without a cancellation call is not notified, so the label must be destroyed. */
async function cancelledByFor(db: OpenDatabase['db'], carrierCode: string): Promise<'carrier' | 'release'> {
  const name = (await readConnectorNames(db)).get(carrierCode)
  const type = (await configuredConnectors()).get(name ?? '')
  return type?.releases === true ? 'release' : 'carrier'
}

function descriptionOf(attempt: AttemptToSettle): string[] {
  const { attemptId, shipmentId, accountId, carrierCode, carrierRef, ageMs, sends, lastCause } = attempt
  const { parcelRefs, cancelledRefs, operator, operatorOutcome, operatorReason, phase } = attempt
  const numbers = parcelRefs?.join(', ') ?? carrierRef
  return [
    `Attempt ${attemptId} to cancel shipment ${shipmentId} of account ${accountId} at ${carrierCode} (${numbers})`,
    ...(cancelledRefs === null ? [] : [`The carrier has cancelled ${cancelledRefs.join(', ')}`]),
    phase === 'pending'
      ? `Open for ${ageText(ageMs)}, sent ${counted(sends, 'time')}. Last: ${lastCause ?? 'no answer'}`
      : `Begun ${ageText(ageMs)} ago, sent ${counted(sends, 'time')}, ${phase}`,
    ...(operator === null ? [] : [`Settled as ${operatorOutcome} by ${operator}: ${operatorReason}`]),
  ]
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

/** Every decision, also those that were reversed. */
export function settlementTable(settlements: readonly SettledAttempt[]): string[] {
  return table(
    ['SHIPMENT', 'ACCOUNT', 'CARRIER', 'AT', 'OUTCOME', 'BY', 'USER', 'REASON'],
    settlements.map(
      ({ shipmentId, accountId, carrierCode, at, outcome, by, systemUser, reason, isReversal }) => [
        ...[shipmentId, accountId, carrierCode, at, isReversal ? `${outcome} (reversal)` : outcome],
        ...[by, systemUser ?? '', reason],
      ],
    ),
  )
}

/** "2 d 3 h", "3 h 12 min", "14 min". */
function ageText(ageMs: number): string {
  const minutes = Math.floor(ageMs / MINUTE_MS)
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return `${minutes} min`
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}
