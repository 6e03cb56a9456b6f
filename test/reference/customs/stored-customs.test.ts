/** The stored form of the shipped customs data. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'
import { SHIPPED_INPUTS, type ShippedCustoms } from '../../../src/reference/customs.ts'
import { decodeCustoms, encodeCustoms } from '../../../src/reference/packed-customs.ts'

const folder = mkdtempSync(join(tmpdir(), 'waybill-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const store = pathToFileURL(`${join(folder, 'store')}/`)

/** The module without the data that it keeps in memory. */
async function freshModule(): Promise<typeof import('../../../src/reference/customs.ts')> {
  vi.resetModules()
  return import('../../../src/reference/customs.ts')
}

test('the stored rows are those of the files, and are read once per process', async () => {
  const fromFiles = (await freshModule()).shippedCustoms(store)
  const [stored, ...others] = readdirSync(store)
  expect([stored?.endsWith('.bin'), others]).toEqual([true, []])
  const { shippedCustoms } = await freshModule()
  const fromStore = shippedCustoms(store)
  expect(fromStore.dataSets).toEqual(fromFiles.dataSets)
  expect(bytesOf(fromStore).equals(bytesOf(fromFiles))).toBe(true)
  expect(shippedCustoms(store).tables).toBe(fromStore.tables)
})

function bytesOf({ dataSets, tables }: ShippedCustoms): Buffer {
  return Buffer.from(encodeCustoms({ head: dataSets, tables }))
}

test('a damaged file is not used but replaced', async () => {
  const [stored] = readdirSync(store)
  const file = new URL(stored!, store)
  const bytes = readFileSync(file)
  const damaged = Buffer.from(bytes).fill(0, 5_000, 5_100)
  expect(() => decodeCustoms(damaged)).toThrow('damaged')
  expect(() => decodeCustoms(bytes.subarray(0, bytes.length - 1))).toThrow('damaged')
  expect(() => decodeCustoms(Buffer.alloc(0))).toThrow('damaged')
  writeFileSync(file, damaged)
  const { shippedCustoms } = await freshModule()
  expect(shippedCustoms(store).dataSets.length).toBeGreaterThan(20)
  expect(readFileSync(file).equals(bytes)).toBe(true)
})

test('the files are packed again after a change in any module that packs them', () => {
  const inputs = new Set(SHIPPED_INPUTS.map(({ href }) => href))
  const files = importedFiles(new URL('../../../src/reference/customs.ts', import.meta.url))
  expect(files.length).toBeGreaterThan(20)
  expect(
    files.filter((file) => !inputs.has(new URL('./', file).href)).map(({ pathname }) => pathname),
  ).toEqual([])
})

/** A module and all modules that it imports at run time, directly or not. */
function importedFiles(file: URL, found = new Map<string, URL>()): readonly URL[] {
  if (found.has(file.href)) return []
  found.set(file.href, file)
  const text = readFileSync(file, 'utf8')
  for (const [, path] of text.matchAll(/^(?:import|export) (?!type )[^;]*? from '(\.[^']+)'/gms))
    importedFiles(new URL(path!, file), found)
  return [...found.values()]
}
