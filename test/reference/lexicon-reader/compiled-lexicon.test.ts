import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { classify } from '../../../src/core/customs/classification/classify.ts'
import { compileLexicon } from '../../../src/core/customs/classification/compile-lexicon.ts'
import { loadLexicon, readLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'

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

const results = (lexicon: ReturnType<typeof loadLexicon>) =>
  DESCRIPTIONS.map((description) => classify(lexicon, description, 5))

test('a stored lexicon classifies as the compiled one', () => {
  const expected = results(compileLexicon(readLexicon()))
  expect(results(loadLexicon(store))).toEqual(expected)
  expect(readdirSync(store)).toHaveLength(1)
  expect(results(loadLexicon(store))).toEqual(expected)
})

test('replaces the files of earlier versions', () => {
  rmSync(store, { recursive: true, force: true })
  loadLexicon(store)
  const [current] = readdirSync(store)
  rmSync(new URL(current!, store))
  writeFileSync(new URL('0123.bin', store), 'of an earlier version')
  loadLexicon(store)
  expect(readdirSync(store)).toEqual([current])
})

test('compiles the lexicon if the stored file is damaged, or the folder cannot be written', () => {
  loadLexicon(store)
  const [current] = readdirSync(store)
  writeFileSync(new URL(current!, store), 'damaged')
  expect(loadLexicon(store).codes.length).toBeGreaterThan(1000)
  writeFileSync(join(folder, 'file'), '')
  expect(loadLexicon(pathToFileURL(`${join(folder, 'file')}/store/`)).codes.length).toBeGreaterThan(1000)
})
