/** `waybill fuel …`: the dated percentages of the carriers' fuel surcharges. They change without a new rate card. */
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
import { type Output, Refusal, report, table } from '../terminal/output.ts'
import { TAKEN_OVER } from './status.ts'

type FuelOptions = { readonly from: string; readonly code: string; readonly json?: boolean }

/** Adds the commands `set`, `unset` and `list`. */
export function fuelCommands(fuel: Command, withDatabase: WithDatabase, output: Output): void {
  fuel
    .command('set')
    .description('enter a percentage from a day on; it replaces one that was entered for the same day')
    .argument('<carrier>', 'the code of the carrier', plainText)
    .argument('<percent>', 'such as 14.5', percent)
    .requiredOption('--from <day>', 'the first day it holds, such as 2026-12-01', day)
    .option('--code <code>', 'the code of the fuel surcharge', plainText, 'FUEL')
    .option('--json', 'print JSON')
    .action(async (carrier: string, rateBps: number, { from, code, json }: FuelOptions) => {
      const rate = { carrierCode: carrier, code, validFrom: from, rateBps }
      const known = await withDatabase(async ({ db }) => {
        const own = (await listFuelRates(db, carrier)).filter((other) => other.code === code)
        await setFuelRate(db, rate)
        return own
      })
      const before = known.find(({ validFrom }) => validFrom === from)
      const isChanged = before?.rateBps !== rateBps
      report(output, json, { ...rate, changed: isChanged }, [
        isChanged
          ? `Fuel ${carrier} ${code} is ${percentText(rateBps)} from ${from}${wasText(before?.rateBps)}. ${TAKEN_OVER}`
          : `Fuel ${carrier} ${code} is ${percentText(rateBps)} from ${from} already.`,
        ...(known.length === 0
          ? [
              `This is the first percentage of ${carrier} under the code ${code}: a surcharge of that code charges it.`,
            ]
          : []),
      ])
    })

  fuel
    .command('unset')
    .description('take the percentage of a day back, so that the one before it holds on')
    .argument('<carrier>', 'the code of the carrier', plainText)
    .requiredOption('--from <day>', 'the first day of the percentage', day)
    .option('--code <code>', 'the code of the fuel surcharge', plainText, 'FUEL')
    .option('--json', 'print JSON')
    .action(async (carrier: string, { from, code, json }: FuelOptions) => {
      const key = { carrierCode: carrier, code, validFrom: from }
      const removed = await withDatabase(({ db }) => unsetFuelRate(db, key))
      if (!removed) throw new Refusal(`there is no fuel percentage ${carrier} ${code} from ${from}`)
      report(output, json, { ...key, removed }, [
        `Took back fuel ${carrier} ${code} from ${from}. ${TAKEN_OVER}`,
      ])
    })

  fuel
    .command('list')
    .description('list the percentages that count, newest day first')
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
