/** The texts of lines with all of the shipped data, for every destination, several goods and several values. */
import { describe, expect, test } from 'vitest'
import { estimateRequest, givenCode } from '../../../../src/core/customs/estimate/estimate.ts'
import { describeLine } from '../../../../src/core/customs/estimate/explain/line.ts'
import { MAX_SUMMARY_LENGTH, summarizeLine } from '../../../../src/core/customs/estimate/explain/summary.ts'
import type { TaxLine } from '../../../../src/core/customs/estimate/tax-line.ts'
import type { ContentItem, DutiesRequest } from '../../../../src/core/customs/request.ts'
import { formatCents } from '../../../../src/core/money.ts'
import { readShippedCustomsData } from '../../../../src/reference/customs.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'

const DATE = '2026-11-23'

const tables = shippedTables()
const shipped = readShippedCustomsData()

/** What the texts of other goods must not speak of. */
const TOPICS = {
  medicines: /medicin|supplement/i,
  children: /child/i,
  clothing: /clothing|clothes|garment/i,
  food: /\bfoods?\b|groceries|\bmilk\b|sweets/i,
  alcohol: /alcohol|\bwine\b|spirits/i,
  books: /\bbooks?\b|newspaper/i,
} as const

type Topic = keyof typeof TOPICS

/** [code, name, topics that may be mentioned]. */
const GOODS: readonly (readonly [code: string, topics: readonly Topic[]])[] = [
  ['610910', ['children', 'clothing']],
  ['611011', ['children', 'clothing']],
  ['640411', ['children']],
  ['847130', []],
  ['851830', []],
  ['871160', []],
  ['950300', []],
  ['420221', []],
  ['330499', []],
  ['300490', ['medicines']],
  ['180632', ['food']],
  ['490199', ['books']],
  ['220421', ['alcohol']],
]

const VALUES = [20, 333.33]

type Answer = {
  readonly label: string
  readonly code: string
  readonly topics: readonly Topic[]
  readonly lines: readonly {
    readonly line: TaxLine
    readonly text: string
    readonly summary: string
  }[]
  /** The unit that amounts are rounded to, in euro. */
  readonly unit: number
}

/** What a request has besides the code and the value. */
type Variant = {
  readonly from?: string
  readonly date?: string
  readonly rest?: Partial<DutiesRequest>
  readonly item?: Partial<ContentItem>
}

function answer(
  country: string,
  [code, topics]: (typeof GOODS)[number],
  value: number,
  { from = 'CN', date = DATE, rest, item }: Variant = {},
): Answer {
  const costSteps = Math.round(value * 1_000_000)
  const request: DutiesRequest = {
    from: { country: from },
    to: { country },
    items: [{ description: 'goods', numberOfItems: 1, costSteps, tariff: code, ...item }],
    ...rest,
  }
  const { taxes, consignment } = estimateRequest(tables, request, [givenCode(code)], date)
  const unit = consignment.rounding?.unit
  return {
    ...{ label: `${from} to ${country}, ${code}, EUR ${value}, ${date}`, code, topics },
    lines: taxes.map((line) => ({
      line,
      text: describeLine(consignment, line),
      summary: summarizeLine(consignment, line),
    })),
    unit: unit === undefined ? 0 : Number(unit.numerator) / Number(unit.denominator),
  }
}

const countries = [...new Set(shipped.territories.map(({ country }) => country))]

const answers = countries.flatMap((country) =>
  GOODS.flatMap((goods) => VALUES.map((value) => answer(country, goods, value))),
)

/** Requests for which other rules apply: earlier days, other senders and recipients, quantities for excise. */
const VARIANTS: readonly Variant[] = [
  { from: 'US', date: '2024-06-01' },
  { from: 'GB', date: '2026-01-15', rest: { recipient: 'business' } },
  { from: 'CA', rest: { importScheme: 'COURIER', countAverages: false } },
  {
    from: 'GB',
    rest: { importScheme: 'STANDARD_DECLARATION', shippingCents: 1234 },
    item: {
      originCountry: 'GB',
      weightGrams: 300,
      alcoholPpm: 125_000,
      quantities: [{ unit: 'l', amountMicros: 750_000 }],
    },
  },
]

const varied = countries.flatMap((country) =>
  VARIANTS.flatMap((variant) => GOODS.map((goods) => answer(country, goods, 37.77, variant))),
)

/** Every fault that a check finds in a line; the first ten. */
function faultsOf(check: (entry: Answer['lines'][number], all: Answer) => string): readonly string[] {
  const faults: string[] = []
  for (const all of [...answers, ...varied])
    for (const entry of all.lines) {
      const fault = check(entry, all)
      if (fault !== '') faults.push(`${all.label}: ${fault}`)
    }
  return faults.slice(0, 10)
}

describe('the summary of a line', () => {
  test('has its amount, or says that there is none', () => {
    const faults = faultsOf(({ line: { amountCents, computed }, summary }) => {
      const isRight =
        amountCents !== 0
          ? summary.startsWith(`EUR ${formatCents(amountCents)} `)
          : computed
            ? /^No [^:]+: ./.test(summary)
            : /^[A-Z][^:]* not estimated: ./.test(summary)
      return isRight ? '' : summary
    })
    expect(faults).toEqual([])
  })
  test('is checked for every rule that charges an amount, and for most reasons why nothing is charged', () => {
    const reached = new Set<string>()
    for (const { lines } of [...answers, ...varied])
      for (const { line } of lines) {
        const { calculation } = line
        if (calculation.kind === 'charged') reached.add(calculation.rule)
        if (calculation.kind === 'notCharged') reached.add(calculation.reason)
      }
    expect([...reached].sort()).toEqual([
      ...['excise', 'exciseBound', 'exciseBoundStrength', 'exciseStrength'],
      ...['fee', 'feeBelowMinimum', 'feeByCarrier', 'feeNotEstimated', 'feeUnverified'],
      ...['measure', 'missingPart', 'noMeasure', 'noTax', 'noTaxData', 'noTaxRate', 'notLevied'],
      ...['schemeRelief', 'tax', 'taxNotEstimated', 'taxRelief', 'taxReplaced', 'threshold'],
      ...['tradeDefence', 'uncounted'],
    ])
  })
  test('is short, and no reason is cut', () => {
    const faults = faultsOf(({ summary }) =>
      summary.length > MAX_SUMMARY_LENGTH || summary.includes('…') ? summary : '',
    )
    expect(faults).toEqual([])
  })
  test.each([
    [
      'DE',
      '610910',
      100,
      'CN',
      ['EUR 3.00 duty: EU flat duty, one kind of goods', 'EUR 19.57 VAT: 19% of EUR 103.00'],
    ],
    ['CA', '610910', 10, 'CN', ['No duty: consignments up to CAD 20 are free']],
    ['IN', '610910', 100, 'CN', ['EUR 30.98 duty and tax: 30.98% of EUR 100.00']],
    ['US', '640411', 70, 'GB', ['EUR 14.00 duty: 20% of EUR 70.00; the rate is between 10.5% and 20%']],
    [
      'DE',
      '871160',
      1500,
      'CN',
      ['Duty not estimated: Anti-dumping duty, may apply to these goods, rate not loaded'],
    ],
  ] as const)('to %s, %s of EUR %d from %s', (country, code, value, from, expected) => {
    const summaries = answer(country, [code, []], value, { from }).lines.map(({ summary }) => summary)
    expect(summaries).toEqual(expect.arrayContaining([...expected]))
  })
})

const EURO = /EUR (\d+\.\d\d)/g

/** The printed base of a tax: "10% of EUR 53.31, the goods value …, rounded down to JPY 9000 (EUR 50.31)". */
function printedBase(text: string) {
  const found =
    /(\d+(?:\.\d+)?)% of EUR (\d+\.\d\d), the (?:goods value|excess) (.*?)(?:\.(?:\s|$)| \(freight)/.exec(
      text,
    )
  if (found === null) return undefined
  const [, rate = '', total = '', rest = ''] = found
  const [parts = '', cut] = rest.split(', rounded down to ')
  const less = /less rounding EUR (\d+\.\d\d)/.exec(parts)?.[1] ?? '0'
  const plusRounding = /(?:, |and )rounding EUR (\d+\.\d\d)/.exec(parts)?.[1] ?? '0'
  const sum = [...parts.matchAll(EURO)].reduce((cents, [, euro]) => cents + centsIn(euro), 0)
  return {
    rate: Number(rate),
    totalCents: centsIn(total),
    sumCents: sum - 2 * centsIn(less),
    roundingCents: Math.max(centsIn(less), centsIn(plusRounding)),
    dutyCents: centsIn(/import duty EUR (\d+\.\d\d)/.exec(parts)?.[1]),
    baseCents: cut === undefined ? centsIn(total) : centsIn(/\(EUR (\d+\.\d\d)\)/.exec(cut)?.[1]),
  }
}

function centsIn(euro = '0'): number {
  return Math.round(Number(euro) * 100)
}

describe('the figures of a tax', () => {
  const taxes = [...answers, ...varied].flatMap((all) =>
    all.lines.flatMap(({ line, text }) => {
      const printed = printedBase(text)
      return printed === undefined ? [] : [{ all, line, text, printed }]
    }),
  )
  const faults = (check: (tax: (typeof taxes)[number]) => boolean) =>
    taxes.flatMap((tax) => (check(tax) ? [] : [`${tax.all.label}: ${tax.text}`])).slice(0, 10)

  test('are printed by most destinations', () => {
    expect(taxes.length).toBeGreaterThan(answers.length / 4)
  })
  test('add up to the base', () => {
    expect(faults(({ printed }) => printed.sumCents === printed.totalCents)).toEqual([])
  })
  test('have the duty that the duty lines show', () => {
    const dutyOf = ({ lines }: Answer) =>
      lines.reduce((cents, { line }) => cents + (line.kind === 'DUTY' ? line.amountCents : 0), 0)
    const wrong = faults(({ all, printed }) => printed.dutyCents === 0 || printed.dutyCents === dutyOf(all))
    expect(wrong).toEqual([])
  })
  test('differ by no more than the rounding of the lines', () => {
    const wrong = faults(
      ({ all, printed }) =>
        printed.roundingCents <= Math.max(3, Math.ceil(all.unit * 100 * all.lines.length)),
    )
    expect(wrong).toEqual([])
  })
  test('give the amount of the line', () => {
    const wrong = faults(({ all, line, text, printed }) => {
      if (text.startsWith('Not levied')) return true
      const amount = (printed.rate * printed.baseCents) / 100
      return Math.abs(amount - line.amountCents) <= 1 + all.unit * 100
    })
    expect(wrong).toEqual([])
  })
})

describe('the remarks of a line', () => {
  test('concern the goods', () => {
    const faults = faultsOf(({ text }, { topics }) => {
      const wrong = Object.entries(TOPICS).filter(
        ([topic, pattern]) => !topics.some((known) => known === topic) && pattern.test(text),
      )
      return wrong.length === 0 ? '' : `${wrong.map(([topic]) => topic).join(', ')}: ${text}`
    })
    expect(faults).toEqual([])
  })
  test('of a tax appear only on the codes of their prefixes', () => {
    const limited = shipped.taxes.filter(({ note, notePrefixes }) => note !== '' && notePrefixes.length > 0)
    const shown = new Set<string>()
    const faults = faultsOf(({ text }, { code }) => {
      const notes = limited.filter(({ note }) => text.includes(note))
      for (const { note } of notes) shown.add(note)
      const isRight =
        notes.length === 0 ||
        notes.some(({ notePrefixes }) => notePrefixes.some((prefix) => code.startsWith(prefix)))
      return isRight ? '' : text
    })
    expect(faults).toEqual([])
    expect(shown.size).toBeGreaterThan(3)
  })
  test('do not repeat the low-value rule of the duty', () => {
    const reasons = shipped.thresholds
      .filter(({ appliesTo, reason }) => appliesTo === 'duty' && reason !== '')
      .map(({ reason }) => reason)
    const faults = faultsOf(({ line, text }) =>
      line.kind === 'VAT' || line.kind === 'GST'
        ? (reasons.find((reason) => text.startsWith(`No tax: ${reason}`)) ?? '')
        : '',
    )
    expect(faults).toEqual([])
  })
  test('name a chapter in words, and never claim that a rate is that of all its codes', () => {
    expect(faultsOf(({ text }) => (text.includes('as a whole') ? text : ''))).toEqual([])
    expect(answer('TR', ['610910', []], 40).lines[0]?.text).toContain(
      'The rate is known only for knitted clothing (chapter 61); codes within it may have other rates.',
    )
  })
  test('say that a value is rounded down', () => {
    const texts = answer('JP', ['610910', []], 100).lines.map(({ text }) => text)
    expect(texts.at(-1)).toMatch(/rounded down to JPY \d+000 \(EUR \d+\.\d\d\)/)
  })
})
