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
    expect(found.filter((place) => place === 0).length).toBeGreaterThan(0.88 * rows.length)
    expect(found.filter((place) => place >= 0).length).toBeGreaterThan(0.96 * rows.length)
  })
})

describe('words with several meanings', () => {
  test.each([
    ['French', 'Bracelet cheville femme', '7117'],
    ['French', 'Moules à muffins silicone', '3924'],
    ['French', 'Escarpins vernis noirs', '6402'],
    ['French', 'Robe rose femme', '6204'],
    ['French', 'Lentille macro pour smartphone', '8517'],
    ['French', 'Sucette silicone 0-6 mois', '3924'],
    ['German', 'Birne E14 LED', '8539'],
    ['German', 'Wimpernzange', '8214'],
    ['German', 'Kümmel ganz', '0909'],
    ['German', 'Maiskolben', '2005'],
    ['German', 'Kissen pflaumenblau', '9404'],
    ['German', 'Schuhe sandfarben', '6402'],
    ['German', 'Ohrringe goldfarben', '7117'],
    ['Spanish', 'Suavizante para el cabello', '3305'],
    ['Spanish', 'Fresas de carburo para madera', '8207'],
    ['Spanish', 'Zapatillas rosa mujer', '6404'],
    ['Italian', 'Scarpe rosa donna', '6402'],
    ['Italian', 'Cialde compatibili Nespresso', '0901'],
    ['Italian', 'Buste sottovuoto', '3923'],
    ['Italian', 'Lettino da spiaggia', '9401'],
    ['Dutch', 'Roze jurk meisjes', '6204'],
    ['Dutch', 'Kruimelzuiger', '8508'],
    ['Dutch', 'Bladzuiger elektrisch', '8467'],
    ['Polish', 'Sukienka malinowa', '6204'],
    ['German', 'Fahrwerksfedern', '7320'],
    ['Dutch', 'Drukveren', '7320'],
    ['English', 'Coffee grind setting', '0901'],
    ['English', 'Keith Haring poster', '4911'],
    ['English', 'Albert Einstein t-shirt', '6109'],
    ['English', 'Arena swimming goggles', '9004'],
    ['English', 'Frank Zappa vinyl record', '8523'],
    ['English', 'cerise pink dress', '6204'],
  ])('%s: %s', (_, title, heading) => {
    expect(classify(loadLexicon(), title, 1)[0]?.code.slice(0, 4)).toBe(heading)
  })

  test.each([
    'erotisch',
    'stressen',
    'Geschenk',
    'misc',
    'Gift',
    'regalo',
    '12345',
  ])('"%s" names no goods that are known', (title) => {
    expect(classify(loadLexicon(), title, 1)).toEqual([])
  })
})
