/** The files of a rate card out of folders and zips, and what is refused before anything is unpacked. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { afterAll, describe, expect, test } from 'vitest'
import { readRateCard } from '../../src/reference/rate-card-csv.ts'
import {
  MAX_UNPACKED_BYTES,
  MAX_ZIP_ENTRIES,
  openRateCardFiles,
} from '../../src/reference/rate-card-files.ts'
import { filesOf, SMALL_CARD } from '../support/card-files.ts'

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

/** Writes over the size that a zip's directory claims for its only entry. */
function claimBytes(zip: Uint8Array, bytes: number): Uint8Array {
  const view = new DataView(zip.buffer, zip.byteOffset, zip.byteLength)
  const directory = view.getUint32(zip.length - 22 + 16, true)
  view.setUint32(directory + 24, bytes, true)
  return zip
}

describe('a folder', () => {
  test('gives its CSV files and passes over the rest', () => {
    const folder = folderWith('plain', files)
    writeFileSync(path.join(folder, 'README.md'), 'x')
    writeFileSync(path.join(folder, '.rates.csv'), 'x')
    expect([...openRateCardFiles(folder).keys()]).toEqual([...files.keys()].sort())
  })

  test('without CSV files is refused', () => {
    const folder = folderWith('empty', new Map([['rates.xlsx', strToU8('x')]]))
    expect(() => openRateCardFiles(folder)).toThrow(`${folder} holds no CSV files`)
  })
})

describe('a zip', () => {
  test('reads as its folder does, also when the files lie in one folder of it', () => {
    const plain = readRateCard(openRateCardFiles(folderWith('again', files))).card
    expect(plain).toBeDefined()
    expect(readRateCard(openRateCardFiles(zipWith('flat', zippable))).card).toEqual(plain)
    expect(readRateCard(openRateCardFiles(zipWith('nested', { 'card 2027': zippable }))).card).toEqual(plain)
    const windows = Object.fromEntries([...files].map(([name, bytes]) => [`card\\${name}`, bytes]))
    expect(readRateCard(openRateCardFiles(zipWith('windows', windows))).card).toEqual(plain)
  })

  test('passes over what macOS adds, dot files and other kinds of files', () => {
    const junk = strToU8('x')
    const zip = zipWith('mac', {
      card: { ...zippable, '.rates.csv': junk, 'notes.txt': junk },
      __MACOSX: { card: { '._rates.csv': junk, 'rates.csv': junk } },
    })
    expect([...openRateCardFiles(zip).keys()]).toEqual([...files.keys()])
  })

  test('with CSV files in several folders is refused', () => {
    const zip = zipWith('two', { old: zippable, new: zippable })
    expect(() => openRateCardFiles(zip)).toThrow(`${zip} has CSV files in several folders: new, old`)
  })

  test('with more entries than a card can have is refused', () => {
    const names = Array.from({ length: MAX_ZIP_ENTRIES + 1 }, (_, index) => `${index}.csv`)
    const zip = zipWith('many', Object.fromEntries(names.map((name) => [name, strToU8('a')])))
    expect(() => openRateCardFiles(zip)).toThrow(/is a zip that cannot be read: more than 64 entries/)
  })

  test('that would unpack to more than the limit is refused by its directory, and so is one that lies about it', () => {
    const bytes = zipSync({ 'rates.csv': strToU8('product_id\n'.repeat(100)) })
    const file = path.join(room, 'bomb.zip')
    writeFileSync(file, claimBytes(bytes, MAX_UNPACKED_BYTES + 1))
    expect(() => openRateCardFiles(file)).toThrow(`${file} is larger than 256 MiB`)
    writeFileSync(file, claimBytes(bytes, 5_000))
    expect(() => openRateCardFiles(file)).toThrow(`${file} is a damaged zip (rates.csv)`)
  })

  test('that is cut off, or none at all, is refused', () => {
    const file = path.join(room, 'cut.zip')
    writeFileSync(file, zipSync(zippable).subarray(0, 200))
    expect(() => openRateCardFiles(file)).toThrow(`${file} is a zip that cannot be read: invalid zip data`)
    writeFileSync(file, 'product_id,zone\n')
    expect(() => openRateCardFiles(file)).toThrow(`${file} is neither a folder nor a zip`)
    expect(() => openRateCardFiles(path.join(room, 'absent'))).toThrow(/absent does not exist$/)
  })
})
