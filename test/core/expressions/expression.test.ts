/** The language of conditions and formulas: values worked out by hand, and faults. */
import { describe, expect, test } from 'vitest'
import { compileAmount, compileCondition } from '../../../src/core/expressions/expression.ts'
import { printExpression } from '../../../src/core/expressions/printer.ts'
import { rational, rationalText } from '../../../src/core/expressions/rational.ts'
import type { RuleFacts } from '../../../src/core/rating/book/rule-measures.ts'
import { type RuleUse, ruleVocabularies } from '../../../src/core/rating/book/rule-vocabulary.ts'

const vocabularies = ruleVocabularies({
  zones: new Set([2, 3, 4, 7]),
  isGroup: (group) => ['EU', 'G 1', '6'].includes(group),
})

const PARCEL = { count: 1, weightGrams: 25_000, lengthCm: 30, widthCm: 310, heightCm: 20, stackable: false }
const GOODS: RuleFacts['shipment']['inputs']['goods'] = [
  {
    ...{ unNumber: 'UN1203', hazardClass: 'CLASS_3', packingGroup: 'II' },
    ...{ limitedQuantity: true, netGrams: 1_500 },
  },
  { unNumber: 'UN3480', limitedQuantity: false, packages: 4 },
]

const FACTS: RuleFacts = {
  shipment: {
    ...{ domestic: false, isPallet: false, parcelType: 'NONDOC', recipient: 'business' },
    ...{ fromCountry: 'NL', toCountry: 'ES', fromArea: 'NORMAL', toArea: 'ISLAND' },
    ...{ fromGroup: 'EU', toGroup: '6', zone: 4, dayOfYear: '12-26', day: 20_261_226 }, // a Saturday
    services: ['SATURDAY', 'SIGNATURE'] as const,
    ...{ units: 3, shipmentGrams: 70_000, valueCents: 120_050 },
    inputs: {
      slots: { TIME_SLOT: '08:00-10:00' },
      collected: {
        ...{ stated: { currency: 'PLN', hundredths: 100_000 }, cents: 23_529, rates: [], rateDays: 7 },
        factor: undefined,
      },
      goods: GOODS,
      tested: GOODS,
    },
  },
  unit: PARCEL,
  billedGrams: 300_000,
  freightCents: 1054,
}

const amount = (text: string, facts = FACTS, use: RuleUse = 'unit formula'): string => {
  const { numerator, denominator } = compileAmount(text, vocabularies[use], {
    largest: 10n ** 13n,
    reserve: 1n,
  })
  return rationalText(rational(BigInt(numerator.read(facts)), denominator))
}
const holds = (text: string, facts = FACTS): boolean =>
  compileCondition(text, vocabularies.condition).holds(facts)

describe('amounts', () => {
  test.each([
    ['2.25 * billed_kg', '675'],
    ['max(110, min(560, 2.25 * billed_kg))', '560'],
    ['120 * ceil((longest - 200 cm) / 100 cm)', '240'],
    ['4 * (billed_kg - 50)', '1000'],
    ['4 * (billed_kg - 50 kg)', '1000'],
    ['by zone {2: 18.50, 3..4: 20.50, 5..: 23.50}', '20.5'],
    ['by pieces {1: 4.30, 2: 2 * 2.20, 3: 3 * 1.50, 4..: 1.20 * pieces}', '4.5'],
    ['by kg {..10 kg: 1, 10 kg..25 kg: 2, 25 kg..: 3}', '2'],
    ['by to_country {DE: 1, ES: 2, else: 3}', '2'],
    ['by service {TAIL_LIFT: 1, SIGNATURE: 2, else: 3}', '2'],
    ['by to_area {REMOTE: 5, ISLAND: 9.5, else: 0}', '9.5'],
    ['0.5% * value', '6.0025'],
    ['ceil(billed_kg / 35.5 kg)', '9'],
    ['ceil(billed_kg, 0.5 kg) * 1', '300'],
    ['ceil(longest, 1 in) * ceil(second, 1 in) * ceil(shortest, 1 in) / 139 in3', '84.949640287769'], // 123 × 12 × 8
    ['1 + 2 * 3 - 4 / 8', '6.5'],
    ['-(2 - 5)', '3'],
    ['floor(-3.5) + round(-3.5) + round(2.5)', '-4'],
    ['40 * ldm', '15.5'], // 30 × 310 cm of 240 × 100 cm
    ['volume / 5000 cm3', '37.2'],
    ['count(kg > 20, longest > 3 m, zone = 9)', '2'],
    ['sides[1] / 1 cm + sides[2] / 1 cm + sides[3] / 1 cm - sum / 1 cm', '0'],
    ['(longest + girth) / 1 cm', '410'],
  ])('%s is %s', (text, expected) => {
    const found = amount(text)
    expect(found.includes('/') ? decimal(found) : found).toBe(expected)
  })

  test('per shipment can use the freight', () => {
    expect(amount('35% * freight', FACTS, 'shipment formula')).toBe('3.689')
  })
})

/** 12 decimals of a fraction whose decimals do not end. */
function decimal(text: string): string {
  const [numerator = '', denominator = ''] = text.split('/')
  return rationalText(rational((BigInt(numerator) * 10n ** 12n) / BigInt(denominator), 10n ** 12n))
}

describe('conditions', () => {
  test.each([
    ['kg = 25 and kg >= 25 kg and kg <= 25000 g', true],
    ['kg > 55.115 lb', true], // 24.99974... kg
    ['kg > 55.116 lb', false], // 25.00019... kg
    ['average_kg > 50 lb', true], // 23.334 of 22.68 kg
    ['kg between 24 and 68', true],
    ['slot = "08:00-10:00"', true],
    ['slot in (evening, "10:00-12:00")', false],
    ['cod_amount > 235.28 and cod_amount < 235.30', true],
    ['cod_currency = PLN', true],
    ['cod_currency in (EUR, CZK)', false],
    ['un_number = UN3480 and un_number = UN1203', true],
    ['un_number in (UN3481, UN3091)', false],
    ['dg_class = CLASS_3 and dg_class = UNKNOWN', true],
    ['packing_group in (I, III)', false],
    ['limited_quantity', false], // one of two
    ['dg_net_kg = 70 kg', true], // one of two is not stated
    ['dg_packages = 4', true], // at least the 3 units
    ['kg not between 24 and 68', false],
    ['kg in 24..68', true],
    ['zone in (2, 4..6)', true],
    ['zone not in (2, 5..)', true],
    ['longest + girth > 105 in or kg > 150 lb', true],
    ['diagonal > 3120 mm', true], // √(300² + 3100² + 200²) = 3120.9
    ['diagonal > 3121 mm', false], // rounded up to 3121
    ['diagonal > 1200 mm or longest < 200 mm or kg < 250 g', true],
    ['shortest < 200 mm', false],
    ['area = ISLAND and to_area = ISLAND and not from_area = ISLAND', true],
    ['area in (REMOTE, OVERSEAS)', false],
    ['to_country in (PT, ES) and from_country != ES', true],
    ['to_group = 6 and from_group = EU', true],
    ['to_group = "G 1"', false],
    ['service = SATURDAY and service = SIGNATURE', true],
    ['service in (TAIL_LIFT, SIGNATURE)', true],
    ['service = "TAIL_LIFT" or service not in (SATURDAY, SIGNATURE)', false],
    ['weekday = Sat', true],
    ['weekday in (Sun, Mon)', false],
    ['date in 11-15..01-05', true],
    ['date in 01-05..11-15', false],
    ['date in (2026-12-24..2026-12-26, 2027-03-26)', true],
    ['date = 12-26 and date >= 2026-12-26 and date < 2027-01-01', true],
    ['date != 2026-12-26', false],
    ['date between 2026-12-24 and 2026-12-25', false],
    ['international and not domestic', true],
    ['recipient = business', true],
    ['parcel_type = PALLET or stackable', false],
    ['value > 1200.49', true],
    ['not (kg > 30 or zone = 4) or pieces = 3', true],
    ['volume > 150 l', true],
    ['second > 1 ft', false],
  ])('%s: %s', (text, expected) => {
    expect(holds(text)).toBe(expected)
  })
})

test('a figure at the end of two ranges belongs to the lower one', () => {
  const at = (weightGrams: number): string =>
    amount('by kg {..10 kg: 1, 10 kg..25 kg: 2, 25 kg..: 3}', { ...FACTS, unit: { ...PARCEL, weightGrams } })
  expect([9_999, 10_000, 10_001, 25_000, 25_001].map(at)).toEqual(['1', '1', '2', '2', '3'])
})

describe('a fault is reported for', () => {
  const refused = (text: string, use: RuleUse): string => {
    try {
      if (use === 'condition') compileCondition(text, vocabularies[use])
      else compileAmount(text, vocabularies[use], { largest: 10n ** 11n, reserve: 999n })
    } catch (error) {
      return (error as Error).message
    }
    return 'accepted'
  }

  test.each([
    [
      'longest > 200',
      'character 9: units that do not fit: a length such as 200 cm with a number without a unit',
    ],
    [
      'pieces > 5 kg',
      'character 8: units that do not fit: a number without a unit with a weight such as 20 kg',
    ],
    ['kg > 20 cm', 'character 4: units that do not fit: a weight such as 20 kg with a length such as 200 cm'],
    ['kg between 24 and 68 lb', 'character 12: either both ends of a range have a unit, or none'],
    ['kg in 24..68 lb', 'character 7: either both ends of a range have a unit, or none'],
    ['zone in 5..2', 'character 9: the lower end of a range is above the upper end'],
    [
      'kg > 20 stone',
      'character 6: unknown unit stone; the units are mm, cm, m, in, ft, m2, cm3, l, m3, in3, ft3, g, kg, lb, oz, kg_per_m3, lb_per_ft3, ldm, and %',
    ],
    ['kg', 'character 1: expected a condition such as kg > 20, found a weight such as 20 kg'],
    [
      'service = SUNDAY',
      'character 11: expected a service: SATURDAY, TIME_SLOT, APPOINTMENT, SIGNATURE, ADULT_SIGNATURE, TAIL_LIFT, CASH_ON_DELIVERY, DANGEROUS_GOODS, DUTIES_PAID',
    ],
    ['service > SATURDAY', 'character 9: words can only be compared with = and !='],
    ['volume_of_account = 50', 'character 1: not available yet: volume_of_account'],
    [
      'density > 50',
      'character 9: units that do not fit: a density such as 160 kg_per_m3 with a number without a unit',
    ],
    ['shape = BALL', 'character 9: expected a shape: RECTANGULAR, TUBE, ROLL, IRREGULAR, UNKNOWN'],
    [
      'billed_lb > 30',
      'character 1: the weights of this price list are in kg, so the name is billed_kg: billed_lb',
    ],
    [
      'billed_kg > 30',
      'character 1: not available in conditions, because prices are calculated after them: billed_kg',
    ],
    ['sides[4] > 1 cm', 'character 1: expected sides[1] to sides[3]'],
    ['sides > 1 cm', 'character 1: expected sides[1] to sides[3]'],
    ['kg[1] > 1', 'character 1: kg has no elements'],
    ['to_country = XX', 'character 14: expected an ISO 3166-1 country code such as DE'],
    ['to_group = G9', 'character 12: expected a group of the zone chart'],
    ['to_country > DE', 'character 12: words can only be compared with = and !='],
    ['date = 02-30', 'character 8: 02-30 is not a day; to subtract, put blanks around the minus sign'],
    [
      'date = 2026-02-29',
      'character 8: 2026-02-29 is not a day; to subtract, put blanks around the minus sign',
    ],
    ['date in 2026-12-24..01-05', 'character 9: either both ends of a range have a year, or none'],
    ['1 < kg < 2', 'character 8: expected the end of the expression or an operator, found <'],
    ['kg > 5,5', 'character 7: expected the end of the expression or an operator, found ,'],
    ['kg > 20 &', 'character 9: unknown character "&"'],
    ['кg > 20', 'character 1: unknown character "к" (U+043A)'],
    ['kg ≥ 20', 'character 4: unknown character "≥" (U+2265)'],
    ['kg > 20😀', 'character 8: unknown character "😀" (U+1F600)'],
    ['(kg > 20', 'character 9: expected ), found the end'],
    ['', 'character 1: expected a number, a name or a bracket, found the end'],
  ])('the condition %s', (text, message) => {
    expect(refused(text, 'condition')).toBe(message)
  })

  test.each([
    ['5 / 0', 'character 3: division by zero'],
    ['5 / (3 - 3)', 'character 3: division by zero'],
    ['5 / pieces', 'character 3: division by a figure that is not constant; only constants can be divisors'],
    [
      'longest',
      'character 1: expected an amount, which is a number without a unit, found a length such as 200 cm',
    ],
    [
      'billed_kg',
      'character 1: expected an amount, which is a number without a unit, found a weight such as 20 kg',
    ],
    ['kg * longest', 'character 4: units that do not fit: a weight such as 20 kg * a length such as 200 cm'],
    [
      'volume * longest',
      'character 8: units that do not fit: a volume such as 150 l * a length such as 200 cm',
    ],
    ['ceil(longest)', 'character 1: a length such as 200 cm needs a step to round to: ceil(longest, 1 in)'],
    ['ceil(kg, 0)', 'character 10: the step must be a constant above 0'],
    ['min(1)', 'character 1: min needs at least two figures'],
    ['sqrt(4)', 'character 1: unknown function sqrt; the functions are min, max, ceil, floor, round, count'],
    ['stackable * 2', 'character 1: expected a number, found a condition'],
    ['to_country * 2', 'character 1: expected a number, found a word, which can only be compared'],
    ['"DE"', 'character 1: a word in quotes can only be compared with, as in to_group = "G 1"'],
    [
      '10-05',
      'character 1: 10-05 is a day; days are compared with date. To subtract, put blanks around the minus sign',
    ],
    ['by zone {2: 1, 3: 2}', 'character 1: no case for 4; add one, or an else'],
    ['by pieces {2..: 1}', 'character 1: no case for 1; add one, or an else'],
    ['by kg {..5 kg: 1, 6 kg..: 2}', 'character 1: no case above 5 kg; add one, or an else'],
    ['by value {..353.50: 1, 900.5..: 2}', 'character 1: no case above 353.5; add one, or an else'],
    ['by kg {5 kg..: 2}', 'character 1: no case for 0 kg; add one, or an else'],
    ['by kg + 2 kg {..1 kg: 1, 3 kg..: 2}', 'character 1: no case for 2 kg; add one, or an else'],
    ['by pieces {..3: 1, 3..: 2}', 'character 20: the ranges of by must ascend and must not overlap'],
    ['by kg {10 kg..: 1, ..10 kg: 2}', 'character 20: the ranges of by must ascend and must not overlap'],
    ['by pieces {..pieces: 1, else: 2}', 'character 12: the ranges of by must be constants'],
    ['by to_country {DE: 1}', 'character 1: cases of words need an else'],
    [
      'value * value',
      'character 7: the amount could reach 100000000000000000000000000; limit it with min(), as in min(560, 2.25 * billed_kg)',
    ],
    ['value * value * value', 'character 15: the numbers here become too large or too fine'],
    [
      'freight * 2',
      'character 1: not available in formulas per parcel, because it is that of the shipment: freight',
    ],
    ['0.1234567891', 'character 1: a number has at most 15 digits and 9 decimals, with a point'],
  ])('the formula %s', (text, message) => {
    expect(refused(text, 'unit formula')).toBe(message)
  })

  test('a measure of one parcel in a formula per shipment', () => {
    expect(refused('longest / 1 cm', 'shipment formula')).toBe(
      'character 1: a measure of one parcel, which a formula per shipment cannot use: longest',
    )
    expect(refused('sides[1] / 1 cm', 'shipment formula')).toContain('a measure of one parcel')
  })
})

test('expressions are printed with figures and the brackets that they need', () => {
  const print = (text: string): string =>
    printExpression(
      compileAmount(text, vocabularies['unit formula'], { largest: 10n ** 11n, reserve: 1n }).syntax,
      (name) => ({ longest: '310 cm', zone: '4', kg: '25 kg' })[name],
    )
  expect(print('120*ceil((longest-200 cm)/100 cm)')).toBe('120 * ceil((310 cm - 200 cm) / 100 cm)')
  expect(print('by zone{2:1,3..4:2,5..:3}')).toBe('by zone 4 {2: 1, 3..4: 2, 5..: 3}')
  expect(print('((1+2))*3-(4-5)')).toBe('(1 + 2) * 3 - (4 - 5)')
  expect(print('count(not (kg > 2 or kg<1) and zone in(1..2,4), longest between 1 in and 2 m)')).toBe(
    'count(not (25 kg > 2 or 25 kg < 1) and 4 in (1..2, 4), 310 cm between 1 in and 2 m)',
  )
})
