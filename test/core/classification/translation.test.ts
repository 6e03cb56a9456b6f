/** Translation to English: which words are translated, and that English texts do not change. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import type { LanguageWords } from '../../../src/core/classification/lexicon.ts'
import { rawWords } from '../../../src/core/classification/text/goods-text.ts'
import {
  dictionaryOf,
  type IsEnglish,
  translatorOf as openTranslator,
} from '../../../src/core/classification/text/translation.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'

const language = (name: string, phrases: Readonly<Record<string, string>>): LanguageWords => ({
  language: name,
  phrases: Object.entries(phrases).map(([foreign, english]) => ({ foreign, english })),
})

const GERMAN = language('german', {
  Hose: 'trousers',
  Herren: "men's",
  Damen: "women's",
  'kurze Hose': 'shorts',
  'kurze Hose mit Gürtel': 'belted shorts',
  kurze: 'short',
  schwarz: 'black',
  Gürtel: 'belt',
  Handtasche: 'handbag',
  Tasche: 'bag',
  Kinder: "children's",
  Schlafanzug: 'pyjamas',
  Anzug: 'suit',
  Schlauch: 'hose',
  Kissen: 'cushion',
  Bezug: 'cover',
  Zeitung: 'newspaper',
  Ständer: 'rack',
  Fußball: 'football',
  mit: 'with',
  rot: 'red',
  Bad: 'bath',
})
const FRENCH = language('french', {
  robe: 'dress',
  'robe de chambre': 'dressing gown',
  rouge: 'red',
  chaussures: 'shoes',
  'chemise de nuit': 'nightdress',
  chemise: 'shirt',
  enfant: "children's",
  tasche: 'pocket',
})
const ENGLISH = new Set(
  'garden hose robe rouge football shorts belt black red bag cover bath with for men'.split(' '),
)
function translatorOf(languages: readonly LanguageWords[], isEnglish: IsEnglish) {
  return openTranslator(languages.map(dictionaryOf), isEnglish)
}

const translate = translatorOf([GERMAN, FRENCH], (word) => ENGLISH.has(word))
const english = (text: string): string => translate(rawWords(text)).join(' ')

describe('phrases of another language', () => {
  it('are translated in place', () => {
    expect(english('Herren Schlafanzug XL')).toBe('mens pyjamas xl')
    expect(english('Samsung Handtasche 3 Gürtel')).toBe('samsung handbag 3 belt')
  })

  it('are translated as a whole, longest first', () => {
    expect(english('kurze Hose')).toBe('shorts')
    expect(english('kurze Hose mit Gürtel')).toBe('belted shorts')
    expect(english('kurze Hose mit Schlauch')).toBe('shorts with hose')
    expect(english('chemise de nuit')).toBe('nightdress')
    expect(english('chemise de chambre')).toBe('shirt de chambre')
  })

  it('do not match across a punctuation mark', () => {
    expect(english('kurze, Hose schwarz')).toBe('short , trousers black')
  })

  it('match with or without accents and in any case', () => {
    for (const text of ['Gürtel', 'GÜRTEL', 'gu\u0308rtel', 'gurtel']) expect(english(text)).toBe('belt')
    for (const text of ['Fußball', 'FUSSBALL', 'fussball']) expect(english(text)).toBe('football')
  })

  it('may translate to several English phrases', () => {
    const dutch = language('dutch', { servies: 'plates, bowls' })
    const only = translatorOf([dutch], () => false)
    expect(only(rawWords('groot servies blauw'))).toEqual(['groot', 'plates', ',', 'bowls', 'blauw'])
  })

  it('use the first translation if the same words are listed twice', () => {
    const twice = translatorOf(
      [language('first', { tas: 'bag' }), language('second', { tas: 'cup' })],
      () => false,
    )
    expect(twice(['tas'])).toEqual(['bag'])
  })
})

describe('a word that is also English', () => {
  it('is not translated in an English text', () => {
    for (const text of ['garden hose', 'hose', 'black robe for men', 'bath robe', 'rouge']) {
      expect(english(text), text).toBe(text)
    }
  })

  it('is translated if the other language explains more words of the text', () => {
    expect(english('Hose Herren schwarz')).toBe('trousers mens black')
    expect(english('robe rouge enfant')).toBe('dress red childrens')
  })

  it('is not translated if English explains as many words of the text', () => {
    expect(english('garden hose Schlauch')).toBe('garden hose hose')
    expect(english('black garden hose with Schlauch')).toBe('black garden hose with hose')
  })

  it('does not count as evidence for the other language', () => {
    const phrases = translatorOf([language('x', { 'garden robe': 'wrong', 'bath cover': 'wrong' })], (word) =>
      ENGLISH.has(word),
    )
    expect(phrases(rawWords('garden robe bath cover'))).toEqual(['garden', 'robe', 'bath', 'cover'])
  })

  it('is translated in a phrase with a word that is not English', () => {
    expect(english('garden hose belt black robe de chambre')).toBe('garden hose belt black dressing gown')
  })
})

describe('with several languages,', () => {
  it('the translator uses the language with the most known words of the text', () => {
    expect(english('chaussures enfant tasche')).toBe('shoes childrens pocket')
    expect(english('Kinder Tasche schwarz')).toBe('childrens bag black')
    expect(english('Kinder tasche chaussures enfant')).toBe('kinder pocket shoes childrens')
  })

  it('the translator uses the first language if several have equally many known words', () => {
    expect(english('tasche')).toBe('bag')
    expect(translatorOf([FRENCH, GERMAN], () => false)(['tasche'])).toEqual(['pocket'])
  })

  it('the translator ignores a language whose known words in the text are all English too', () => {
    const alike = language('english too', { garden: 'wrong', hose: 'wrong' })
    const spanish = language('spanish', { zapatos: 'shoes' })
    const both = translatorOf([alike, spanish], (word) => ENGLISH.has(word))
    expect(both(['garden', 'hose', 'zapatos'])).toEqual(['garden', 'hose', 'shoes'])
  })

  it('the text does not change if no language has a word of it', () => {
    expect(english('zapatos azules, 2')).toBe('zapatos azules , 2')
  })
})

describe('a compound', () => {
  it.each([
    ['Damenhandtasche', 'womens handbag'],
    ['Kinderschlafanzug', 'childrens pyjamas'],
    ['Kissenbezug', 'cushion cover'],
    ['Zeitungsständer', 'newspaper rack'],
    ['Herrengürtel rot', 'mens belt red'],
    ['Badbezug', 'bath cover'],
    ['Kinderkissenbezug', 'childrens cushion cover'],
    ['Damenhandtaschenständer', 'womens handbag rack'],
  ])('%s is translated by its parts: %s', (text, meant) => {
    expect(english(text)).toBe(meant)
  })

  it.each([
    'badhose',
    'Handtaschendeckel',
    'Bademantel',
    'herren2gurtel',
    'rokissen',
  ])('is not translated if a part is unknown or too short: %s', (word) => {
    expect(english(word)).toBe(word.toLowerCase())
  })

  it('has no articles and prepositions as parts', () => {
    const words = { ein: 'a', der: 'the', mit: 'with', Stein: 'stone', Platte: 'board', Laufbahn: 'track' }
    const translate = translatorOf([language('german', words)], () => false)
    expect(translate(['einstein', 'mitplatte', 'steinplatte'])).toEqual([
      'einstein',
      'mitplatte',
      'stone',
      'board',
    ])
  })

  it('that ends with a colour is a shade of it', () => {
    const words = { Pistazie: 'pistachio', grün: 'green', Gürtel: 'belt', Kerze: 'candle', Licht: 'light' }
    const translate = translatorOf([language('german', words)], () => false)
    expect(translate(['pistaziengrun', 'kerzenlicht'])).toEqual(['green', 'candle', 'light'])
  })

  it('begins with three letters only in languages that write compounds as one word', () => {
    const words = { Uva: 'grape', Corde: 'rope' }
    expect(translatorOf([language('dutch', words)], () => false)(['uvacorde'])).toEqual(['grape', 'rope'])
    expect(translatorOf([language('spanish', words)], () => false)(['uvacorde'])).toEqual(['uvacorde'])
  })

  it('is translated if its first part lost an "e", in languages that write compounds as one word', () => {
    const words = { Wolle: 'wool', Mütze: 'hat' }
    expect(translatorOf([language('german', words)], () => false)(['wollmutze'])).toEqual(['wool', 'hat'])
    expect(translatorOf([language('french', words)], () => false)(['wollmutze'])).toEqual(['wollmutze'])
  })

  it('is translated by the language that has all its parts, not by one that has its end', () => {
    const dutch = language('dutch', { laken: 'cloth' })
    const german = language('german', { Baumwolle: 'cotton', Bettlaken: 'bed sheet' })
    const both = translatorOf([dutch, german], () => false)
    expect(both(['baumwollbettlaken'])).toEqual(['cotton', 'bed', 'sheet'])
  })

  it('may be as long as the two longest words and their linking letters', () => {
    const [first, last] = ['abcdefghij', 'klmnopqrst']
    const translate = translatorOf([language('xx', { [first]: 'one', [last]: 'other' })], () => false)
    expect(translate([`${first}en${last}`])).toEqual(['one', 'other'])
    expect(translate([first + last])).toEqual(['one', 'other'])
  })

  it('is not split if the dictionary lists it', () => {
    const dictionary = language('xx', { ...{ handtasche: 'handbag', hand: 'hand', tasche: 'bag' } })
    expect(translatorOf([dictionary], () => false)(['handtasche'])).toEqual(['handbag'])
    expect(translatorOf([dictionary], (word) => word === 'taschehand')(['taschehand', 'hand'])).toEqual([
      'taschehand',
      'hand',
    ])
  })
})

describe('a word that is not listed', () => {
  it.each([
    ['Handtaschen', 'handbag'],
    ['schwarze Hosen', 'black trousers'],
    ['chaussure', 'shoes'],
  ])('is translated like a listed one with another ending: %s', (text, meant) => {
    expect(english(text)).toBe(meant)
  })

  it('is not translated if forms with different meanings have the same stem', () => {
    const translate = translatorOf([language('xx', { bolsa: 'bag', bolso: 'handbag' })], () => false)
    expect(translate(['bolsos'])).toEqual(['bolsos'])
  })

  it.each([
    ['Sporthandtasche', 'handbag'],
    ['Schneeanzug', 'suit'],
  ])('is translated by the end of the compound in German: %s', (text, meant) => {
    expect(english(text)).toBe(meant)
  })

  it('has no such end in French, and if it is shorter than five letters', () => {
    expect(english('autochemise')).toBe('autochemise')
    expect(english('Gartenhose')).toBe('gartenhose')
  })

  it('has such an end behind three letters only if they are an English word', () => {
    expect(english('Redkissen')).toBe('cushion')
    expect(english('Balkissen')).toBe('balkissen')
    expect(english('Ballkissen')).toBe('cushion')
  })

  it('is taken for a name in a text with English words', () => {
    expect(english('garden bag Handtaschen')).toBe('garden bag handtaschen')
    expect(english('garden bag Handtasche')).toBe('garden bag handbag')
  })
})

const ENTRIES = [
  { code: '391739', label: 'Hoses', terms: ['garden hose', 'hose'], possibleTerms: [] },
  { code: '620342', label: 'Trousers', terms: ['trousers', "men's trousers"], possibleTerms: [] },
  { code: '620349', label: 'Shorts', terms: ['shorts'], possibleTerms: [] },
  { code: '420222', label: 'Handbags', terms: ['handbag', "women's handbag"], possibleTerms: ['bag'] },
  { code: '620822', label: 'Robes', terms: ['bath robe', 'dressing gown'], possibleTerms: ['robe'] },
  { code: '620443', label: 'Dresses', terms: ['dress', 'red dress'], possibleTerms: [] },
  { code: '611120', label: 'Pyjamas', terms: ['pyjamas', "children's pyjamas"], possibleTerms: [] },
]
const plain = compileLexicon(plainLexicon(ENTRIES))
const polyglot = compileLexicon({ ...plainLexicon(ENTRIES), languages: [GERMAN, FRENCH] })
const best = (text: string): string | undefined => classify(polyglot, text, 3)[0]?.code

describe('a description in another language', () => {
  it.each([
    ['garden hose', '391739'],
    ['Hose', '391739'],
    ['Hose Herren', '620342'],
    ['Herrenhose schwarz', '620342'],
    ['Hose, schwarz, Herren', '620342'],
    ['kurze Hose', '620349'],
    ['Damenhandtasche', '420222'],
    ['Kinderschlafanzug', '611120'],
    ['red robe', '620822'],
    ['robe rouge enfant chaussures', '620443'],
    ['robe de chambre', '620822'],
    ['Nike Schlafanzug for kids', '611120'],
  ])('%s is %s', (text, code) => {
    expect(best(text)).toBe(code)
  })

  it('finds nothing without the language', () => {
    expect(classify(plain, 'Damenhandtasche', 3)).toEqual([])
    expect(classify(plain, 'Herren Schlafanzug', 3)).toEqual([])
  })

  it('gets the same answer as its English translation', () => {
    const [german] = classify(polyglot, 'Kinderschlafanzug', 1)
    expect(german).toEqual(classify(polyglot, "Children's pyjamas", 1)[0])
  })
})

describe('an English description', () => {
  const words = [...new Set(ENTRIES.flatMap(({ terms }) => terms.flatMap((term) => term.split(' '))))]
  const noise = ['for', 'with', 'and', 'new', 'red', 'black', 'XL', '2', ',', '(', '-']

  it('gets the same answer with and without other languages', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words, ...noise), { maxLength: 12 }), (list) => {
        const text = list.join(' ')
        expect(classify(polyglot, text, 5)).toEqual(classify(plain, text, 5))
      }),
    )
  })
})
