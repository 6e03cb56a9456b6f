/**
 * `waybill audit`: looks up every booked shipment at its carrier, and lists what an operator must check. The exit code
 * is 0 if every lookup was conclusive and nothing needs attention, otherwise 1. See docs/audit.md.
 */
import { randomUUID } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { carrierGateway } from '../../carriers/gateway/gateway.ts'
import { readConfig } from '../../config/config.ts'
import { auditLog, auditSuspectDrafts } from '../../operations/audit/audit-restore.ts'
import { type AuditReport, auditShipments } from '../../operations/audit/audit-shipments.ts'
import { type Alert, SYSTEM_EFFECTS } from '../../operations/ports/ports.ts'
import { openInFlight } from '../../operations/ports/work.ts'
import { OVERDUE_MS } from '../../operations/sweep/sweep.ts'
import { recordMissingNumbers } from '../../store/shipments/carrier-numbers.ts'
import { type Attention, readAttention } from '../../store/shipments/operators/audit.ts'
import { restoreStore } from '../../store/shipments/restores.ts'
import { shipmentStore } from '../../store/shipments/shipments.ts'
import {
  applyAllUnmatchedScans,
  scheduleMissingLookups,
  trackingStore,
} from '../../store/shipments/tracking.ts'
import { openConfiguredCarriers } from '../carrier.ts'
import type { OpenDatabase, WithDatabase } from '../terminal/database.ts'
import { CommandFailed, UsageError } from '../terminal/errors.ts'
import { announce, counted, type Output, report, table } from '../terminal/output.ts'
import { settlementTable } from './attempt.ts'
import { draftLines, draftReasons, firstOf, logLines, logReasons, readLogs } from './audit-log.ts'

type AuditOptions = {
  readonly days: number
  readonly dryRun?: boolean
  readonly json?: boolean
  readonly log?: readonly string[]
  readonly cancelDrafts?: boolean
  readonly repair?: boolean
}

const DAY_MS = 24 * 3_600_000

export function auditCommand(command: Command, withDatabase: WithDatabase, output: Output): void {
  command
    .description('compare every booked shipment with its carrier, and list what needs attention')
    .option('--days <n>', 'list anomalies of this many days', days, 7)
    .option('--dry-run', 'look shipments up without changing anything')
    .option(
      '--log <file...>',
      'list what the journal in these files records and the database has lost; - reads standard input',
    )
    .option('--cancel-drafts', 'cancel the drafts that --log lists')
    .option('--repair', 'restore the bookings and open the attempts that --log lists')
    .option('--json', 'print JSON')
    .action(async (options: AuditOptions) => {
      for (const name of ['cancelDrafts', 'repair'] as const)
        if (options[name] === true && options.log === undefined)
          throw new UsageError(`--${name === 'repair' ? 'repair' : 'cancel-drafts'} needs --log <file>`)
      await audit(options, withDatabase, output)
    })
}

async function audit(options: AuditOptions, withDatabase: WithDatabase, output: Output): Promise<void> {
  const { days: listedDays, dryRun = false, json, log, cancelDrafts = false, repair = false } = options
  const { done, attention, drafts, lost } = await withDatabase(async ({ db }) => {
    const ports = await portsOf(db, output)
    announce(output, json, 'Comparing booked shipments with their carriers')
    if (!dryRun) {
      await scheduleMissingLookups(db)
      await recordMissingNumbers(db)
      await applyAllUnmatchedScans(db)
    }
    // First, so that bookings found by it are compared too.
    const drafts = await auditSuspectDrafts(ports, { dryRun })
    const done = await auditShipments(ports, { dryRun })
    const terms = { cancelDrafts: cancelDrafts && !dryRun, repair: repair && !dryRun }
    const lost = log === undefined ? undefined : await auditLog(ports, readLogs(log), terms)
    // Read last, so that it includes what was found before.
    const attention = await readAttention(db, { openForMs: OVERDUE_MS, withinMs: listedDays * DAY_MS })
    return { done, attention, drafts, lost }
  })
  const reasons = [...reasonsForAttention(done, attention), ...draftReasons(drafts), ...logReasons(lost)]
  const lines = reportLines(done, attention, reasons, [...draftLines(drafts, dryRun), ...logLines(lost)])
  report(output, json, { ...done, ...attention, suspectDrafts: drafts, ...lost }, lines)
  if (reasons.length > 0) throw new CommandFailed()
}

async function portsOf(db: OpenDatabase['db'], output: Output) {
  return {
    ...SYSTEM_EFFECTS,
    shipments: shipmentStore(db, randomUUID()),
    restores: restoreStore(db),
    tracking: trackingStore(db),
    carriers: await gateway(db, output),
    inFlight: openInFlight(),
    alert: alertPrinter(output),
    reportFault: (error: unknown) => output.error(error instanceof Error ? error.message : String(error)),
  }
}

/** The same gateway and the same checks of settings as in the service. */
async function gateway(db: OpenDatabase['db'], output: Output) {
  const { carriers } = await openConfiguredCarriers(db, readConfig())
  return carrierGateway(carriers, { alert: alertPrinter(output) })
}

/** Prints alerts at once, because the command has no log. */
function alertPrinter(output: Output) {
  return ({ kind, carrierCode, accountId, shipmentId, detail }: Alert): void => {
    const account = accountId === undefined ? undefined : `(account ${accountId})`
    const parts = [kind, carrierCode, account, shipmentId, detail]
    output.error(parts.filter((part) => part !== undefined).join(' '))
  }
}

/** The reasons for exit code 1. Empty if nothing needs attention. */
function reasonsForAttention(
  { dryRun, cancelled, notAsked, silentCarriers }: AuditReport,
  { openAttempts, anomalies }: Attention,
): string[] {
  // Unknown parcels are listed, but they are normal: some carriers record a parcel only at its first scan.
  const notCompared = notAsked.reduce((sum, { shipments }) => sum + shipments, 0)
  return [
    silentCarriers.length > 0 && `no conclusive lookup at ${silentCarriers.join(', ')}`,
    notCompared > 0 && `${counted(notCompared, 'shipment')} could not be compared`,
    // Without --dry-run these are among the anomalies.
    dryRun && cancelled.count > 0 && `${counted(cancelled.count, 'shipment')} cancelled only at the carrier`,
    openAttempts.length > 0 && `${counted(openAttempts.length, 'cancellation attempt')} open for a long time`,
    anomalies.length > 0 && counted(anomalies.length, 'anomaly', 'anomalies'),
  ].filter((reason) => reason !== false)
}

function reportLines(
  audit: AuditReport,
  attention: Attention,
  reasons: readonly string[],
  restoreSections: readonly string[][],
) {
  const { dryRun, checked, unchanged, inTransit, cancelled, unknown, notAsked, forgottenScans } = audit
  const notAskedCount = notAsked.reduce((sum, { shipments }) => sum + shipments, 0)
  const sections = [
    table(
      ['SHIPMENTS BOOKED HERE', 'NUMBER'],
      [
        ['unchanged', String(unchanged)],
        [dryRun ? 'scanned: would be in transit' : 'scanned: in transit now', String(inTransit.count)],
        [
          dryRun ? 'found cancelled: would be cancelled' : 'found cancelled: cancelled now',
          String(cancelled.count),
        ],
        ['no conclusive answer', String(unknown.count)],
        ['not looked up', String(notAskedCount)],
        ['total', String(checked)],
      ],
      ['NUMBER'],
    ),
    idLines('Scanned', inTransit),
    idLines('Found cancelled', cancelled),
    unknown.count === 0
      ? []
      : [
          `No conclusive answer${firstOf(unknown)}:`,
          ...table(
            ['SHIPMENT', 'CARRIER', 'CAUSE'],
            unknown.first.map(({ shipmentId, carrierCode, cause }) => [shipmentId, carrierCode, cause]),
          ),
        ],
    notAsked.length === 0
      ? []
      : [
          'Not looked up:',
          ...table(
            ['CARRIER', 'SHIPMENTS', 'CAUSE'],
            notAsked.map(({ carrierCode, shipments, cause }) => [carrierCode, String(shipments), cause]),
            ['SHIPMENTS'],
          ),
        ],
    ...restoreSections,
    attentionLines(attention),
    settlementLines(attention),
    correctionLines(attention),
    forgottenScans === 0
      ? []
      : [`Deleted ${counted(forgottenScans, 'scan')} of parcels that were never booked here.`],
    dryRun ? ['Dry run: nothing was written.'] : [],
    [reasons.length === 0 ? 'Nothing needs attention.' : `Needs attention: ${reasons.join(', ')}.`],
  ]
  return sections
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
}

function attentionLines({ openAttempts, anomalies }: Attention): string[] {
  const attemptTable = table(
    ['SHIPMENT', 'ACCOUNT', 'CARRIER', 'SINCE', 'SENDS', 'LAST'],
    openAttempts.map(({ shipmentId, accountId, carrierCode, since, sends, lastCause }) => [
      ...[shipmentId, accountId, carrierCode, since, String(sends), lastCause ?? 'no answer'],
    ]),
    ['SENDS'],
  )
  const anomalyTable = table(
    ['SHIPMENT', 'ACCOUNT', 'CARRIER', 'AT', 'WHAT'],
    anomalies.map(({ shipmentId, accountId, carrierCode, at, anomaly }) => [
      ...[shipmentId, accountId, carrierCode, at, anomaly],
    ]),
  )
  return [
    ...(openAttempts.length === 0 ? [] : ['Cancellation attempts open for a long time:', ...attemptTable]),
    ...(openAttempts.length === 0 || anomalies.length === 0 ? [] : ['']),
    ...(anomalies.length === 0 ? [] : ['Anomalies:', ...anomalyTable]),
  ]
}

function settlementLines({ settlements }: Attention): string[] {
  if (settlements.length === 0) return []
  return ['Settled by operators:', ...settlementTable(settlements)]
}

function correctionLines({ corrections }: Attention): string[] {
  if (corrections.length === 0) return []
  return [
    'Corrected by operators:',
    ...table(
      ['SHIPMENT', 'ACCOUNT', 'CARRIER', 'AT', 'WHAT', 'ADDED', 'BY', 'USER'],
      corrections.map(({ shipmentId, accountId, carrierCode, at, field, added, by, systemUser }) => [
        ...[shipmentId, accountId, carrierCode, at, field, added.join(' '), by, systemUser],
      ]),
    ),
  ]
}

function idLines(title: string, ids: AuditReport['inTransit']): string[] {
  return ids.count === 0 ? [] : [`${title}${firstOf(ids)}: ${ids.first.join(', ')}`]
}

function days(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Expected a number of days such as 7.')
  return Number(text)
}
