/** A correction of the current list while next year's list is published already. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quote } from '../../../src/core/rating/quote.ts'
import { loadRateBook } from '../../../src/store/rate-cards/rate-book.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { optionOf, parcelInput, requestOf } from '../../support/rates/demo-rate-book.ts'
import { runWaybill, type Setting } from '../run-waybill.ts'
import { demoFolderWith, removeFolders } from './card-folder.ts'

const CLASSIC_TO_ES = '1201,3,KG,2,5,14.25'

let cloned: ClonedDatabase
let correction: string
beforeAll(async () => {
  cloned = await cloneDatabase({ statementTimeoutMs: 0 })
  const nextYear = await demoFolderWith(
    ['rates.csv', CLASSIC_TO_ES, '1201,3,KG,2,5,15.80'],
    ['rates.csv', '1201,3,KG,5,10,17.25', '1201,3,KG,5,10,19.25'],
  )
  await waybill(`card import '${nextYear}' --code demo --valid-from 2041-01-01 --publish --yes`)
  correction = await demoFolderWith(['rates.csv', CLASSIC_TO_ES, '1201,3,KG,2,5,15.25'])
})
afterAll(async () => {
  await cloned.drop()
  await removeFolders()
})

const waybill = (words: string, setting?: Setting) => runWaybill(cloned, words, setting)

async function freightOn(day: string): Promise<number | undefined> {
  const quoted = quote(await loadRateBook(cloned.db), requestOf(parcelInput()), day)
  return optionOf(quoted, 1201)?.lines[0]?.amountCents
}

describe('a correction of the current list', () => {
  test('is compared with the version in force on its first day', async () => {
    const { out } = await waybill(`card import '${correction}' --code demo --valid-from 2040-12-01`)
    expect(out).toMatch(/^From demo@1 to /)
    expect(out).toContain('Prices: 1 up, 0 down, ')
  })

  test('is not published with --yes alone if it would override the next list', async () => {
    const ran = await waybill('card publish demo@3 --yes')
    expect(ran).toMatchObject({
      code: 1,
      err: 'waybill: not published: demo@3 would override demo@2, which begins on 2041-01-01: add --until-next to end it there, or --override-next',
    })
    expect(ran.out).toMatch(/^From demo@1 to demo@3:/)
    expect(ran.out).toMatch(
      /\ndemo@3 applies instead of demo@1 from 2040-12-01 to 2040-12-31\.\ndemo@3 applies instead of demo@2 from 2041-01-01 on\.$/,
    )
    expect(await freightOn('2040-12-15')).toBe(1425)
  })

  test('is not published if the question about its end is not answered', async () => {
    expect(await waybill('card publish demo@3', { answer: '' })).toMatchObject({
      code: 1,
      asked: [expect.stringMatching(/^End demo@3 on 2041-01-01, /)],
      err: 'waybill: not published: demo@3 stays a draft',
    })
  })

  test('ends at a terminal where the next list begins, if the answer is yes', async () => {
    const ran = await waybill('card publish demo@3', { answer: 'y' })
    expect(ran).toMatchObject({
      code: 0,
      asked: [
        'End demo@3 on 2041-01-01, so that it does not override demo@2, which begins on 2041-01-01? [y/n] ',
        'Publish demo@3? [y/N] ',
      ],
    })
    expect(ran.out).toMatch(
      /\ndemo@3 ends where demo@2 begins: .*\ndemo@3 applies instead of demo@1 from 2040-12-01 to 2040-12-31\.\nPublished demo@3\./,
    )
    expect(await Promise.all(['2040-11-30', '2040-12-15', '2041-01-15'].map(freightOn))).toEqual([
      1425, 1525, 1580,
    ])
    const { out } = await waybill('card list demo')
    expect(out).toMatch(/\ndemo@3 .* 2040-12-01 +2041-01-01 +14 +888\n/)
    expect(out).toMatch(/ by demo@3 from 2040-12-01 to 2040-12-31, by demo@2 from 2041-01-01 on$/)
  })

  test('ends there with --until-next, and overrides the next list with --override-next', async () => {
    const words = `card import '${correction}' --code demo --valid-from 2040-12-01 --force --publish --yes`
    expect((await waybill(`${words} --until-next`)).out).toContain(
      'demo@4 ends where demo@2 begins: it applies before 2041-01-01.',
    )
    expect(await freightOn('2041-01-15')).toBe(1580)
    expect((await waybill(`${words} --override-next`)).code).toBe(0)
    expect(await freightOn('2041-01-15')).toBe(1525)
    const listed = JSON.parse((await waybill('card list demo --json')).out)
    expect(listed.map(({ version, overridden }: Record<string, unknown>) => [version, overridden])).toEqual([
      ['demo@5', []],
      ['demo@4', [{ by: 'demo@5', from: '2040-12-01', to: '2041-01-01' }]],
      ['demo@3', [{ by: 'demo@5', from: '2040-12-01', to: '2041-01-01' }]],
      ['demo@2', [{ by: 'demo@5', from: '2041-01-01' }]],
      ['demo@1', [{ by: 'demo@5', from: '2040-12-01' }]],
    ])
  })

  test('is rolled back to what applies on each of its days', async () => {
    for (const version of ['demo@3', 'demo@4']) await waybill(`card withdraw ${version} --yes`)
    const { out } = await waybill('card rollback demo', { answer: 'y' })
    expect(out).toMatch(/^From demo@5 to demo@1:\n/)
    expect(out).toContain('\nFrom demo@5 to demo@2:\n')
    expect(out).toMatch(
      /\ndemo@1 applies instead of demo@5 from 2040-12-01 to 2040-12-31\.\ndemo@2 applies instead of demo@5 from 2041-01-01 on\.\nRolled demo back to demo@2: demo@5 withdrawn\. /,
    )
    expect(await Promise.all(['2040-12-15', '2041-01-15'].map(freightOn))).toEqual([1425, 1580])
  })
})
