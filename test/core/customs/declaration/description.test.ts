import { describe, expect, test } from 'vitest'
import { checkDescription } from '../../../../src/core/customs/declaration/description.ts'
import { readDescriptionWords } from '../../../../src/reference/description-words.ts'

const words = readDescriptionWords()

const check = (text: string) => checkDescription(text, words)

describe('a description that customs refuses', () => {
  test.each([
    ['parts', ['parts']],
    ['Gift', ['Gift']],
    ['GIFTS gift', ['gift']],
    ['Clothes', ['Clothes']],
    ["Women's clothing", ['clothing']],
    ['new electronics, black', ['electronics']],
    ['10 x accessories (SKU-4711)', ['accessories']],
    ['Auto Parts', ['Auto Parts']],
    ['spare parts and tools', ['spare parts', 'tools']],
    ['as ordered', ['as ordered']],
    ['Freight of all kinds', ['Freight of all kinds']],
    ['NIKE shoes for kids', ['shoes']],
    ['PlayStation accessories', ['accessories']],
    ['Acme® toys', ['toys']],
    ['X parts', ['parts']],
    ['e-commerce', ['e commerce']],
  ])('%j is vague', (text, terms) => {
    expect(check(text)).toMatchObject({ code: 'VAGUE', terms })
  })

  test.each(['new blue set', 'iPhone'])('%j names no goods', (text) => {
    expect(check(text)).toMatchObject({
      ...{ code: 'VAGUE', terms: [] },
      message: expect.stringContaining('does not name the goods'),
    })
  })

  test.each([
    ['4711-0815', 'NO_WORDS'],
    ['AB123 X9', 'NO_WORDS'],
    ['---', 'NO_WORDS'],
    ['xxxxxx', 'REPEATED_CHARACTERS'],
    ['aaa BBB', 'REPEATED_CHARACTERS'],
    ['tv', 'TOO_SHORT'],
    ['a b', 'TOO_SHORT'],
  ])('%j: %s', (text, code) => {
    expect(check(text)?.code).toBe(code)
  })

  test('says what to write instead of the first term', () => {
    expect(check('gift, clothes')?.message).toBe(
      'Customs refuses "gift", "clothes" as too vague. Name the goods themselves, such as "wooden picture frame". ' +
        'Whether they are a gift is declared as the category.',
    )
  })
})

test.each([
  'cotton t-shirts for men',
  'Brake discs for passenger cars',
  'LEATHER bags',
  'HDMI cables',
  'USB cables',
  'wooden toys',
  'gift box of dark chocolate',
  'smartphone case',
  'COTTON CAPS',
  'Smart TV 55 inch with remote',
  'Sonnenbrille',
  '茶杯',
  'книга',
])('accepts %j', (text) => {
  expect(check(text)).toBeUndefined()
})

test('every term of the table is refused on its own, and has a suggestion', () => {
  expect(words.vagueTerms.size).toBeGreaterThan(180)
  const accepted = [...words.vagueTerms].filter(
    ([term, suggestion]) => check(term)?.code !== 'VAGUE' || suggestion === '',
  )
  expect(accepted).toEqual([])
})
