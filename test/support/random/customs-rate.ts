/** Random duty rates in Waybill's form, and random days around the days on which rows begin and end. */
import type { MeasureRow } from '../../../src/core/customs/data/row-types/measures.ts'
import type { Dice } from './seeded-dice.ts'

/** The columns of a measure that hold its rate. */
export type RateFields = Pick<
  MeasureRow,
  'adValoremPpm' | 'specific' | 'minimum' | 'maximum' | 'condition' | 'text'
>

/** Days on which rows begin and end. */
export const BORDERS = ['2026-01-01', '2026-07-01', '2026-07-24', '2026-11-15'] as const

const UNITS = ['item', '100 items', '1000 items', 'pair', 'dozen', 'kg', '100 kg', 'tonne', 'l', 'hl', 'm2']
const OTHER_UNITS = ['100 kg net drained wt', '% vol/hl', 'l pure alcohol', 'hl pure alcohol', 'proof l']

/** A percentage in parts per million: whole, halves, or with all four decimals. */
export function randomPpm(dice: Dice, maxPercent = 40): number {
  if (dice.chance(0.2)) return 0
  if (dice.chance(0.15)) return dice.int(1, maxPercent * 10_000)
  return dice.int(1, maxPercent * 2) * 5_000
}

/** Decimal text without trailing zeros. */
export function randomAmount(dice: Dice, max: number): string {
  const places = dice.pick([0, 0, 1, 2, 2, 4, 6])
  const steps = dice.int(1, Math.max(1, Math.round(max * 10 ** places)))
  return decimalText(steps, places)
}

/** (125, 1) is "12.5". */
export function decimalText(steps: number, places: number): string {
  const digits = String(steps).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const rest = digits.slice(digits.length - places).replace(/0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}

export function randomRate(dice: Dice, currencies: readonly string[]): RateFields {
  const specific = (): string => randomSpecific(dice, currencies)
  const percent = (): string => `${decimalText(randomPpm(dice) || 10_000, 4)}%`
  const plain = { adValoremPpm: randomPpm(dice), specific: '', minimum: '', maximum: '' }
  const known = { condition: '', text: '' } as const
  const parts = (): string => dice.pick([specific(), specific(), percent(), `${percent()} + ${specific()}`])
  switch (dice.int(0, 21)) {
    case 0:
    case 1:
      return { ...plain, ...known, adValoremPpm: null, specific: specific() }
    case 2:
      return { ...plain, ...known, specific: specific() }
    case 3:
      return { ...plain, ...known, specific: `${specific()} + ${specific()}` }
    case 4:
      return { ...plain, ...known, minimum: parts() }
    case 5:
      return { ...plain, ...known, maximum: parts() }
    case 6:
      return { ...plain, ...known, minimum: parts(), maximum: parts() }
    case 7:
      return {
        ...plain,
        ...known,
        adValoremPpm: null,
        specific: specific(),
        minimum: parts(),
        maximum: parts(),
      }
    case 8:
      return { ...plain, ...known, maximum: difference(dice, currencies) }
    case 9:
      return { ...plain, specific: 'EA', condition: 'meursing', text: 'with EA' }
    case 10:
      return dice.pick<RateFields>([
        { ...plain, adValoremPpm: null, condition: 'not_parsed', text: 'as the chapter note says' },
        { ...plain, adValoremPpm: null, condition: 'not_loaded', text: 'by annex' },
        { ...plain, condition: 'seasonal', text: 'in summer more' },
        { ...plain, specific: specific(), condition: 'entry_price', text: 'by entry price' },
        { ...plain, ...known, specific: '6% on the case' },
      ])
    case 11:
      return seasonalRate(dice, currencies)
    case 12:
      return entryPrices(dice, currencies)
    default:
      return { ...plain, ...known }
  }
}

/** Two seasons that cover the year, or leave a part of it open. */
export function seasonalRate(dice: Dice, currencies: readonly string[]): RateFields {
  const percent = (): string => `${decimalText(randomPpm(dice), 4)}%`
  const rate = (): string =>
    dice.chance(0.8) ? percent() : `${percent()} + ${randomAmount(dice, 40)} ${dice.pick(currencies)}/100 kg`
  const text = dice.pick([
    `${rate()} (01 NOV-31 MAY), ${rate()} (01 JUN-31 OCT)`,
    `${rate()} (01 JAN-14 FEB, 16 JUN-31 DEC), ${rate()} (15 FEB-15 JUN)`,
    `${rate()} (01 JUL-14 NOV)`,
  ])
  return { adValoremPpm: null, specific: '', minimum: '', maximum: '', condition: 'seasonal', text }
}

/** As TARIC writes them: the highest price first. */
function entryPrices(dice: Dice, currencies: readonly string[]): RateFields {
  const currency = dice.pick(currencies)
  const percent = `${decimalText(randomPpm(dice), 4)} %`
  const lowest = dice.chance(0.8) ? '0.000' : '20'
  const prices = [
    `V ${dice.int(400, 4000)} ${currency} DTN(01):${percent}`,
    `V ${dice.int(100, 399)}.500 ${currency} DTN(01):${percent} + ${randomAmount(dice, 30)} ${currency} DTN`,
    `V ${lowest} ${currency} DTN(01):${percent} + ${dice.int(31, 60)} ${currency} DTN`,
  ]
  return {
    ...{ adValoremPpm: null, specific: '', minimum: '', maximum: '' },
    condition: 'entry_price',
    text: prices.join(' ; '),
  }
}

/** "0.3 EUR/item". */
export function randomSpecific(dice: Dice, currencies: readonly string[]): string {
  const unit = dice.chance(0.05) ? dice.pick(OTHER_UNITS) : dice.pick(UNITS)
  const isLarge = /^(100|1000|tonne|hl|dozen)/.test(unit)
  return `${randomAmount(dice, isLarge ? 90 : 4)} ${dice.pick(currencies)}/${unit}`
}

/** "15 GBP/100 kg - 7 GBP/100 kg", never negative. */
function difference(dice: Dice, currencies: readonly string[]): string {
  const unit = `${dice.pick(currencies)}/${dice.pick(['100 kg', 'item'])}`
  const less = dice.int(1, 7)
  return `${less + dice.int(0, 9)} ${unit} - ${less} ${unit}`
}

/** Usually unlimited; otherwise with a first day, a last day, or both from `BORDERS`. */
export function randomValidity(dice: Dice): { validFrom: string | null; validTo: string | null } {
  const [first, last] = dice.some(BORDERS, 2, 2)
  switch (dice.int(0, 11)) {
    case 0:
      return { validFrom: first!, validTo: null }
    case 1:
      return { validFrom: null, validTo: last! }
    case 2:
      return { validFrom: first!, validTo: last! }
    default:
      return { validFrom: dice.chance(0.5) ? '2021-01-01' : null, validTo: null }
  }
}

/** A day of `BORDERS`, the day before or after, or any other day. */
export function randomDay(dice: Dice): string {
  const border = Date.parse(`${dice.pick(BORDERS)}T00:00:00Z`)
  const days = dice.pick([-1, 0, 1, dice.int(-200, 200)])
  return new Date(border + days * 86_400_000).toISOString().slice(0, 10)
}
