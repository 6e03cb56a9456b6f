/** The stored form of the shipped customs data. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test, vi } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'waybill-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const store = pathToFileURL(`${join(folder, 'store')}/`)

/** The module without the data that it keeps in memory. */
async function freshModule(): Promise<typeof import('../../../src/reference/customs.ts')> {
  vi.resetModules()
  return import('../../../src/reference/customs.ts')
}

test('the stored rows are those of the files', async () => {
  const first = await freshModule()
  const fromFiles = first.shippedCustoms(store)
  const [stored, ...others] = readdirSync(store)
  expect([stored?.endsWith('.bin'), others]).toEqual([true, []])
  const second = await freshModule()
  const fromStore = second.shippedCustoms(store)
  expect(fromStore.dataSets).toEqual(fromFiles.dataSets)
  const textOf = (rows: unknown): string => JSON.stringify(rows)
  expect(textOf(second.readShippedCustomsData(fromStore))).toBe(
    textOf(first.readShippedCustomsData(fromFiles)),
  )
  expect(second.shippedCustoms(store).tables).toBe(fromStore.tables)
})

test('a damaged file is not used but replaced, and a folder that cannot be written has no effect', async () => {
  const [stored] = readdirSync(store)
  const file = new URL(stored!, store)
  const bytes = readFileSync(file)
  for (const damaged of [bytes.subarray(0, bytes.length - 1), Buffer.from(bytes).fill(0, 5_000, 5_100)]) {
    writeFileSync(file, damaged)
    const { shippedCustoms } = await freshModule()
    expect(shippedCustoms(store).dataSets.length).toBeGreaterThan(20)
    expect(readFileSync(file).equals(bytes)).toBe(true)
  }
  writeFileSync(join(folder, 'file'), '')
  const { shippedCustoms } = await freshModule()
  const unwritable = pathToFileURL(`${join(folder, 'file')}/store/`)
  expect(shippedCustoms(unwritable).dataSets.length).toBeGreaterThan(20)
})
