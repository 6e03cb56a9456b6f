/**
 * `waybill classify agree|agreed|withdraw`: the HS codes that an account has agreed on for its products. Estimates use
 * them before the classifier. See docs/hs-classification.md#agreed-codes.
 */
import type { Command } from 'commander'
import { readHsCode } from '../../core/customs/tariff/hs-code.ts'
import { MAX_SKU_LENGTH } from '../../core/goods-facts.ts'
import { MAX_TEXT_LENGTH, type ProblemList, readText } from '../../core/input.ts'
import { readHs2022Codes } from '../../reference/customs.ts'
import { readCsvTable } from '../../reference/import/csv-table.ts'
import { type FaultLog, openFaultLog } from '../../reference/import/import-fault.ts'
import { readImportFile } from '../../reference/import/import-limits.ts'
import {
  type AgreedCode,
  agreeCodes,
  listAgreedCodes,
  removeAgreedCode,
} from '../../store/accounts/agreed-codes.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { ImportFaults, Refusal, refuseOnError, reportFaults } from '../terminal/errors.ts'
import { counted, type Output, report, table } from '../terminal/output.ts'

type AccountOptions = { readonly account: string; readonly json?: boolean }

const ACCOUNT = ['--account <accountId>', 'the account whose products these are'] as const

export function agreedCodeCommands(classify: Command, withDatabase: WithDatabase, output: Output): void {
  classify
    .command('agree')
    .description('keep the codes of the column agreed_code; takes effect within 5 seconds')
    .argument(
      '<file>',
      'a CSV file with the columns sku and agreed_code; rows without an agreed code are skipped',
    )
    .requiredOption(...ACCOUNT)
    .option('--json', 'print JSON')
    .action((file: string, { account, json }: AccountOptions) =>
      reportFaults(
        output,
        json,
        async () => {
          const codes = readAgreedCodes(file)
          const changed = await withDatabase(({ db }) => agreeCodes(db, account, codes))
          if (changed === undefined) throw new Refusal(`there is no account ${account}`)
          report(output, json, { accountId: account, codes: codes.length, changed }, [
            `Account ${account} has agreed on ${counted(codes.length, 'code')} of ${file}; ${changed} of them are new or changed.`,
          ])
        },
        '',
        `${file} has`,
      ),
    )

  classify
    .command('agreed')
    .description('list the codes that an account has agreed on')
    .requiredOption(...ACCOUNT)
    .option('--json', 'print JSON')
    .action(async ({ account, json }: AccountOptions) => {
      const codes = await withDatabase(({ db }) => listAgreedCodes(db, account))
      const rows = codes.map(({ sku, code, agreedAt, description }) => [sku, code, agreedAt, description])
      report(output, json, codes, table(['SKU', 'CODE', 'AGREED', 'DESCRIPTION'], rows))
    })

  classify
    .command('withdraw')
    .description('remove the agreed code of a product; takes effect within 5 seconds')
    .argument('<sku>', 'the number of the product')
    .requiredOption(...ACCOUNT)
    .option('--json', 'print JSON')
    .action(async (sku: string, { account, json }: AccountOptions) => {
      const isRemoved = await withDatabase(({ db }) => removeAgreedCode(db, account, sku))
      if (!isRemoved) throw new Refusal(`account ${account} has no agreed code for ${sku}`)
      report(output, json, { accountId: account, sku }, [
        `Account ${account} has no agreed code for ${sku} any more.`,
      ])
    })
}

/** The rows with an agreed code. Throws ImportFaults. */
function readAgreedCodes(file: string): readonly AgreedCode[] {
  const log = openFaultLog(file)
  const read = readCsvTable(
    refuseOnError(() => readImportFile(file)),
    log,
  )
  if (read === undefined) throw new ImportFaults(log.faults(), [])
  const { header, records, lines } = read
  for (const name of ['sku', 'agreed_code'].filter((column) => !header.includes(column)))
    log.fault(1, undefined, `a column "${name}"`, header.join(', '))
  if (log.faults().length > 0) throw new ImportFaults(log.faults(), [])
  const codes = readHs2022Codes()
  const bySku = new Map<string, AgreedCode>()
  records.forEach((record, row) => {
    const cell = (column: string): string => (record[header.indexOf(column)] ?? '').trim()
    if (cell('agreed_code') === '') return
    const line = lines[row]!
    const sku = readCell(cell('sku'), 'sku', line, log, MAX_SKU_LENGTH)
    const description = readCell(cell('description').slice(0, MAX_TEXT_LENGTH), 'description', line, log)
    const code = readCode(cell('agreed_code'), line, log, codes)
    if (cell('sku') === '') log.fault(line, 'sku', 'the number of the product')
    if (sku === undefined || code === undefined) return
    const other = bySku.get(sku)
    if (other !== undefined && other.code !== code)
      log.fault(line, 'agreed_code', `${other.code}, as in another row of this product`, code)
    bySku.set(sku, { sku, code, description: description ?? '' })
  })
  if (log.faults().length > 0) throw new ImportFaults(log.faults(), [])
  return [...bySku.values()]
}

/** The text of a cell. Undefined if it is blank, or with a fault in the log. */
function readCell(
  text: string,
  column: string,
  line: number,
  log: FaultLog,
  maxLength?: number,
): string | undefined {
  const problems: ProblemList = []
  const read = readText(problems, [], text, maxLength)
  for (const { message } of problems) log.fault(line, column, `a text that ${message}`, text)
  return read
}

function readCode(text: string, line: number, log: FaultLog, codes: ReadonlySet<string>): string | undefined {
  const code = readHsCode([], [], text)
  if (code !== undefined && codes.has(code.slice(0, 6))) return code
  log.fault(
    line,
    'agreed_code',
    'an HS code or commodity code of 6 to 10 digits that begins with a code of HS 2022',
    text,
  )
  return undefined
}
