/** Fuel figures and exchange rates that lead to prices below the cost are listed, and need `--below-cost`. */
import { copyFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { runWaybill } from '../run-waybill.ts'
import { demoFolderOf, fileOf, removeFolders } from './card-folder.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string) => runWaybill(cloned, words)
const REFUSED =
  /^waybill: nothing was written: \d+ prices would be below the cost; add --below-cost to accept them$/

/** What the broker pays: prices of the demo card in a currency, with a fuel surcharge of its own. */
async function buyIn(currency: string): Promise<void> {
  const [sold, bought] = ['FUEL,Fuel surcharge,percent,pct,11.00,', 'FUEL_COST,Fuel surcharge,percent,fuel,,']
  const folder = await demoFolderOf(
    ['kwiklijn', 'polderpost'],
    ['surcharges.csv', `kwiklijn,${sold}`, `kwiklijn,${bought}`],
  )
  const fuel = ['carrier_code,code,valid_from,rate_pct', 'kwiklijn,FUEL_COST,2026-01-01,11']
  await copyFile(await fileOf('fuel.csv', ...fuel), `${folder}/fuel.csv`)
  const terms = await fileOf('price_terms.csv', 'currency,vat_included', `${currency},no`)
  await copyFile(terms, `${folder}/price_terms.csv`)
  const ran = await waybill(
    `card import '${folder}' --code bought --name Bought --valid-from 2026-01-01 --cost --publish --yes --below-cost`,
  )
  expect(ran).toMatchObject({ code: 0, err: '' })
}

async function ratesOf(usd: string): Promise<string> {
  return fileOf('ecb.csv', 'Date, USD, JPY, GBP,', `20 November 2026, ${usd}, 179.35, 0.8791,`)
}

describe('fuel', () => {
  beforeAll(() => buyIn('EUR'))

  test('set and import refuse a figure of the cost card that is too high', async () => {
    const set = 'fuel set kwiklijn 12 --code FUEL_COST --from 2032-01-05'
    const refused = await waybill(set)
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(REFUSED)
    expect(refused.out).toMatch(/^everyone +1401 Next Day .* 2032-01-05 /m)
    expect((await waybill('fuel list kwiklijn')).out).not.toContain('2032-01-05')

    const dry = await waybill(`${set} --dry-run`)
    expect(dry).toMatchObject({ code: 0, err: '' })
    expect(dry.out).toMatch(/prices below the cost:\n/)

    const file = await fileOf(
      'fuel.csv',
      'carrier_code,code,valid_from,rate_pct',
      'kwiklijn,FUEL_COST,2032-01-05,12',
    )
    expect((await waybill(`fuel import '${file}'`)).err).toMatch(REFUSED)

    // What is sold with the same fuel is not below the cost.
    expect(await waybill('fuel set kwiklijn 12 --from 2032-01-05')).toMatchObject({ code: 0, err: '' })
    expect(await waybill(set)).toMatchObject({ code: 0, err: '' })
    // A lower figure of what is sold is, and so is a removed one.
    expect((await waybill('fuel set kwiklijn 10 --from 2032-02-02')).err).toMatch(REFUSED)
    expect((await waybill('fuel unset kwiklijn --from 2032-01-05 --yes')).err).toMatch(REFUSED)
    expect((await waybill('fuel set kwiklijn 10 --from 2032-02-02 --below-cost')).out).toMatch(
      /Set 1 figure\./,
    )
  })

  test('tables and index values are compared as well', async () => {
    const steps = await fileOf('steps.csv', 'at_least,below,rate_pct', '0,2,11', '2,4,20')
    const table = `fuel table set kwiklijn '${steps}' --code FUEL_COST --index jet --every week --lag 1 --from 2033-01-03`
    expect(await waybill(`${table} --yes`)).toMatchObject({ code: 0 })
    expect((await waybill('fuel index set jet 3 --day 2032-12-29 --yes')).err).toMatch(REFUSED)
    expect((await waybill('fuel index set jet 3 --day 2032-12-29 --yes --below-cost')).code).toBe(0)
  })
})

describe('exchange rates', () => {
  test('that make the cost dearer are refused at publication, and the set stays a draft', async () => {
    expect(
      await waybill(`customs import '${await ratesOf('1.25')}' --set ecb-1 --publish --yes`),
    ).toMatchObject({
      code: 0,
      err: '',
    })
    await waybill('card withdraw bought@1 --yes')
    await waybill('card discard bought@1')
    await buyIn('USD')
    const set = `customs import '${await ratesOf('0.90')}' --set ecb-2 --publish --yes`
    const refused = await waybill(set)
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(
      /^waybill: ecb-2 was not published: \d+ prices would be below the cost; add --below-cost to accept them$/,
    )
    expect(refused.out).toMatch(/^everyone +1301 Parcel Tracked /m)
    expect((await waybill('customs list')).out).toMatch(/ecb-2 +draft/)
    expect((await waybill('customs publish ecb-2 --yes')).err).toMatch(/was not published: \d+ prices/)
    expect(await waybill('customs publish ecb-2 --yes --below-cost')).toMatchObject({ code: 0, err: '' })

    // A better rate is not compared further, and other data have no rates.
    expect(
      await waybill(`customs import '${await ratesOf('0.95')}' --set ecb-3 --publish --yes`),
    ).toMatchObject({
      code: 0,
      err: '',
    })
  })
})
