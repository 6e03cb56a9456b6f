/** `waybill fuel …`: the dated percentages of fuel surcharges, which change without a new rate card. */
import type { Command } from 'commander'
import { percentText } from '../../core/rating/explain/figure-text.ts'
import {
  listFuelRates,
  refuseUnknownCarrier,
  setFuelRate,
  unsetFuelRate,
} from '../../store/rate-cards/fuel.ts'
import { day, percent, plainText } from '../terminal/arguments.ts'
import type { WithDatabase } from '../terminal/database.ts'
import { Refusal } from '../terminal/errors.ts'
import { APPLIED_SOON, type Output, report, table } from '../terminal/output.ts'

type FuelOptions = { readonly from: string; readonly code: string; readonly json?: boolean }

/** Adds `set`, `unset` and `list` to `waybill fuel`. */
export function fuelCommands(fuel: Command, withDatabase: WithDatabase, output: Output): void {
  fuel
    .command('set')
    .description('set the percentage from a day on; replaces the percentage of the same day')
    .argument('<carrier>', 'the code of the carrier', plainText)
    .argument('<percent>', 'such as 14.5', percent)
    .requiredOption('--from <day>', 'first day on which it applies, such as 2026-12-01', day)
    .option('--code <code>', 'the code of the fuel surcharge', plainText, 'FUEL')
    .option('--json', 'print JSON')
    .action(async (carrier: string, rateBps: number, { from, code, json }: FuelOptions) => {
      const rate = { carrierCode: carrier, code, validFrom: from, rateBps }
      const known = await withDatabase(async ({ db }) => {
        const rates = await listFuelRates(db, carrier)
        await setFuelRate(db, rate)
        return rates.filter((other) => other.code === code)
      })
      const before = known.find(({ validFrom }) => validFrom === from)
      const isChanged = before?.rateBps !== rateBps
      report(output, json, { ...rate, changed: isChanged }, [
        isChanged
          ? `Fuel ${carrier} ${code} is ${percentText(rateBps)} from ${from}${wasText(before?.rateBps)}. ${APPLIED_SOON}`
          : `Fuel ${carrier} ${code} is already ${percentText(rateBps)} from ${from}.`,
        ...(known.length === 0
          ? [
              `This is the first percentage of ${carrier} with the code ${code}. It applies to the surcharge with that code.`,
            ]
          : []),
      ])
    })

  fuel
    .command('unset')
    .description('remove the percentage of a day, so that the previous one continues to apply')
    .argument('<carrier>', 'the code of the carrier', plainText)
    .requiredOption('--from <day>', 'first day of the percentage', day)
    .option('--code <code>', 'the code of the fuel surcharge', plainText, 'FUEL')
    .option('--json', 'print JSON')
    .action(async (carrier: string, { from, code, json }: FuelOptions) => {
      const key = { carrierCode: carrier, code, validFrom: from }
      const removed = await withDatabase(({ db }) => unsetFuelRate(db, key))
      if (!removed) throw new Refusal(`there is no fuel percentage ${carrier} ${code} from ${from}`)
      report(output, json, { ...key, removed }, [
        `Removed fuel ${carrier} ${code} from ${from}. ${APPLIED_SOON}`,
      ])
    })

  fuel
    .command('list')
    .description('list the percentages, newest first')
    .argument('[carrier]', 'the code of a carrier')
    .option('--json', 'print JSON')
    .action(async (carrier: string | undefined, { json }: { json?: boolean }) => {
      const rates = await withDatabase(async ({ db }) => {
        if (carrier !== undefined) await refuseUnknownCarrier(db, carrier)
        return listFuelRates(db, carrier)
      })
      const rows = rates.map((rate) => [
        ...[rate.carrierCode, rate.code, rate.validFrom, percentText(rate.rateBps), rate.enteredAt],
      ])
      report(output, json, rates, table(['CARRIER', 'CODE', 'FROM', 'PERCENT', 'ENTERED'], rows, ['PERCENT']))
    })
}

function wasText(bps: number | undefined): string {
  return bps === undefined ? '' : ` (it was ${percentText(bps)})`
}
