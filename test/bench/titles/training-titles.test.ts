/** The titles that the text model is trained on, and the fresh titles that the page on benchmarks reports. */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { classify } from '../../../src/core/classification/classify.ts'
import { loadLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { readOwnTitles } from '../../../tools/train-words.ts'
import { readTitles } from './labelled-titles.ts'

type Row = { readonly description: string; readonly hs6: string }

function rowsOf(file: string): readonly Row[] {
  return parse(readFileSync(new URL(file, import.meta.url)), { columns: true })
}

const titles = readOwnTitles()
const fresh = rowsOf('fresh.csv')
const OTHERS = ['fresh-shops.csv', 'fresh-development.csv', 'other-languages.csv']
const codes = new Set(
  readFileSync(new URL('../../../src/reference/hs2022-codes.txt', import.meta.url), 'utf8').split('\n'),
)
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim()

test('titles of the training have codes of HS 2022, and none is a title that is measured', () => {
  expect(titles.length).toBeGreaterThan(100_000)
  expect(titles.filter(({ code }) => !codes.has(code))).toEqual([])
  const measured = new Set(
    [
      ...[fresh, ...OTHERS.map(rowsOf)].flat().map(({ description }) => description),
      ...readTitles().map(({ title }) => title),
    ].map(bare),
  )
  expect(titles.filter(({ text }) => measured.has(bare(text)))).toEqual([])
})

test('fresh titles are mostly classified right', () => {
  const lexicon = loadLexicon()
  const places = fresh.map(({ description, hs6 }) =>
    classify(lexicon, description, 3).findIndex(({ code }) => code === hs6),
  )
  expect(places.filter((place) => place === 0).length).toBeGreaterThan(0.85 * fresh.length)
  expect(places.filter((place) => place >= 0).length).toBeGreaterThan(0.93 * fresh.length)
})
