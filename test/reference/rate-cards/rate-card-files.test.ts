/** Reading the files of a rate card from folders and zips. Invalid zips are refused before anything is unpacked. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import { MAX_CARD_ENTRIES, MAX_FILE_BYTES } from '../../../src/reference/import/import-limits.ts'
import { openRateCardFiles, readRateCard } from '../../../src/reference/rate-cards/rate-card-csv.ts'
import { filesOf, SMALL_CARD } from '../../support/rates/card-files.ts'

const room = mkdtempSync(path.join(tmpdir(), 'waybill-cards-'))
afterAll(() => rmSync(room, { recursive: true }))

function folderWith(name: string, files: ReadonlyMap<string, Uint8Array>): string {
  const folder = path.join(room, name)
  mkdirSync(folder)
  for (const [file, bytes] of files) writeFileSync(path.join(folder, file), bytes)
  return folder
}

function zipWith(name: string, content: Zippable): string {
  const file = path.join(room, `${name}.zip`)
  writeFileSync(file, zipSync(content))
  return file
}

const files = filesOf(SMALL_CARD)
const zippable = Object.fromEntries(files)

/** Overwrites the declared size of the only entry in the directory of a zip. */
function claimBytes(zip: Uint8Array, bytes: number): Uint8Array {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const directory = view.getUint32(zip.length - 22 + 16, true)
  view.setUint32(directory + 24, bytes, true)
  return zip
}

describe('a folder', () => {
  test('is read, and files that are not CSV are ignored', () => {
    const folder = folderWith('plain', files)
    writeFileSync(path.join(folder, 'README.md'), 'x')
    writeFileSync(path.join(folder, '.rates.csv'), 'x')
    expect([...openRateCardFiles(folder).keys()]).toEqual([...files.keys()].sort())
  })

  test('with a workbook next to the CSV files is read, with a warning that the workbook is not', () => {
    const workbook = strToU8('x')
    const folder = folderWith(
      'workbook',
      new Map([...files, ['Prices 2027.xlsx', workbook], ['~$Prices.xlsx', workbook]]),
    )
    const zip = zipWith('workbook', { card: { ...zippable, 'Prices 2027.xlsx': workbook } })
    for (const location of [folder, zip]) {
      const { card, warnings } = readRateCard(openRateCardFiles(location))
      expect(card).toBeDefined()
      expect(warnings).toEqual([
        {
          file: 'Prices 2027.xlsx',
          expected: expect.stringMatching(/^CSV files; a workbook beside them is not read/),
        },
      ])
    }
  })

  test('is refused without CSV files', () => {
    const folder = folderWith('empty', new Map([['rates.xlsx', strToU8('x')]]))
    expect(() => openRateCardFiles(folder)).toThrow(`${folder} has no CSV files`)
  })

  test('is refused with too many or too large files', () => {
    const many = Array.from({ length: MAX_CARD_ENTRIES + 1 }, (_, index) => `${index}.csv`)
    const crowd = folderWith('crowd', new Map(many.map((name) => [name, strToU8('a')])))
    expect(() => openRateCardFiles(crowd)).toThrow(`${crowd} has 65 CSV files; the limit is 64`)
    const folder = folderWith('large', files)
    truncateSync(path.join(folder, 'rates.csv'), MAX_FILE_BYTES + 1)
    expect(() => openRateCardFiles(folder)).toThrow(
      `${path.join(folder, 'rates.csv')} has 67,108,865 bytes; the limit is 64 MiB`,
    )
    truncateSync(path.join(folder, 'rates.csv'), MAX_FILE_BYTES)
    expect(() => openRateCardFiles(folder)).toThrow(
      `${folder} has more than 64 MiB of CSV files, which is the limit for a rate card`,
    )
  })
})

describe('a zip', () => {
  test('is read like a folder, also if its files are in one folder', () => {
    const plain = readRateCard(openRateCardFiles(folderWith('again', files))).card
    expect(plain).toBeDefined()
    expect(readRateCard(openRateCardFiles(zipWith('flat', zippable))).card).toEqual(plain)
    expect(readRateCard(openRateCardFiles(zipWith('nested', { 'card 2027': zippable }))).card).toEqual(plain)
    const windows = Object.fromEntries([...files].map(([name, bytes]) => [`card\\${name}`, bytes]))
    expect(readRateCard(openRateCardFiles(zipWith('windows', windows))).card).toEqual(plain)
  })

  test('is read without the files of macOS, dot files and other kinds of files', () => {
    const junk = strToU8('x')
    const zip = zipWith('mac', {
      card: { ...zippable, '.rates.csv': junk, 'notes.txt': junk },
      __MACOSX: { card: { '._rates.csv': junk, 'rates.csv': junk } },
    })
    expect([...openRateCardFiles(zip).keys()]).toEqual([...files.keys()])
  })

  test('is refused with CSV files in several folders or with the same name', () => {
    const zip = zipWith('two', { old: zippable, new: zippable })
    expect(() => openRateCardFiles(zip)).toThrow(
      `${zip} is refused: expected CSV files in one folder, found several folders: new, old`,
    )
    const twice = zipWith('twice', { 'card/rates.csv': strToU8('a'), 'card\\rates.csv': strToU8('b') })
    expect(() => openRateCardFiles(twice)).toThrow(
      `${twice} is refused: expected each file once, found two called rates.csv`,
    )
  })

  test('is refused with too many entries', () => {
    const names = Array.from({ length: MAX_CARD_ENTRIES + 1 }, (_, index) => `${index}.csv`)
    const zip = zipWith('many', Object.fromEntries(names.map((name) => [name, strToU8('a')])))
    expect(() => openRateCardFiles(zip)).toThrow(
      `${zip} is refused: expected at most 64 entries in the zip, found 65`,
    )
  })

  test('is refused if its declared size is above the limit, or is wrong', () => {
    const bytes = zipSync({ 'rates.csv': strToU8('product_id\n'.repeat(1_000)) })
    const file = path.join(room, 'bomb.zip')
    const refusalOf = (claimed: number): string => {
      writeFileSync(file, claimBytes(bytes, claimed))
      try {
        openRateCardFiles(file)
      } catch (error) {
        return (error as Error).message.replace(`${file} is refused: `, '')
      }
      return 'read'
    }
    expect(refusalOf(11_000)).toBe('read')
    expect(refusalOf(MAX_FILE_BYTES + 1)).toBe('expected at most 64 MiB of CSV files, found 67,108,865 bytes')
    const sound = 'expected a zip that is not damaged, found'
    expect(refusalOf(12_000)).toBe(
      `${sound} rates.csv, which unpacks to 11,000 bytes instead of the 12,000 bytes it declares`,
    )
    expect(refusalOf(10_999)).toBe(
      `${sound} rates.csv, which unpacks to more than the 10,999 bytes it declares`,
    )
  })

  test('is refused if it is cut off or not a zip', () => {
    const file = path.join(room, 'cut.zip')
    writeFileSync(file, zipSync(zippable).subarray(0, 200))
    expect(() => openRateCardFiles(file)).toThrow(
      `${file} is refused: expected a zip that is not damaged, found no directory`,
    )
    writeFileSync(file, 'product_id,zone\n')
    expect(() => openRateCardFiles(file)).toThrow(`${file} is neither a folder nor a zip`)
    expect(() => openRateCardFiles(path.join(room, 'absent'))).toThrow(/absent does not exist$/)
  })
})
