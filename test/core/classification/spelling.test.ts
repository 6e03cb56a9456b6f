/** Spelling correction: which typos are corrected, and which words stay as they are. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import { correctSpelling, spellingsOf } from '../../../src/core/classification/text/vocabulary.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'

const words = (...known: readonly string[]) => spellingsOf(known)
const KNOWN = words('umbrella', 'leopard', 'jacket', 'necklace', 'shirt', 'keyboard', 'sock')

describe('a typo', () => {
  it.each([
    ['umbrela', 'umbrella', 'a letter missing'],
    ['umbrellla', 'umbrella', 'a letter doubled'],
    ['ujmbrella', 'umbrella', 'a letter too many'],
    ['keyboar', 'keyboard', 'the last letter missing'],
    ['keyboards', 'keyboard', 'a letter too many at the end'],
    ['shirtt', 'shirt', 'a letter too many in a word of five'],
    ['jakcet', 'jacket', 'two neighbours swapped'],
    ['keyboadr', 'keyboard', 'the last two swapped'],
    ['shrit', 'shirt', 'two neighbours of a word of five swapped'],
  ])('%s is %s: %s', (slip, meant) => {
    expect(correctSpelling(KNOWN, slip, false)).toBe(meant)
  })

  it.each([
    ['umbela', 'two letters missing'],
    ['jakcett', 'two slips'],
    ['jmbrella', 'the first letter wrong'],
    ['tejack', 'the parts turned round'],
    ['neklcace', 'a letter moved by two places'],
    ['xylophone', 'another word'],
    ['', 'nothing at all'],
  ])('%s is not corrected: %s', (word) => {
    expect(correctSpelling(KNOWN, word, false)).toBeUndefined()
  })

  it('of any kind is corrected in any long word, and only to a similar word', () => {
    const long = fc.string({ unit: fc.constantFrom(...'abdehilnort'), minLength: 7, maxLength: 12 })
    const place = fc.integer({ min: 1, max: 5 })
    fc.assert(
      fc.property(long, place, fc.constantFrom(...'qwx'), (word, at, letter) => {
        const slips = [
          word.slice(0, at) + word.slice(at + 1),
          word.slice(0, at) + letter + word.slice(at),
          word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
        ]
        for (const slip of slips) {
          if (slip !== word) expect(correctSpelling(words(word), slip, false), slip).toBe(word)
        }
        expect(correctSpelling(words(word), `${letter}${slips[0]}`, false)).toBeUndefined()
        expect(correctSpelling(words(word), `${slips[1]}q`, false)).toBeUndefined()
      }),
    )
  })
})

describe('many known words', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcs'), minLength: 4, maxLength: 8 })

  it('give the only similar word, as if each word were known alone', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(letters, { maxLength: 40 }),
        letters,
        fc.boolean(),
        (known, word, mayBeCut) => {
          const near = known.filter((other) => correctSpelling(words(other), word, false) !== undefined)
          const begun = mayBeCut
            ? known.filter((other) => correctSpelling(words(other), word, true) !== undefined)
            : []
          const meant =
            near.length === 1 ? near : begun.filter((other) => other.startsWith(word) && other !== word)
          expect(correctSpelling(words(...known), word, mayBeCut)).toBe(
            meant.length === 1 ? meant[0] : undefined,
          )
        },
      ),
    )
  })
})

describe('a replaced letter', () => {
  it.each([
    ['nacklace', 'necklace', 'a vowel for a vowel'],
    ['umbrelly', 'umbrella', 'y for a vowel'],
    ['jaccet', 'jacket', 'c for k'],
    ['nesklace', 'necklace', 's for c'],
    ['wafes', 'waves', 'f for v'],
    ['hanger', 'hamger', 'n for m'],
    ['pajamas', 'pagamas', 'j for g'],
  ])('is corrected if it sounds similar: %s is %s (%s)', (slip, meant) => {
    expect(correctSpelling(words(meant), slip, false)).toBe(meant)
  })

  it.each([
    ['leopard', 'leotard'],
    ['jacket', 'jabket'],
    ['sandal', 'sanral'],
    ['candle', 'cantle'],
    ['waver', 'water'],
    ['sugary', 'subary'],
    ['hanger', 'hamper'],
  ])('makes another word otherwise: %s is not %s', (known, other) => {
    expect(correctSpelling(words(known), other, false)).toBeUndefined()
    expect(correctSpelling(words(other), known, false)).toBeUndefined()
  })
})

describe('a word that is similar to two words', () => {
  it('is not corrected', () => {
    expect(correctSpelling(words('ladder', 'lander'), 'lader', false)).toBeUndefined()
    expect(correctSpelling(words('ladder'), 'lader', false)).toBe('ladder')
    expect(correctSpelling(words('marble', 'merble'), 'mirble', false)).toBeUndefined()
  })

  it('is completed if it was cut off and only one word begins with it', () => {
    expect(correctSpelling(words('headphone', 'headpiece'), 'headp', true)).toBeUndefined()
    expect(correctSpelling(words('headphone', 'headpiece'), 'headpi', true)).toBe('headpiece')
  })
})

describe('a last word that was cut off', () => {
  const known = words('headphone', 'refrigerator', 'umbrella')

  it('is completed to the only word that begins with it', () => {
    expect(correctSpelling(known, 'headp', true)).toBe('headphone')
    expect(correctSpelling(known, 'refrige', true)).toBe('refrigerator')
  })

  it('is not completed inside a text, if it is very short, or if most of it is missing', () => {
    expect(correctSpelling(known, 'headp', false)).toBeUndefined()
    expect(correctSpelling(known, 'head', true)).toBeUndefined()
    expect(correctSpelling(known, 'refri', true)).toBeUndefined()
    expect(correctSpelling(known, 'refrig', true)).toBe('refrigerator')
  })

  it('is not completed to a word that ends with it or contains it', () => {
    expect(correctSpelling(known, 'phone', true)).toBeUndefined()
    expect(correctSpelling(known, 'umbrellas stand', true)).toBeUndefined()
  })
})

describe('a short word', () => {
  it('is not corrected, and nothing is corrected to it', () => {
    const known = words('sock', 'shoe', 'shirt', 'tie')
    for (const word of ['soc', 'scok', 'sohe', 'shrt', 'shi', 'tye']) {
      expect(correctSpelling(known, word, true), word).toBeUndefined()
    }
    expect(correctSpelling(known, 'socks', false)).toBeUndefined()
  })

  it('of five letters is not corrected by adding or removing a letter', () => {
    expect(correctSpelling(words('shirt'), 'shirts', false)).toBe('shirt')
    expect(correctSpelling(words('shir'), 'shirt', false)).toBeUndefined()
  })
})

describe('a misspelt description', () => {
  const lexicon = compileLexicon(
    plainLexicon([
      { code: '660199', label: 'Umbrellas', terms: ['umbrella'], possibleTerms: [] },
      { code: '420310', label: 'Jackets', terms: ['leather jacket'], possibleTerms: [] },
      { code: '611430', label: 'Leotards', terms: ['leotard'], possibleTerms: [] },
      { code: '851830', label: 'Headphones', terms: ['headphones'], possibleTerms: [] },
    ]),
  )
  const first = (text: string) => classify(lexicon, text, 1)[0]

  it.each([
    ['umbrela', '660199'],
    ['lether jakcet', '420310'],
    ['wireless headph', '851830'],
  ])('finds its goods: %s', (text, code) => {
    expect(first(text)?.code).toBe(code)
  })

  it.each([
    'leopard',
    'headph wireless',
    'jack',
    'umbrela1',
  ])('finds nothing if it is too different: %s', (text) => {
    expect(first(text)).toBeUndefined()
  })

  it('is less confident than one without a typo', () => {
    expect(first('umbrela')!.confidence).toBeLessThan(first('umbrella')!.confidence)
  })
})
