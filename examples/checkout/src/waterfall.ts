/** The landed cost as rows: what each part adds, what is not charged, and what is not known. */
import { type Amount, centsOf, money } from './money.ts'
import { euros, shippingPrice } from './vat.ts'
import type { LandedCost } from './waybill.ts'

type TaxLine = LandedCost['duties']['taxes'][number]

export type Row = {
  readonly name: string
  readonly cents: number
  /** What the rows above add up to, for the position of the bar. */
  readonly beforeCents: number
  /** How the amount was calculated, or why it is zero. */
  readonly details: readonly string[]
  /** `free`: nothing is charged. `unknown`: something may be charged, but it could not be calculated. */
  readonly state: 'charged' | 'free' | 'unknown'
}

type Part = Omit<Row, 'beforeCents'>

export type ArrivalTotal = {
  /** The total of Waybill, which is without the VAT on shipping, and this VAT. */
  readonly amount: Amount
  readonly isComplete: boolean
}

export function arrivalTotal({ total, duties, rateOption }: LandedCost): ArrivalTotal {
  const { vat } = shippingPrice(rateOption)
  return {
    amount: euros(centsOf(total) + (vat?.cents ?? 0)),
    isComplete: duties.complete && vat !== undefined,
  }
}

/** The cents of the rows add up to `arrivalTotal`, because they are all its addends. */
export function rowsOf({
  goodsValue,
  rateOption,
  insuranceCost,
  duties,
  clearanceFees,
}: LandedCost): readonly Row[] {
  const insuranceCents = centsOf(insuranceCost)
  const parts: readonly Part[] = [
    { name: 'Goods', cents: centsOf(goodsValue), details: [], state: 'charged' },
    { name: 'Shipping', cents: centsOf(rateOption.price), details: [], state: 'charged' },
    vatPart(rateOption),
    ...(insuranceCents > 0
      ? [{ name: 'Insurance', cents: insuranceCents, details: [], state: 'charged' as const }]
      : []),
    ...grouped(duties.taxes),
    ...clearanceFees.map(({ name, amount, description, calculated }) =>
      partOf(name, [{ cents: centsOf(amount), detail: description, isKnown: calculated }]),
    ),
  ]
  let beforeCents = 0
  return parts.map((part) => {
    const row = { ...part, beforeCents }
    beforeCents += part.cents
    return row
  })
}

function vatPart(option: LandedCost['rateOption']): Part {
  const { vat } = shippingPrice(option)
  const name = 'VAT on shipping'
  if (vat === undefined)
    return { name, cents: 0, details: ['The VAT of this route is not known.'], state: 'unknown' }
  const details = [`${vat.percent}% of shipping ${money(option.price)}`]
  return { name, cents: vat.cents, details, state: vat.cents === 0 ? 'free' : 'charged' }
}

/** One part for each name: the lines of several articles are added up. */
function grouped(taxes: readonly TaxLine[]): readonly Part[] {
  const names = [...new Set(taxes.map(({ name }) => name))]
  return names.map((name) =>
    partOf(
      name,
      taxes
        .filter((line) => line.name === name)
        .map(({ amount, hsCode, description, calculated }) => ({
          ...{ cents: centsOf(amount), detail: `${hsCode}: ${description}`, isKnown: calculated },
        })),
    ),
  )
}

type Line = { readonly cents: number; readonly detail: string; readonly isKnown: boolean }

function partOf(name: string, lines: readonly Line[]): Part {
  const cents = lines.reduce((sum, line) => sum + line.cents, 0)
  const isKnown = lines.every((line) => line.isKnown)
  const state = isKnown ? (cents === 0 ? 'free' : 'charged') : 'unknown'
  return { name, cents, details: lines.map(({ detail }) => detail), state }
}
