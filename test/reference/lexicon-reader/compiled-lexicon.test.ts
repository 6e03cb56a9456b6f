import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { deserialize } from 'node:v8'
import { afterAll, expect, test, vi } from 'vitest'
import { classify } from '../../../src/core/classification/classify.ts'
import {
  compileLexicon,
  compileLexiconData,
  type Lexicon,
} from '../../../src/core/classification/compile-lexicon.ts'
import { readLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { readTextModel } from '../../../src/reference/text-model/read-text-model.ts'

const folder = mkdtempSync(join(tmpdir(), 'waybill-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const store = pathToFileURL(`${join(folder, 'store')}/`)

const DESCRIPTIONS = [
  "men's cotton t-shirt",
  'Damenhandtasche aus Leder',
  'wireless mouse with charging cable',
  'coque de téléphone en silicone',
  'stainles steel watter bottle',
  'spare part for a bicycle',
]

/** Compiles once, because it takes seconds: what is tested is when a lexicon is compiled, and what is stored. */
let compiled: ReturnType<typeof compileLexiconData> | undefined
const compile = vi.fn<typeof compileLexiconData>((...given) => (compiled ??= compileLexiconData(...given)))
vi.doMock('../../../src/core/classification/compile-lexicon.ts', async (real) => ({
  ...(await real<object>()),
  compileLexiconData: compile,
}))

/** The module without the lexicon that it keeps in memory. */
async function freshModule(): Promise<typeof import('../../../src/reference/lexicon-reader/lexicon.ts')> {
  vi.resetModules()
  compile.mockClear()
  return import('../../../src/reference/lexicon-reader/lexicon.ts')
}

const loadFresh = async (from: URL): Promise<Lexicon> => (await freshModule()).loadLexicon(from)

const results = (lexicon: Lexicon) => DESCRIPTIONS.map((description) => classify(lexicon, description, 5))

test('a stored lexicon classifies as the compiled one, and is read once per process', async () => {
  const expected = results(compileLexicon(readLexicon(), undefined, readTextModel()))
  expect(results(await loadFresh(store))).toEqual(expected)
  expect(compile).toHaveBeenCalledOnce()
  expect(readdirSync(store)).toHaveLength(1)
  const { loadLexicon } = await freshModule()
  const stored = loadLexicon(store)
  expect(results(stored)).toEqual(expected)
  expect(compile).not.toHaveBeenCalled()
  // Not `toBe`, which would print both.
  expect(loadLexicon(store).index === stored.index).toBe(true)
})

/** The number of objects that reading a value creates. An array of numbers is one. */
function countObjects(value: unknown, found = new Set<object>()): number {
  if (typeof value !== 'object' || value === null || found.has(value)) return found.size
  found.add(value)
  if (ArrayBuffer.isView(value)) return found.size
  const parts = value instanceof Map || value instanceof Set ? [...value].flat() : Object.values(value)
  for (const part of parts) countObjects(part, found)
  return found.size
}

test('a stored lexicon has fewer objects than terms: most of the time of a start was spent on them', async () => {
  const { index } = await loadFresh(store)
  const [stored] = readdirSync(store)
  expect(countObjects(deserialize(readFileSync(new URL(stored!, store))))).toBeLessThan(
    index.phrases.goodsOf.length,
  )
})

test('replaces the files of earlier versions', async () => {
  rmSync(store, { recursive: true, force: true })
  await loadFresh(store)
  const [current] = readdirSync(store)
  rmSync(new URL(current!, store))
  writeFileSync(new URL('0123.bin', store), 'of an earlier version')
  await loadFresh(store)
  expect(compile).toHaveBeenCalledOnce()
  expect(readdirSync(store)).toEqual([current])
})

test('compiles the lexicon if the stored file is damaged, or the folder cannot be written', async () => {
  await loadFresh(store)
  const [current] = readdirSync(store)
  writeFileSync(new URL(current!, store), 'damaged')
  expect((await loadFresh(store)).codes.length).toBeGreaterThan(1000)
  expect(compile).toHaveBeenCalledOnce()
  writeFileSync(join(folder, 'file'), '')
  const unwritable = pathToFileURL(`${join(folder, 'file')}/store/`)
  expect((await loadFresh(unwritable)).codes.length).toBeGreaterThan(1000)
  expect(compile).toHaveBeenCalledOnce()
})
