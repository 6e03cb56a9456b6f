/** The labelled titles that `npm run bench:classify` measures the classifier with. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { agree, readTitles } from './labelled-titles.ts'

const titles = readTitles()
const codes = new Set(
  readFileSync(new URL('../../../src/reference/hs2022-codes.txt', import.meta.url), 'utf8').split('\n'),
)

describe('labelled titles', () => {
  test('have codes of HS 2022, and are different from each other', () => {
    expect(titles.flatMap((title) => title.codes).filter((code) => !codes.has(code))).toEqual([])
    for (const property of ['id', 'title'] as const)
      expect(new Set(titles.map((title) => title[property])).size).toBe(600)
  })

  test('have the agreement that the page on benchmarks reports', () => {
    expect([6, 4, 2].map((digits) => titles.filter((title) => agree(title, digits)).length)).toEqual([
      565, 575, 584,
    ])
    expect(titles.filter(({ isSure }) => isSure)).toHaveLength(385)
  })

  test('are held back by half, and always the same ones', () => {
    const agreed = titles.filter((title) => agree(title, 6))
    expect(agreed.filter(({ isHeldBack }) => isHeldBack)).toHaveLength(284)
    expect(titles.slice(0, 8).map(({ isHeldBack }) => isHeldBack)).toMatchInlineSnapshot(`
      [
        false,
        false,
        false,
        true,
        false,
        true,
        false,
        false,
      ]
    `)
  })
})
