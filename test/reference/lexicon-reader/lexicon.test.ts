import { describe, expect, it } from 'vitest'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import type { GoodsFamily } from '../../../src/core/classification/lexicon.ts'
import { goodsWords, rawWords } from '../../../src/core/classification/text/goods-text.ts'
import { readHs2022Codes } from '../../../src/reference/customs.ts'
import {
  parseAccessories,
  parseEntries,
  parseFeatures,
  parseHeadings,
  parseLanguage,
  parseMaterials,
  readLexicon,
} from '../../../src/reference/lexicon-reader/lexicon.ts'
import { parseRules } from '../../../src/reference/lexicon-reader/rules.ts'

describe('a lexicon file', () => {
  it('gives one entry per code with its label and terms', () => {
    expect(
      parseEntries('x.txt', '# head\n\n640110 | Safety wellingtons | steel toe wellies, site wellies\n'),
    ).toEqual([
      {
        code: '640110',
        label: 'Safety wellingtons',
        terms: ['steel toe wellies', 'site wellies'],
        possibleTerms: [],
      },
    ])
  })

  it('expands the alternatives in parentheses', () => {
    const [entry] = parseEntries(
      'x.txt',
      '611011 | Sweaters | (wool / merino)  (sweater / jumper), (aran) knit',
    )
    expect(entry?.terms).toEqual([
      'wool sweater',
      'wool jumper',
      'merino sweater',
      'merino jumper',
      'aran knit',
    ])
  })

  it('separates terms with a question mark as possible ones', () => {
    const [entry] = parseEntries('x.txt', '611231 | Trunks | swim (trunks / shorts)?, speedos, jammers ?')
    expect(entry?.terms).toEqual(['speedos'])
    expect(entry?.possibleTerms).toEqual(['swim trunks', 'swim shorts', 'jammers'])
  })

  it('applies a question mark after an alternative to the terms made with it', () => {
    const [entry] = parseEntries('x.txt', '940541 | Lamps | (desk / uv nail?) (lamp / light)')
    expect(entry?.terms).toEqual(['desk lamp', 'desk light'])
    expect(entry?.possibleTerms).toEqual(['uv nail lamp', 'uv nail light'])
  })

  it('continues terms over indented lines, comments and empty lines between them', () => {
    const [entry, next] = parseEntries(
      'x.txt',
      '010121 | Stud | stud\n   horse\n\n# why\n\tmare,\n010129 | Horses | pony',
    )
    expect(entry?.terms).toEqual(['stud', 'horse', 'mare'])
    expect(next?.code).toBe('010129')
  })

  it.each([
    ['a code of four digits', '6401 | Boots | boots', 'x.txt, line 1: a code has six digits'],
    ['a missing label', '\n640110 | | boots', 'x.txt, line 2: 640110 has no label'],
    ['a missing list', '640110 | boots', 'x.txt, line 1: expected "code | label | term, term"'],
    ['too many bars', '640110 | Boots | boots | shoes', 'x.txt, line 1: expected'],
    ['terms before the first code', '  boots', 'x.txt, line 1: an indented line must'],
    [
      'a code on an indented line',
      '640110 | Boots | boots\n 640191 | Other | wellies',
      'x.txt, line 2: an indented',
    ],
    [
      'an open parenthesis',
      '640110 | Boots | boots,\n\n  (steel / iron boots',
      'x.txt, line 3: parentheses are unbalanced',
    ],
    [
      'a comma inside parentheses',
      '640110 | Boots | (steel, iron) boots',
      'x.txt, line 1: parentheses are unbalanced',
    ],
    ['nested parentheses', '640110 | Boots | ((steel)) boots', 'x.txt, line 1: parentheses are unbalanced'],
    [
      'an empty alternative',
      '640110 | Boots | (steel / ) boots',
      'x.txt, line 1: parentheses are unbalanced',
    ],
    [
      'a question mark inside a term',
      '640110 | Boots | boots? steel',
      'x.txt, line 1: a question mark belongs',
    ],
    ['a term without a word', '640110 | Boots | boots, -', 'x.txt, line 1: a term without a word'],
  ])('is refused, with file and line, for %s', (_fault, text, message) => {
    expect(() => parseEntries('x.txt', text)).toThrow(message)
  })
})

describe('a file of rules', () => {
  const DIMENSIONS = `
dimension wearer | For men or for women?
men   | men, boys
women | women
dimension material | Of which material?
ceramic             | ceramic
porcelain < ceramic | porcelain,
    bone china
`
  const parse = (text: string) => parseRules([{ file: 'x.txt', text: DIMENSIONS + text }])

  it('gives dimensions with their values, words and question', () => {
    const { dimensions } = parse('')
    expect(dimensions).toEqual([
      {
        ...{ name: 'wearer', question: 'For men or for women?', appliesAnywhere: false, ranked: false },
        values: [
          { name: 'men', words: ['men', 'boys'] },
          { name: 'women', words: ['women'] },
        ],
      },
      {
        ...{ name: 'material', question: 'Of which material?', appliesAnywhere: false, ranked: false },
        values: [
          { name: 'ceramic', words: ['ceramic'] },
          { name: 'porcelain', parent: 'ceramic', words: ['porcelain', 'bone china'] },
        ],
      },
    ])
  })

  it('gives families with rows, and default values for names', () => {
    const { families } = parse(
      'family Cups\ndecides material\n691110 | porcelain\n691200 |\nterms | ceramic! | (tea / coffee) cup, mug?\n',
    )
    expect(families).toEqual([
      {
        name: 'Cups',
        decides: ['material'],
        rows: [
          { code: '691110', values: new Map([['material', ['porcelain']]]) },
          { code: '691200', values: new Map() },
        ],
        names: [
          {
            usual: new Map([['material', { value: 'ceramic', fixed: true }]]),
            terms: ['tea cup', 'coffee cup'],
            possibleTerms: ['mug'],
          },
        ],
      },
    ])
  })

  const CUPS = 'family Cups\ndecides material\n691200 |\nterms | | cup\n'
  it.each([
    ['words without a dimension', undefined, 'red | red, crimson', 'x.txt, line 1: expected "dimension'],
    [
      'a dimension without a question',
      undefined,
      'dimension wearer',
      'x.txt, line 1: expected "dimension <name>',
    ],
    ['a value without words', DIMENSIONS, 'children', 'line 9: expected "<value>'],
    [
      'a family without rows',
      DIMENSIONS,
      'family Cups\ndecides wearer\nterms | | cup',
      'line 9: family Cups needs rows',
    ],
    [
      'a family that decides nothing',
      DIMENSIONS,
      'family Cups\n691200 |\nterms | | cup',
      'has no line "decides',
    ],
    [
      'an unknown dimension',
      DIMENSIONS,
      'family Cups\ndecides colour\n691200 |\nterms | | cup',
      'colour is not a dimension',
    ],
    [
      'an unknown value',
      DIMENSIONS,
      CUPS.replace('691200 |', '691200 | tin'),
      'line 11: tin is not a value of material',
    ],
    [
      'an unknown default value',
      DIMENSIONS,
      CUPS.replace('terms | |', 'terms | tin |'),
      'line 12: tin is not a value',
    ],
    ['a row without a code', DIMENSIONS, CUPS.replace('691200', '6912'), 'line 11: expected "decides'],
    [
      'terms without a bar',
      DIMENSIONS,
      CUPS.replace('terms | | cup', 'terms | cup'),
      'line 12: expected "terms',
    ],
  ])('is refused, with file and line, for %s', (_fault, before, text, message) => {
    expect(() => parseRules([{ file: 'x.txt', text: (before ?? '') + text }])).toThrow(message)
  })
})

describe('a value with a range', () => {
  const parse = (list: string) =>
    parseRules([{ file: 'x.txt', text: `dimension weight | How heavy?\nlight | ${list}\n` }]).dimensions[0]
      ?.values[0]

  it('has the quantities besides its words', () => {
    expect(parse('..250 g, tiny')).toEqual({
      ...{ name: 'light', words: ['tiny'], ranges: [{ kind: 'grams', above: -1, upTo: 250 }] },
    })
  })

  it('has the words with a question mark by themselves', () => {
    expect(parse('tiny, pocket?')).toEqual({ name: 'light', words: ['tiny'], possibleWords: ['pocket'] })
  })

  it('is refused with an unknown unit', () => {
    expect(() => parse('..250 stones')).toThrow('x.txt, line 2: expected a range such as "..250 g"')
  })
})

describe('a list of two columns', () => {
  it('gives the words of a language, or the labels of headings', () => {
    expect(parseLanguage('languages/german.txt', '# head\nHülle, Schutzhülle | case\n')).toEqual({
      language: 'german',
      phrases: [
        { foreign: 'Hülle', english: 'case' },
        { foreign: 'Schutzhülle', english: 'case' },
      ],
    })
    expect(parseHeadings('h.txt', '6109 | T-shirts\n')).toEqual(new Map([['6109', 'T-shirts']]))
  })

  it.each([
    ['6109', 'h.txt, line 1: expected two columns'],
    ['610910 | T-shirts', 'h.txt, line 1: a heading has four digits'],
    ['6109 | T-shirts\n6109 | Vests', 'h.txt, line 2: 6109 is listed twice'],
  ])('is refused if it is malformed: %s', (text, message) => {
    expect(() => parseHeadings('h.txt', text)).toThrow(message)
  })
})

describe('the words of features and the codes of materials', () => {
  it('are read by kind, and as codes or ranges', () => {
    expect(parseFeatures('f.txt', 'features | nib, buckle\nfeatures | sole\noutside | upper\n')).toEqual({
      ...{ qualifiers: [], features: ['nib', 'buckle', 'sole'], countedFeatures: [] },
      ...{ outside: ['upper'], soldAlone: [] },
    })
    expect(parseMaterials('m.txt', '07-09\n2001-2003\n210690\n')).toEqual([
      ...['07', '08', '09', '2001', '2002', '2003', '210690'],
    ])
  })

  it('are refused if they are malformed', () => {
    expect(() => parseFeatures('f.txt', '\nparts | nib')).toThrow('f.txt, line 2: expected one of qualifiers')
    expect(() => parseMaterials('m.txt', '09-2001')).toThrow('m.txt, line 1: expected a range')
  })
})

describe('a list of parts and things', () => {
  it('gives codes, code prefixes and expanded ranges of headings', () => {
    expect(parseAccessories('a.txt', '9209, 420292 | 9201-9203\n')).toEqual([
      { parts: ['9209', '420292'], things: ['9201', '9202', '9203'] },
    ])
  })

  it.each([
    ['9209', 'a.txt, line 1: expected two columns'],
    ['92090 | 9202', 'a.txt, line 1: expected two, four or six digits'],
    ['9209 | 9203-9201', 'a.txt, line 1: expected a range from a heading to a later one'],
    ['9209 | 920210-920290', 'a.txt, line 1: expected a range'],
  ])('is refused if it is malformed: %s', (text, message) => {
    expect(() => parseAccessories('a.txt', text)).toThrow(message)
  })
})

describe('the shipped lexicon', () => {
  const { entries, families, dimensions, languages, accessories, headings } = readLexicon()
  const codes = readHs2022Codes()

  it('names only codes that exist in HS 2022', () => {
    const named = [...entries, ...families.flatMap((family) => family.rows)].map(({ code }) => code)
    expect(named.filter((code) => !codes.has(code))).toEqual([])
  })

  it('has a label for every code that a family leads to, and for every heading', () => {
    const labelled = new Set(entries.map(({ code }) => code))
    const led = families.flatMap(({ name, rows }) => rows.map(({ code }) => `${code} of ${name}`))
    expect(led.filter((code) => !labelled.has(code.slice(0, 6)))).toEqual([])
    const wanted = new Set([...codes].map((code) => code.slice(0, 4)))
    expect([...headings.keys()].sort()).toEqual([...wanted].sort())
  })

  it('has no plain term in two places', () => {
    const placesOf = new Map<string, Set<string>>()
    const place = (term: string, where: string): void => {
      // Normalised as in the classifier, which ignores differences of plural, spelling and hyphens.
      const key = goodsWords(term)
        .map((word) => word.singular)
        .join(' ')
      placesOf.set(key, (placesOf.get(key) ?? new Set()).add(where))
    }
    for (const { code, terms } of entries) for (const term of terms) place(term, code)
    for (const { name, names } of families)
      for (const { terms, usual } of names)
        for (const term of terms) place(term, `${name} (${[...usual.values()].map(({ value }) => value)})`)
    const twice = [...placesOf].filter(([, places]) => places.size > 1)
    expect(twice.map(([term, places]) => `${term}: ${[...places].join(', ')}`)).toEqual([])
  })

  it('has at least 6,000 terms, over all chapters of goods in parcels', () => {
    const written = [...entries.flatMap(({ terms }) => terms), ...families.flatMap(namesOf)]
    expect(written.length).toBeGreaterThan(6000)
    const chapters = new Set(
      [...entries, ...families.flatMap(({ rows }) => rows)].map(({ code }) => code.slice(0, 2)),
    )
    expect(chapters.size).toBeGreaterThanOrEqual(94)
  })

  it('has labels, questions and terms that are short enough to show', () => {
    const tooLong = (texts: readonly string[], most: number) => texts.filter((text) => text.length > most)
    expect(
      tooLong(
        entries.map(({ label }) => label),
        100,
      ),
    ).toEqual([])
    expect(
      tooLong(
        entries.flatMap(({ terms }) => terms),
        60,
      ),
    ).toEqual([])
    expect(
      tooLong(
        dimensions.map(({ question }) => question),
        80,
      ),
    ).toEqual([])
    expect(dimensions.filter(({ question }) => !question.endsWith('?'))).toEqual([])
  })

  it('asks one question per dimension, whichever file adds values to it', () => {
    const questions = new Map<string, Set<string>>()
    for (const { name, question } of dimensions)
      questions.set(name, (questions.get(name) ?? new Set()).add(question))
    expect([...questions].filter(([, asked]) => asked.size > 1)).toEqual([])
  })

  it('names only parts and things that exist', () => {
    const named = accessories.flatMap(({ parts, things }) => [...parts, ...things])
    const exists = (beginning: string) => [...codes].some((code) => code.startsWith(beginning))
    expect(named.filter((code) => !exists(code))).toEqual([])
  })

  it('has six languages, and no phrase of a language twice', () => {
    expect(languages.map(({ language }) => language)).toEqual([
      ...['dutch', 'french', 'german', 'italian', 'polish', 'spanish'],
    ])
    for (const { language, phrases } of languages) {
      const foreign = phrases.map((phrase) => rawWords(phrase.foreign).join(' '))
      expect(
        foreign.filter((phrase, at) => foreign.indexOf(phrase) !== at),
        language,
      ).toEqual([])
    }
  })

  it('is consistent: every default value has a row, every parent is a value', () => {
    expect(() => compileLexicon(readLexicon())).not.toThrow()
  })
})

function namesOf({ names }: GoodsFamily): readonly string[] {
  return names.flatMap(({ terms }) => terms)
}

describe('the list of HS 2022 codes', () => {
  it('holds the six-digit codes of all chapters in use', () => {
    const codes = readHs2022Codes()
    expect(codes.size).toBe(5612)
    expect(new Set([...codes].map((code) => code.slice(0, 2))).size).toBe(96)
    expect(codes.has('851713')).toBe(true)
    expect(codes.has('851712')).toBe(false)
  })
})
