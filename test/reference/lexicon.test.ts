import { describe, expect, it } from 'vitest'
import { foldWord } from '../../src/core/customs/classification/goods-text.ts'
import { readHs2022Codes } from '../../src/reference/hs-codes.ts'
import { parseLexicon, readLexicon } from '../../src/reference/lexicon.ts'

describe('a lexicon file', () => {
  it('gives one entry per code with its label and terms', () => {
    expect(
      parseLexicon('x.txt', '# head\n\n640110 | Safety wellingtons | steel toe wellies, site wellies\n'),
    ).toEqual([
      {
        code: '640110',
        label: 'Safety wellingtons',
        terms: ['steel toe wellies', 'site wellies'],
        possibleTerms: [],
      },
    ])
  })

  it('multiplies out the alternatives in parentheses', () => {
    const [entry] = parseLexicon(
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

  it('keeps terms with a question mark apart as possible ones', () => {
    const [entry] = parseLexicon('x.txt', '611231 | Trunks | swim (trunks / shorts)?, speedos, jammers ?')
    expect(entry?.terms).toEqual(['speedos'])
    expect(entry?.possibleTerms).toEqual(['swim trunks', 'swim shorts', 'jammers'])
  })

  it('takes a question mark after an alternative for the terms made with it', () => {
    const [entry] = parseLexicon('x.txt', '940541 | Lamps | (desk / uv nail?) (lamp / light)')
    expect(entry?.terms).toEqual(['desk lamp', 'desk light'])
    expect(entry?.possibleTerms).toEqual(['uv nail lamp', 'uv nail light'])
  })

  it('carries terms on over indented lines, comments and empty lines between them', () => {
    const [entry, next] = parseLexicon(
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
    ['a bar too many', '640110 | Boots | boots | shoes', 'x.txt, line 1: expected'],
    ['no terms at all', '# head\n640110 | Boots | ,', 'x.txt, line 2: 640110 has no terms'],
    ['terms before the first code', '  boots', 'x.txt, line 1: an indented line needs a code above it'],
    [
      'a code on an indented line',
      '640110 | Boots | boots\n 640191 | Other | wellies',
      'x.txt, line 2: an indented',
    ],
    [
      'an open parenthesis',
      '640110 | Boots | boots,\n\n  (steel / iron boots',
      'x.txt, line 3: parentheses do not',
    ],
    [
      'a comma inside parentheses',
      '640110 | Boots | (steel, iron) boots',
      'x.txt, line 1: parentheses do not',
    ],
    ['nested parentheses', '640110 | Boots | ((steel)) boots', 'x.txt, line 1: parentheses do not'],
    ['an empty alternative', '640110 | Boots | (steel / ) boots', 'x.txt, line 1: parentheses do not'],
    [
      'a question mark inside a term',
      '640110 | Boots | boots? steel',
      'x.txt, line 1: a question mark belongs',
    ],
    ['a term without a word', '640110 | Boots | boots, -', 'x.txt, line 1: a term without a word'],
  ])('is refused, with file and line, for %s', (_fault, text, message) => {
    expect(() => parseLexicon('x.txt', text)).toThrow(message)
  })
})

describe('the shipped lexicon', () => {
  const entries = readLexicon()

  it('names only codes that exist in HS 2022', () => {
    const codes = readHs2022Codes()
    expect(entries.filter((entry) => !codes.has(entry.code)).map((entry) => entry.code)).toEqual([])
  })

  it('has no plain term under two codes', () => {
    const codesOf = new Map<string, Set<string>>()
    for (const entry of entries) {
      for (const term of entry.terms) {
        // As the classifier reads it: plural, spelling and hyphens make no difference.
        const key = term
          .toLowerCase()
          .replaceAll(/['’]/g, '')
          .split(/[\s-]+/)
          .map(foldWord)
          .join(' ')
        codesOf.set(key, (codesOf.get(key) ?? new Set()).add(entry.code))
      }
    }
    const twice = [...codesOf].filter(([, codes]) => codes.size > 1)
    expect(twice.map(([term, codes]) => `${term}: ${[...codes].join(', ')}`)).toEqual([])
  })

  it('is made of labels and terms short enough to show', () => {
    expect(entries.filter((entry) => entry.label.length > 100).map((entry) => entry.label)).toEqual([])
    expect(entries.flatMap((entry) => entry.terms).filter((term) => term.length > 60)).toEqual([])
  })
})

describe('the list of HS 2022 codes', () => {
  it('holds the six-digit codes of all chapters in use', () => {
    const codes = readHs2022Codes()
    expect(codes.size).toBe(5612)
    expect(new Set([...codes].map((code) => code.slice(0, 2))).size).toBe(96)
    expect(codes.has('851713')).toBe(true)
    expect(codes.has('851712')).toBe(false)
  })
})
