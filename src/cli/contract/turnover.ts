/** `waybill contract turnover`: the turnover that decides which discounts of an account apply from a day on. */
import type { Command } from 'commander'
import type { TurnoverRow } from '../../core/rating/contract.ts'
import { euroText } from '../../core/rating/explain/figure-text.ts'
import { RATE_BOOK, readRevision } from '../../store/database/revision.ts'
import {
  listContracts,
  listTurnovers,
  refuseUnknownAccount,
  removeTurnover,
  setTurnover,
} from '../../store/rate-cards/contracts.ts'
import { belowCostOption } from '../card/below-cost.ts'
import { day, euroAmount, incompleteComparisonOption } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal, UsageError } from '../terminal/errors.ts'
import { APPLIED_SOON, type Output, report } from '../terminal/output.ts'
import { type ConfirmOptions, changesOption, confirmedPrices } from './change.ts'
import { carrierOption } from './scope.ts'

type TurnoverOptions = ConfirmOptions & {
  readonly carrier?: string
  readonly from: string
  readonly remove?: boolean
}

export function turnoverCommand(contract: Command, withDatabase: WithDatabase, output: Output): void {
  contract
    .command('turnover')
    .description('set the turnover that decides which discounts of an account apply from a day on')
    .argument('<account>')
    .argument('[turnover]', 'in euro, such as 52000', euroAmount)
    .addOption(carrierOption())
    .requiredOption('--from <day>', 'first day on which it applies, such as 2027-01-01', day)
    .option('--remove', 'remove the turnover of this day, so that the one before applies')
    .addOption(changesOption())
    .addOption(belowCostOption())
    .addOption(incompleteComparisonOption())
    .option('--dry-run', 'show the change and write nothing')
    .option('--yes', 'do not ask for confirmation if a price rises')
    .option('--json', 'print JSON')
    .action((account: string, turnover: number | undefined, options: TurnoverOptions) =>
      changeTurnover(account, turnover, options, withDatabase, output),
    )
}

async function changeTurnover(
  accountId: string,
  turnoverCents: number | undefined,
  options: TurnoverOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  if ((turnoverCents === undefined) !== (options.remove === true))
    throw new UsageError('name the turnover, or remove it with --remove')
  const { carrier, from } = options
  const key = { accountId, ...(carrier !== undefined && { carrierCode: carrier }), validFrom: from }
  const isSame = (row: TurnoverRow): boolean => row.carrierCode === carrier && row.validFrom === from
  await withDatabase(async ({ db }) => {
    const previewed = await readRevision(db, RATE_BOOK)
    await refuseUnknownAccount(db, accountId)
    const contracts = await listContracts(db, accountId)
    const known = await listTurnovers(db, accountId)
    const name = `turnover of ${accountId}${carrier === undefined ? '' : ` with carrier ${carrier}`} from ${from}`
    if (turnoverCents === undefined && !known.some(isSame)) throw new Refusal(`there is no ${name}`)
    const others = known.filter((row) => !isSame(row))
    const turnovers = turnoverCents === undefined ? others : [{ ...key, turnoverCents }, ...others]
    const compared = await confirmedPrices(
      db,
      { before: { contracts, turnovers: known }, after: { contracts, turnovers }, rows: [key] },
      options,
      output,
    )
    const isWritten = options.dryRun !== true
    if (isWritten && turnoverCents !== undefined) await setTurnover(db, { ...key, turnoverCents }, previewed)
    if (isWritten && turnoverCents === undefined) await removeTurnover(db, key, previewed)
    const done =
      turnoverCents === undefined ? `Removed the ${name}.` : `Set the ${name}: ${euroText(turnoverCents)}.`
    report(
      output,
      options.json,
      { ...key, turnoverCents: turnoverCents ?? null, dryRun: !isWritten, ...compared },
      [isWritten ? `${done} ${APPLIED_SOON}` : 'Dry run: nothing was written.'],
    )
  })
}
