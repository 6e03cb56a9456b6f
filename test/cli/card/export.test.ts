/** `waybill card export`: importing the files again gives the same card. */
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { runWaybill, type Setting } from '../run-waybill.ts'
import { DEMO_FOLDER, emptyFolder, removeFolders } from './card-folder.ts'

let cloned: ClonedDatabase
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string, setting?: Setting) => runWaybill(cloned, words, setting)
const FROM = '--valid-from 2026-01-01'

describe('export', () => {
  const cards = [
    ...['groupage', 'integrator', 'pallet-network', 'parcel-network', 'postal', 'regional-next-day'],
    ...['measure-sheet', 'rule-sheet'],
  ]
  const folders = cards.map((card) => path.resolve(import.meta.dirname, '../../fixtures/rate-cards', card))
  test.each([DEMO_FOLDER, ...folders])('and import give the same card: %s', async (card) => {
    const code = `x-${path.basename(card)}`
    const imported = await waybill(
      `card import '${card}' --code ${code} --name X ${FROM} --contract-only --publish --yes`,
    )
    expect(imported).toMatchObject({ code: 0, err: '' })
    const folder = path.join(await emptyFolder(), 'new')
    expect((await waybill(`card export ${code}@1 '${folder}'`)).out).toContain(
      `Wrote ${code}@1 to ${folder}: carriers.csv, `,
    )
    expect((await waybill(`card diff ${code}@1 '${folder}'`)).out).toBe(
      `No difference between ${code}@1 and ${folder}.`,
    )
    const again = await waybill(`card import '${folder}' --code ${code} ${FROM} --json`)
    const value = JSON.parse(again.out) as { warnings: { expected: string }[] }
    expect(value).toMatchObject({ imported: false, same: `${code}@1`, news: [] })
    expect(value.warnings.filter(({ expected }) => expected.includes('of the format'))).toEqual([])
  })

  test('to a workbook, and its import, give the same card', async () => {
    const file = path.join(await emptyFolder(), 'prices.xlsx')
    expect(await waybill(`card export demo@1 '${file}'`)).toMatchObject({
      code: 0,
      out: `Wrote demo@1 to ${file}.`,
    })
    expect((await waybill(`card diff demo@1 '${file}'`)).out).toBe(
      `No difference between demo@1 and ${file}.`,
    )
    expect((await waybill(`card validate '${file}'`)).out).toContain('The rate card is valid.')
    expect(await waybill(`card export demo@1 '${file}'`)).toMatchObject({
      code: 1,
      err: `waybill: ${file} already exists`,
    })
  })

  test('writes to an empty folder only', async () => {
    expect(await waybill(`card export demo@1 '${DEMO_FOLDER}'`)).toMatchObject({
      code: 1,
      err: `waybill: ${DEMO_FOLDER} is not empty`,
    })
    expect(await waybill(`card export demo@1 '${DEMO_FOLDER}/rates.csv'`)).toMatchObject({ code: 1 })
    const folder = await emptyFolder()
    expect(await waybill(`card export demo@88 '${folder}'`)).toMatchObject({ code: 1, out: '' })
    const { out } = await waybill(`card export demo@1 '${folder}' --json`)
    expect(JSON.parse(out)).toMatchObject({
      version: 'demo@1',
      folder,
      files: expect.arrayContaining(['fuel.csv']) as string[],
    })
  })

  test('contains the fuel percentages in force, so that importing it does not change them', async () => {
    await waybill('fuel set rondeel 12 --from 2026-01-01 --yes')
    const folder = await emptyFolder()
    await waybill(`card export demo@1 '${folder}'`)
    await waybill(`card import '${folder}' --code demo ${FROM} --force --publish --yes`)
    expect((await waybill('fuel list rondeel')).out).toMatch(/rondeel +FUEL +2026-01-01 +12% /)
  })
})
