/** Reading of imported files up to the limit, even if the size is unknown beforehand. */
import { existsSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readImportFile } from '../../../src/reference/import/import-limits.ts'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'

let folder: string
beforeAll(() => {
  folder = makeThrowAwayFolder()
})
afterAll(() => rmSync(folder, { recursive: true }))

test('reads files up to the limit', () => {
  const file = path.join(folder, 'a.csv')
  for (const size of [0, 1, 65_536, 65_537, 1_000_000]) {
    writeFileSync(file, Buffer.alloc(size, 'a'))
    expect(readImportFile(file, 1_000_000).equals(Buffer.alloc(size, 'a'))).toBe(true)
  }
  expect(() => readImportFile(file, 999_999)).toThrow(
    `${file} has 1,000,000 bytes; the limit is 999,999 bytes`,
  )
})

test('refuses a larger file without reading it', () => {
  const file = path.join(folder, 'sparse.csv')
  writeFileSync(file, '')
  truncateSync(file, 64 * 1024 * 1024 + 1)
  expect(() => readImportFile(file)).toThrow(`${file} has 67,108,865 bytes; the limit is 64 MiB`)
})

test.skipIf(!existsSync('/dev/zero'))('a file without a known size is read no further than the limit', () => {
  expect(() => readImportFile('/dev/zero', 1024 * 1024)).toThrow(
    '/dev/zero has more than 1 MiB; the limit is 1 MiB',
  )
})

test('refuses a folder and a file that does not exist', () => {
  const inner = path.join(folder, 'inner')
  mkdirSync(inner)
  expect(() => readImportFile(inner)).toThrow(`${inner} is not a file`)
  expect(() => readImportFile(`${inner}/none`)).toThrow(`${inner}/none does not exist`)
})
