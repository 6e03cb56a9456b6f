/** Which words of a title name the goods, and which ones describe a component or a material of them. */
import { describe, expect, it } from 'vitest'
import { classify } from '../../../src/core/classification/classify.ts'
import { compileLexicon } from '../../../src/core/classification/compile-lexicon.ts'
import type { LexiconEntry } from '../../../src/core/classification/lexicon.ts'
import { loadLexicon } from '../../../src/reference/lexicon-reader/lexicon.ts'
import { plainLexicon } from '../../support/customs/plain-lexicon.ts'

const entry = (code: string, ...terms: string[]): LexiconEntry => ({
  code,
  label: terms[0] ?? '',
  terms,
  possibleTerms: [],
})

const source = {
  ...plainLexicon([
    entry('420330', 'belt', 'waist belt'),
    entry('830890', 'buckle', 'belt buckle', 'metal buckle'),
    entry('846721', 'drill', 'hammer drill'),
    entry('850760', 'drill battery', 'power battery'),
    entry('330510', 'shampoo', 'dry shampoo'),
    entry('151590', 'argan oil', 'rare argan oil'),
    entry('701090', 'bottle', 'glass bottle'),
  ]),
  roles: {
    ...{ qualifiers: ['steel'], features: ['buckle'], countedFeatures: ['battery'], outside: [] },
    ...{ soldAlone: ['replacement'], materials: ['15'] },
  },
}
const small = compileLexicon(source)
const shipped = loadLexicon()

describe('a component', () => {
  it.each([
    ['describes the goods after a material', 'belt steel buckle', '420330'],
    ['describes the goods after a number', 'belt 2 buckles', '420330'],
    ['is sold directly after the name of the goods', 'belt buckle', '830890'],
    ['is sold without goods in front of it', 'steel buckle', '830890'],
    ['is sold in a text that says so', 'belt steel buckle replacement', '830890'],
    ['that is often sold alone describes goods after a number', 'drill 18v battery', '846721'],
    ['that is often sold alone is sold after a material', 'drill steel battery', '850760'],
    [
      'is sold before the product that it replaces a part of',
      'power battery replacement hammer drill',
      '850760',
    ],
  ])('%s: %s', (_, title, code) => {
    expect(classify(small, title, 1)[0]?.code).toBe(code)
  })
})

describe('the words after a component and "replacement"', () => {
  const weightsOf = (title: string) => small.read(title).map(({ weight }) => weight)

  it('are what the component is for', () => {
    expect(weightsOf('power battery replacement hammer drill')).toEqual([1, 1, 1, 0.35, 0.35])
    expect(weightsOf('power battery replacement hammer drill, belt')).toEqual([1, 1, 1, 0.35, 0.35, 1])
  })

  it.each([
    ['a component', 'power battery replacement belt buckle'],
    ['a tool', 'power battery replacement tool'],
    ['a set', 'power battery replacement set'],
    ['a material', 'power battery replacement hammer drill steel'],
    ['a material with a number', 'power battery replacement steel 18v'],
  ])('are the goods if they name %s', (_, title) => {
    expect(weightsOf(title).every((weight) => weight === 1)).toBe(true)
  })

  it('are the goods if nothing or no component is in front of it', () => {
    for (const title of ['battery replacement drill', 'hammer drill replacement bottle', 'replacement drill'])
      expect(weightsOf(title).every((weight) => weight === 1)).toBe(true)
  })
})

describe('a material', () => {
  it.each([
    ['describes goods behind it', 'argan oil shampoo', '330510'],
    ['describes goods if it has a percentage', 'shampoo argan oil 5%', '330510'],
    ['is sold alone', 'argan oil', '151590'],
    ['is sold in a package', 'argan oil bottle', '151590'],
  ])('%s: %s', (_, title, code) => {
    expect(classify(small, title, 1)[0]?.code).toBe(code)
  })
})

describe('the shipped lexicon', () => {
  it.each([
    ['Fountain Pen Medium Nib', '960830'],
    ['Argan Oil Shampoo', '330510'],
    ['Goose Down Pillow', '940490'],
    ['Digital Piano 88 Weighted Keys', '920710'],
    ['Vitamin C Face Serum', '330499'],
    ['Dark Chocolate Bar 85% Cocoa', '180632'],
    ['Arganöl Shampoo', '330510'],
    ["Shampooing à l'huile d'argan", '330510'],
    ['Champú de aceite de argán', '330510'],
    ["Shampoo all'olio di argan", '330510'],
    ['Shampoo met arganolie', '330510'],
    ['Szampon z olejkiem arganowym', '330510'],
    ['Fountain Pen Nib', '960891'],
    ['drone battery replacement remote control', '850760'],
    ['Turntable Replacement Stylus', '852290'],
    ['sofa cushion cover replacement cotton', '630492'],
    ['coffee filter replacement paper', '482320'],
    ['Men Slim Jeans 98% Cotton 2% Elastane', '620342'],
    ["Women's Sweater 30% Wool 70% Acrylic", '611030'],
    ['Drone 4K 249 g', '880621'],
    ['Drone 0,9 kg', '880622'],
    ['Washing Machine 12 kg', '845020'],
  ])('finds the goods in %s', (title, code) => {
    expect(classify(shipped, title, 1)[0]?.code).toBe(code)
  })
})
