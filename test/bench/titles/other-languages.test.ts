/** The titles in six languages that the page on benchmarks reports. */
import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { describe, expect, test } from 'vitest'
import { classify } from '../../../src/core/classification/classify.ts'
import { loadLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { readTitles } from './labelled-titles.ts'

type Row = { readonly description: string; readonly hs6: string; readonly source: string }

const rows: readonly Row[] = parse(readFileSync(new URL('other-languages.csv', import.meta.url)), {
  columns: true,
})
const codes = new Set(
  readFileSync(new URL('../../../src/reference/hs2022-codes.txt', import.meta.url), 'utf8').split('\n'),
)

describe('titles in other languages', () => {
  test('have codes of HS 2022, and are different from each other and from the titles labelled twice', () => {
    expect(rows.filter(({ hs6 }) => !codes.has(hs6))).toEqual([])
    const titles = new Set([
      ...rows.map(({ description }) => description),
      ...readTitles().map(({ title }) => title),
    ])
    expect(titles.size).toBe(210 + 600)
    expect(new Set(rows.map(({ hs6 }) => hs6.slice(0, 2))).size).toBe(50)
  })

  test('are mostly classified right', () => {
    const lexicon = loadLexicon()
    const found = rows.map(({ description, hs6 }) =>
      classify(lexicon, description, 5).findIndex(({ code }) => code === hs6),
    )
    expect(found.filter((place) => place === 0).length).toBeGreaterThan(0.8 * rows.length)
    expect(found.filter((place) => place >= 0).length).toBeGreaterThan(0.88 * rows.length)
  })
})
