/** `waybill customs compare`: how far kept estimates are from what a carrier charged. See docs/kept-estimates.md. */
import { type Command, InvalidArgumentError } from 'commander'
import type { Kysely } from 'kysely'
import {
  type ComparedCharge,
  compareInvoice,
  ESTIMATE_NAMES,
  type InvoiceCharge,
  type InvoiceComparison,
  type LaneReport,
} from '../../core/customs/invoice-comparison.ts'
import type { KeptEstimate } from '../../core/customs/kept-estimate.ts'
import { formatCents } from '../../core/money.ts'
import { INVOICE_FIELDS, type InvoiceColumns, readDutyInvoice } from '../../reference/duty-invoice-csv.ts'
import { openFaultLog } from '../../reference/import/import-fault.ts'
import { readImportFile } from '../../reference/import/import-limits.ts'
import { loadCompiledCustoms } from '../../store/customs/customs.ts'
import type { Database } from '../../store/database/database.ts'
import { estimatesNamed } from '../../store/estimates/estimates.ts'
import { plainText } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { ImportFaults, refuseOnError, reportFaults, warningLines } from '../terminal/errors.ts'
import { counted, type Output, report, table } from '../terminal/output.ts'

type CompareOptions = {
  readonly account?: string
  readonly column: InvoiceColumns
  readonly json?: boolean
}

export function compareCommand(customs: Command, withDatabase: WithDatabase, output: Output): void {
  customs
    .command('compare')
    .description('compare the duty invoice of a carrier with kept estimates, by lane')
    .argument(
      '<file>',
      `a CSV file with one row per shipment and some of the columns ${INVOICE_FIELDS.join(', ')}`,
    )
    .option('--account <id>', 'only estimates of this account; required for references', plainText)
    .option(
      '--column <field=name>',
      'the column of the file for a field, such as total="Amount due"',
      addColumn,
      {},
    )
    .option('--json', 'print JSON')
    .action((file: string, options: CompareOptions) =>
      reportFaults(
        output,
        options.json,
        async () => {
          const [comparison, warnings] = await withDatabase(({ db }) => compareFile(db, file, options))
          if (options.json !== true) for (const line of warnings) output.error(line)
          report(output, options.json, comparison, linesOf(comparison))
        },
        '; nothing was compared',
        'the file has',
      ),
    )
}

/** Adds the value of one option `--column`. */
function addColumn(value: string, columns: InvoiceColumns): InvoiceColumns {
  const [given = '', ...name] = value.split('=')
  const field = INVOICE_FIELDS.find((known) => known === given)
  if (field === undefined || name.join('=').trim() === '')
    throw new InvalidArgumentError(
      `Expected one of ${INVOICE_FIELDS.join(', ')}, then = and the name of a column.`,
    )
  return { ...columns, [field]: name.join('=').trim() }
}

async function compareFile(
  db: Kysely<Database>,
  file: string,
  { account, column }: CompareOptions,
): Promise<readonly [InvoiceComparison, readonly string[]]> {
  const bytes = refuseOnError(() => readImportFile(file))
  const { exchangeRates } = await loadCompiledCustoms(db)
  const { charges, faults, warnings } = readDutyInvoice(file, bytes, column, exchangeRates)
  if (charges === undefined) throw new ImportFaults(faults, warnings)
  refuseReferences(file, charges, column, account)
  const estimates = new Map<string, KeptEstimate>()
  for (const by of ESTIMATE_NAMES) {
    const names = [...new Set(charges.filter((charge) => charge.by === by).map(({ name }) => name))]
    for (let start = 0; start < names.length; start += NAMES_AT_ONCE) {
      const found = await estimatesNamed(db, by, names.slice(start, start + NAMES_AT_ONCE), account)
      for (const [name, estimate] of found) estimates.set(keyOf(by, name), estimate)
    }
  }
  const comparison = compareInvoice(charges, ({ by, name }) => estimates.get(keyOf(by, name)))
  return [comparison, warningLines(warnings)]
}

const NAMES_AT_ONCE = 1_000

/** A reference may be equal to the id of another shipment. */
function keyOf(by: string, name: string): string {
  return `${by} ${name}`
}

/** References are unique at most within an account. */
function refuseReferences(
  file: string,
  charges: readonly InvoiceCharge[],
  column: InvoiceColumns,
  account: string | undefined,
): void {
  const first = charges.find(({ by }) => by === 'reference')
  if (first === undefined || account !== undefined) return
  const log = openFaultLog(file)
  log.fault(
    first.row,
    column.reference ?? 'reference',
    'an estimate id or a shipment id, or the option --account',
    first.name,
  )
  throw new ImportFaults(log.faults(), [])
}

const HEADING = [
  'LANE',
  'ROWS',
  'INCOMPLETE',
  'MEAN ERROR',
  'MEDIAN ERROR',
  'WITHIN 5%',
  'ESTIMATED',
  'CHARGED',
]

function linesOf({ rows, lanes, all, worst, unmatched }: InvoiceComparison): readonly string[] {
  const compared = all.count
  const lines = [
    `Compared ${compared} of ${counted(rows, 'row')}. Amounts are in euro; an error is estimated less charged.`,
  ]
  if (compared > 0)
    lines.push(
      ...table(HEADING, [...lanes, all].map(laneCells)),
      ...['', 'Largest errors:'],
      ...table(['ROW', 'NAME', 'LANE', 'ESTIMATED', 'CHARGED', 'ERROR'], worst.map(worstCells)),
    )
  if (unmatched.length > 0)
    lines.push(
      ...['', `${counted(unmatched.length, 'row')} not compared:`],
      ...table(
        ['ROW', 'NAME', 'CHARGED', 'REASON'],
        unmatched.map(({ row, name, chargedCents, reason }) => [
          ...[String(row), name, formatCents(chargedCents)],
          reason === 'NOT_KEPT' ? 'no kept estimate' : 'an earlier row has the same estimate',
        ]),
      ),
    )
  return lines
}

function laneCells(lane: LaneReport): string[] {
  return [
    ...[lane.lane, String(lane.count), String(lane.incomplete)],
    ...[formatCents(lane.meanErrorCents), formatCents(lane.medianErrorCents)],
    `${lane.within5Percent} of ${lane.count}`,
    ...[formatCents(lane.estimatedCents), formatCents(lane.chargedCents)],
  ]
}

function worstCells({ row, name, lane, estimatedCents, chargedCents, errorCents }: ComparedCharge): string[] {
  return [String(row), name, lane, ...[estimatedCents, chargedCents, errorCents].map(formatCents)]
}
