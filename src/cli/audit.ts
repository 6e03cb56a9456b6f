/**
 * `waybill audit`: looks up every booked shipment at its carrier, and lists what an operator must check. The exit code is
 * 0 if every lookup was conclusive and nothing needs attention, otherwise 1. See docs/audit.md.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { type Command, InvalidArgumentError } from 'commander'
import { carrierGateway } from '../carriers/gateway/gateway.ts'
import { openCarriers, settingsFaults } from '../carriers/registry.ts'
import { type CarriersSettings, readCarrierSettings, refuseFaultySettings } from '../carriers/settings.ts'
import { readConfig } from '../config.ts'
import {
  type AuditReport,
  auditCancelledDrafts,
  auditShipments,
  type LoggedDraft,
  type RevivedDrafts,
} from '../operations/audit-shipments.ts'
import type { Alert } from '../operations/ports/ports.ts'
import { OVERDUE_MS } from '../operations/sweep.ts'
import { type Attention, readAttention, readConnectorNames } from '../store/shipments/audit.ts'
import { shipmentStore } from '../store/shipments/shipments.ts'
import { applyAllUnmatchedScans, trackingStore } from '../store/shipments/tracking.ts'
import { settlementTable } from './attempt.ts'
import type { OpenDatabase, WithDatabase } from './terminal/database.ts'
import { CommandFailed, Refusal, refuseOnError, UsageError } from './terminal/errors.ts'
import { announce, counted, type Output, report, table } from './terminal/output.ts'

type AuditOptions = {
  readonly days: number
  readonly dryRun?: boolean
  readonly json?: boolean
  readonly log?: readonly string[]
  readonly cancelDrafts?: boolean
}

const DAY_MS = 24 * 3_600_000

export function auditCommand(command: Command, withDatabase: WithDatabase, output: Output): void {
  command
    .description('compare every booked shipment with its carrier, and list what needs attention')
    .option('--days <n>', 'list anomalies of this many days', days, 7)
    .option('--dry-run', 'look shipments up without changing anything')
    .option(
      '--log <file...>',
      'list drafts that these logs of the service say were cancelled; - is the input',
    )
    .option('--cancel-drafts', 'cancel the drafts that --log lists')
    .option('--json', 'print JSON')
    .action(async ({ days: listedDays, dryRun = false, json, log, cancelDrafts = false }: AuditOptions) => {
      if (cancelDrafts && log === undefined) throw new UsageError('--cancel-drafts needs --log <file>')
      const { audit, attention, revived } = await withDatabase(async ({ db }) => {
        const ports = {
          tracking: trackingStore(db),
          carriers: await gateway(db, output),
          alert: alertPrinter(output),
        }
        announce(output, json, 'Comparing booked shipments with their carriers')
        if (!dryRun) await applyAllUnmatchedScans(db)
        const done = await auditShipments(ports, { dryRun })
        // Read after the comparison, so that it includes anomalies found by the comparison.
        const periods = { openForMs: OVERDUE_MS, withinMs: listedDays * DAY_MS }
        const revivedDrafts =
          log === undefined
            ? undefined
            : await auditCancelledDrafts({ shipments: shipmentStore(db, randomUUID()) }, readLogs(log), {
                cancel: cancelDrafts && !dryRun,
              })
        return { audit: done, attention: await readAttention(db, periods), revived: revivedDrafts }
      })
      const reasons = [...reasonsForAttention(audit, attention), ...revivedReasons(revived)]
      const lines = [...reportLines(audit, attention, reasons, revivedLines(revived))]
      report(output, json, { ...audit, ...attention, ...(revived && { revivedDrafts: revived }) }, lines)
      if (reasons.length > 0) throw new CommandFailed()
    })
}

/** The same gateway and the same checks of settings as in the service. */
async function gateway(db: OpenDatabase['db'], output: Output) {
  const { sandboxUrl, carriersFile } = readConfig()
  const settings: CarriersSettings =
    carriersFile === undefined ? new Map() : refuseOnError(() => readCarrierSettings(carriersFile))
  const connectors = await readConnectorNames(db)
  const connectorNameOf = (code: string) => connectors.get(code)
  refuseOnError(() => refuseFaultySettings(settingsFaults(connectorNameOf, settings)))
  return carrierGateway(openCarriers(connectorNameOf, { sandboxUrl, settings }), {
    alert: alertPrinter(output),
  })
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

/** Longer lines are skipped, so that a damaged file cannot fill the memory. The lines of drafts are much shorter. */
const LOG_LINE_MAX = 64 * 1_024

/** The cancelled drafts in logs of the service. Other lines are skipped, also those that are not JSON. */
async function* readLogs(files: readonly string[]): AsyncGenerator<LoggedDraft> {
  for (const file of files) {
    try {
      for await (const line of linesOf(file === '-' ? process.stdin : createReadStream(file))) {
        const draft = loggedDraft(line)
        if (draft !== undefined) yield draft
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
      throw new Refusal(`${file}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

async function* linesOf(stream: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let isTooLong = false
  for await (const chunk of stream) {
    const parts = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      if (!isTooLong) yield line
      isTooLong = false
    }
    if (rest.length > LOG_LINE_MAX) {
      isTooLong = true
      rest = ''
    }
  }
  if (!isTooLong) yield rest
}

function loggedDraft(line: string): LoggedDraft | undefined {
  if (!line.includes('"cancelledDraft"')) return undefined
  try {
    const { cancelledDraft } = JSON.parse(line) as { cancelledDraft?: Partial<LoggedDraft> }
    const { accountId, shipmentId } = cancelledDraft ?? {}
    const isDraft = typeof accountId === 'string' && typeof shipmentId === 'string'
    return isDraft ? { accountId, shipmentId } : undefined
  } catch {
    return undefined
  }
}

function revivedReasons(revived: RevivedDrafts | undefined): string[] {
  if (revived === undefined) return []
  const { drafts, booked, cancelledAgain } = revived
  return [
    ...(drafts.count > 0 && !cancelledAgain
      ? [`${counted(drafts.count, 'cancelled draft')} in state draft`]
      : []),
    ...(booked.count > 0 ? [`${counted(booked.count, 'cancelled draft')} booked since`] : []),
  ]
}

/** One section per line group; empty without `--log`. */
function revivedLines(revived: RevivedDrafts | undefined): string[][] {
  if (revived === undefined) return []
  const { drafts, booked, cancelledAgain } = revived
  const section = (title: string, found: RevivedDrafts['drafts']) =>
    found.count === 0
      ? []
      : [
          `${title}${firstOf(found)}:`,
          ...table(
            ['SHIPMENT', 'ACCOUNT'],
            found.first.map(({ shipmentId, accountId }) => [shipmentId, accountId]),
          ),
        ]
  return [
    section(
      cancelledAgain ? 'Cancelled drafts, now cancelled again' : 'Cancelled drafts that are drafts again',
      drafts,
    ),
    section('Cancelled drafts that were booked since', booked),
  ]
}

function reportLines(
  audit: AuditReport,
  attention: Attention,
  reasons: readonly string[],
  revivedSections: readonly string[][],
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
        ['unknown to the carrier', String(unknown.count)],
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
          `Unknown to the carrier${firstOf(unknown)}:`,
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
    ...revivedSections,
    attentionLines(attention),
    settlementLines(attention),
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

function idLines(title: string, ids: AuditReport['inTransit']): string[] {
  return ids.count === 0 ? [] : [`${title}${firstOf(ids)}: ${ids.first.join(', ')}`]
}

function firstOf({ count, first }: { readonly count: number; readonly first: readonly unknown[] }): string {
  return count > first.length ? ` (the first ${first.length} of ${count})` : ''
}

function days(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('Expected a number of days such as 7.')
  return Number(text)
}
