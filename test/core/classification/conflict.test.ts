/** Descriptions that name two kinds of goods. */
import { describe, expect, test } from 'vitest'
import { interview } from '../../../src/core/classification/classify.ts'
import { loadLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'

const conflictIn = (description: string): boolean => interview(loadLexicon(), { description }, 1).hasConflict

describe('a conflict of head nouns', () => {
  test.each([
    'wool socks, leather wallet',
    'coffee mug and teddy bear',
    'trampoline umbrella',
  ])('is in %j', (text) => {
    expect(conflictIn(text)).toBe(true)
  })

  test.each([
    ['one kind of goods', 'wool socks'],
    ['goods of one heading', 'men’s suit jacket and blazer'],
    ['a component after "with"', 'phone with case'],
    ['what the goods are for', 'case for phone'],
    ['a material of the goods', 'leather wallet'],
    ['a word inside the name of the goods', 'coffee table'],
    ['no goods', 'asdfgh'],
  ])('is not in a text with %s', (_, text) => {
    expect(conflictIn(text)).toBe(false)
  })
})
