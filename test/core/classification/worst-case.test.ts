/** The cost of the most expensive texts. Work is counted, not timed, so the tests do not depend on the machine. */
import { describe, expect, it, vi } from 'vitest'
import type { LexiconEntry } from '../../../src/core/classification/lexicon.ts'
import { readLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { startCounting } from './counted-work.ts'
import { hardTexts, hardWords } from './hard-texts.ts'

// Counting must start before the code is loaded.
const countWork = startCounting('/src/core/classification/')
const { classify } = await import('../../../src/core/classification/classify.ts')
const { compileLexicon, openLexicon } = await import('../../../src/core/classification/compile-lexicon.ts')
const { findPhrases, MAX_MATCHES, phraseAt, phrasesOf } = await import(
  '../../../src/core/classification/phrase-index.ts'
)

const MOST_CANDIDATES = 20
const source = readLexicon()
const shipped = compileLexicon(source)
type Lexicon = typeof shipped

/** Blocks executed for one text whose words the lexicon has not read before. */
function workFor(lexicon: Lexicon, text: string): number {
  const reopened = openLexicon(lexicon)
  return countWork(() => classify(reopened, text, MOST_CANDIDATES))
}

const matchesIn = (lexicon: Lexicon, text: string) =>
  findPhrases(lexicon.index, lexicon.weights, lexicon.read(text), lexicon.isPresent)

/** The word with number `nth`: "bab", "cac". Such words are not similar to each other. */
const word = (nth: number): string => {
  const letter = 'bcdfghjklmnpqrtvw'
  return `${letter[nth % 17]}${'aeiou'[Math.floor(nth / 17) % 5]}${letter[(nth * 7 + Math.floor(nth / 85)) % 17]}`
}
const words = (count: number): string[] => Array.from({ length: count }, (_, nth) => word(nth))

const lexiconOf = (terms: readonly string[], possibleTerms: readonly string[] = []): Lexicon => {
  const entry = (code: string, some: Partial<LexiconEntry>): LexiconEntry => ({
    ...{ code, label: 'Goods', terms: [], possibleTerms: [] },
    ...some,
  })
  return compileLexicon(plainLexicon([entry('660199', { terms }), entry('640411', { possibleTerms })]))
}

const pairsOf = (list: readonly string[]): string[] =>
  list.flatMap((first, nth) => list.slice(nth + 1).map((second) => `${first} ${second}`))

describe('the work for a text', () => {
  it('grows linearly with the matches if every two words of the text are a term', () => {
    const perFind = (count: number): number => {
      const lexicon = lexiconOf(pairsOf(words(count)))
      const text = words(count).join(' ')
      const matches = matchesIn(lexicon, text).length
      expect(matches).toBe((count * (count - 1)) / 2)
      return workFor(lexicon, text) / matches
    }
    // Each match is compared with those that share a word with it: 22 / 16. With all matches it would be 231 / 120.
    expect(perFind(22)).toBeLessThan((22 / 16) * perFind(16))
  })

  it('grows linearly with the matches if all of them share a word', () => {
    const workOf = (count: number): number => {
      const lexicon = lexiconOf(words(count).map((text) => `${text} machine`))
      const text = [...words(count), 'machine'].join(' ')
      expect(matchesIn(lexicon, text)).toHaveLength(count)
      return workFor(lexicon, text)
    }
    expect(workOf(100)).toBeLessThan(2.4 * workOf(50))
  })

  it('grows linearly with the misspelt words', () => {
    const { long } = hardWords(source)
    const slips = long
      .filter((text) => text.startsWith('s') && text.length === 7)
      .map((text) => `${text.slice(0, 4)}q${text.slice(5)}`)
    const idle = workFor(shipped, 'q')
    const few = workFor(shipped, slips.slice(0, 25).join(' ')) - idle
    const many = workFor(shipped, slips.slice(0, 50).join(' ')) - idle
    expect(few).toBeGreaterThan(0)
    expect(many).toBeLessThan(2.4 * few)
  })

  it('is bounded for adversarial texts', () => {
    const works = [1, 2]
      .flatMap((seed) => hardTexts(hardWords(source), seed))
      .map(({ recipe, text }) => ({ recipe, work: workFor(shipped, text) }))
      .sort((a, b) => b.work - a.work)
    expect(works[0]).toSatisfy(({ work }: { work: number }) => work < 300_000)
    // Proves that the recipes are expensive: an ordinary title takes about 40,000.
    expect(works[0]!.work).toBeGreaterThan(3 * workFor(shipped, "men's cotton t-shirt, blue"))
  })
})

describe('a long word', () => {
  /** The number of letters of all words that are looked up. */
  const lettersLookedUp = (text: string): number => {
    classify(shipped, text, MOST_CANDIDATES)
    let letters = 0
    const get = Map.prototype.get
    const spy = vi.spyOn(Map.prototype, 'get').mockImplementation(function (
      this: Map<unknown, unknown>,
      key,
    ) {
      if (typeof key === 'string') letters += key.length
      return get.call(this, key)
    })
    classify(shipped, text, MOST_CANDIDATES)
    spy.mockRestore()
    return letters
  }

  it.each([
    ['a letter of the alphabet', 'x'],
    ['a syllable that becomes three letters without its accents', '한'],
    ['a letter outside the Basic Multilingual Plane', '\u{20000}'],
  ])('is not split at every position: %s', (_, letter) => {
    const letters = lettersLookedUp(letter.repeat(500))
    expect(letters).toBeGreaterThan(500)
    expect(letters).toBeLessThan(40_000)
    expect(letters).toBeLessThan(2.4 * lettersLookedUp(letter.repeat(250)))
  })

  it('is split if both parts are as long as the longest known word', () => {
    const [first, last] = ['abcdefghijkl', 'mnopqrstuvwx']
    const lexicon = lexiconOf([`${first} ${last}`, 'tie'])
    expect(classify(lexicon, first + last, 1)[0]?.matchedTerms).toEqual([`${first} ${last}`])
  })
})

describe('the matches in a text', () => {
  it('are limited to those with the highest scores', () => {
    const pairs = pairsOf(words(30))
    const possible = pairs.filter((_, nth) => nth % 4 === 0)
    const plain = pairs.filter((_, nth) => nth % 4 !== 0)
    expect(plain.length).toBeGreaterThan(MAX_MATCHES)
    const matches = matchesIn(lexiconOf(plain, possible), words(30).join(' '))
    expect(matches).toHaveLength(MAX_MATCHES)
    // A possible term scores less than any usual one.
    expect(matches.filter(({ phrase }) => phrase.goods.possible)).toEqual([])
  })

  it('keep their order if some are left out', () => {
    const lexicon = lexiconOf(pairsOf(words(30)))
    const { starts, phrases } = lexicon.index.byRarestWord
    const inOrder = words(30).flatMap((text) => {
      const number = lexicon.index.vocabulary.numbers.get(text)!
      const numbers = [...phrases.slice(starts[number], starts[number + 1])]
      return numbers.map((phrase) => phraseAt(lexicon.index, phrase).term)
    })
    const places = matchesIn(lexicon, words(30).join(' ')).map(({ phrase }) => inOrder.indexOf(phrase.term))
    expect(places).not.toContain(-1)
    expect(places).toHaveLength(MAX_MATCHES)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it('use the earlier of two equally close words', () => {
    expect(matchesIn(lexiconOf(['kem dap']), 'kem bab cec dap kem').map(({ at }) => at)).toEqual([[0, 3]])
    expect(matchesIn(lexiconOf(['kem dap']), 'kem bab cec fif dap kem').map(({ at }) => at)).toEqual([[4, 5]])
  })

  it('exclude terms of generic words only', () => {
    const lexicon = lexiconOf(['gift', 'gift item', 'gift umbrella'])
    expect(matchesIn(lexicon, 'gift item umbrella').map(({ phrase }) => phrase.term)).toEqual([
      'gift umbrella',
    ])
  })

  it('are far fewer than the limit in texts of ordinary terms', () => {
    const dice = diceOf(7)
    const phrases = phrasesOf(shipped.index)
    const counts = Array.from({ length: 300 }, () => {
      let text = ''
      while (text.length < 200) text += ` ${dice.pick(phrases).term}`
      return matchesIn(shipped, text.slice(0, 200)).length
    })
    expect(Math.max(...counts)).toBeGreaterThan(20)
    expect(Math.max(...counts)).toBeLessThan(MAX_MATCHES / 2)
  })
})

describe('the answer to a hard text', () => {
  it('has at most twenty candidates, and each has at most five terms', () => {
    const pairs = pairsOf(words(10))
    const entries = pairs.map((term, nth) => ({
      ...{ code: String(100_000 + 10_000 * (nth % 40)), label: 'Goods', terms: [term], possibleTerms: [] },
    }))
    const lexicon = compileLexicon(
      plainLexicon([...entries, ...entries.map((entry) => ({ ...entry, code: '990000' }))]),
    )
    const candidates = classify(lexicon, words(10).join(' '), 100)
    expect(candidates).toHaveLength(20)
    expect(Math.max(...candidates.map(({ matchedTerms }) => matchedTerms.length))).toBe(5)
  })
})
