import { describe, expect, test } from 'vitest'
import { ruleVocabularies } from '../../../../src/core/rating/book/rule-vocabulary.ts'
import { compileSurcharges } from '../../../../src/core/rating/book/surcharge.ts'
import { parseTrigger } from '../../../../src/core/rating/book/trigger.ts'
import { SMALL_CARD } from '../../../support/rates/small-card.ts'

const VOCABULARIES = ruleVocabularies({ zones: new Set([0, 1, 2]), isGroup: () => true })

describe('parseTrigger', () => {
  test('splits clauses and conditions, and repeats the word for further values', () => {
    expect(parseTrigger('domestic & to_group=G6|G7|piece_kg>=20.5')).toEqual([
      [{ kind: 'domestic' }],
      [
        { kind: 'group', end: 'to', group: 'G6' },
        { kind: 'group', end: 'to', group: 'G7' },
        { kind: 'unit-measure', measure: 'piece_kg', operator: '>=', bound: 20_500 },
      ],
    ])
  })

  test.each([
    'date=02-28..02-30',
    'date=13-01..12-31',
    'date=04-31..05-01',
  ])('rejects the impossible day in %s', (trigger) => {
    expect(() => parseTrigger(trigger)).toThrow('unknown value in date')
  })

  test.each([
    ['moon=full', 'unknown condition: moon=full'],
    ['area=COASTAL', 'unknown value in area=COASTAL'],
    ['stackable=maybe', 'unknown condition: stackable=maybe'],
    ['pieces=2', 'unknown condition: pieces=2'],
    ['piece_kg>heavy', 'unknown condition: piece_kg>heavy'],
    ['domestic=yes', 'unknown condition: domestic=yes'],
    ['', 'unknown condition: '],
  ])('rejects "%s"', (trigger, message) => {
    expect(() => parseTrigger(trigger)).toThrow(message)
  })
})

test.each([
  ['always', 'OTHER'],
  ['date=11-15..01-05&recipient=individual', 'OTHER'],
  ['domestic&area=REMOTE|ISLAND', 'REMOTE_AREA'],
  ['to_area = ISLAND', 'REMOTE_AREA'],
  ['recipient=individual', 'RESIDENTIAL'],
  ['recipient=business', 'OTHER'],
  ['girth_cm>300', 'OVERSIZE'],
  ['piece_kg>20|longest_cm>120', 'OVERSIZE'],
  ['height_cm>150', 'HANDLING'],
  ['stackable=false', 'HANDLING'],
  ['shipment_kg>100', 'OTHER'],
])('a surcharge with the trigger "%s" makes a line of kind %s', (trigger, kind) => {
  const surcharge = { ...SMALL_CARD.content.surcharges[3]!, excludes: [], trigger }
  expect(compileSurcharges([surcharge], VOCABULARIES)[0]?.kind).toBe(kind)
})

test.each([
  ['zone = 2', 'OTHER'],
  ['weekday = Sat and to_area = REMOTE', 'OTHER'],
  ['to_area = REMOTE and kg > 20', 'REMOTE_AREA'],
  ['recipient = individual', 'RESIDENTIAL'],
  ['recipient = business', 'OTHER'],
  ['sides[3] > 1 ft or kg > 20', 'OVERSIZE'],
  ['average_kg > 50 lb', 'HANDLING'],
])('a surcharge with the condition "%s" makes a line of kind %s', (condition, kind) => {
  const surcharge = { ...SMALL_CARD.content.surcharges[3]!, excludes: [], trigger: 'always', condition }
  expect(compileSurcharges([surcharge], VOCABULARIES)[0]?.kind).toBe(kind)
})
