/**
 * Random requests for random customs data. Codes are national, of six digits, with an unknown tail, without their
 * leading zero, ended, or written with dots. Values are near the limits of rules.
 */

import { IMPORT_SCHEMES } from '../../../src/core/customs/data/row-types/thresholds.ts'
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import type { Place } from '../../../src/core/place.ts'
import type { OracleItem, OracleRequest } from '../oracle/customs/case.ts'
import { plainCode } from '../oracle/customs/code.ts'
import { ADDITIONAL_CODES } from './customs-conditional.ts'
import { randomDay } from './customs-rate.ts'
import { randomRegistrations } from './customs-seller-schemes.ts'
import { SIX_DIGITS } from './customs-tariff.ts'
import { type Dice, withoutUndefined } from './seeded-dice.ts'

/** A description that matches nothing, so an item without `tariff` gets no code. */
const DESCRIPTION = 'qwxz'

const SENDERS: readonly Place[] = [
  { country: 'CN' },
  { country: 'CN' },
  { country: 'VN' },
  { country: 'US' },
  { country: 'GB', zipcode: 'EH2 2GF' },
  { country: 'DE', zipcode: '10115' },
]
const ORIGINS = ['CN', 'VN', 'IN', 'JP', 'GB', 'DE', 'ZA']

/** A request and its day. Codes may have dots, which `withPlainCodes` removes. */
export function randomCustomsRequest(
  dice: Dice,
  rows: CustomsRows,
): { readonly request: OracleRequest; readonly date: string } {
  const to = randomDestination(dice, rows)
  const codes = rows.measures.map(({ codePrefix }) => codePrefix).filter((code) => code.length >= 6)
  const ended = rows.hsSuccessors.map(({ endedCode }) => endedCode)
  const isHeavy = dice.chance(0.5)
  const items: OracleItem[] = []
  const count = dice.int(1, dice.pick([1, 3, 8]))
  while (items.length < count) items.push(randomItem(dice, codes, ended, isHeavy, items))
  const request = withoutUndefined({
    from: dice.chance(0.2) ? randomDestination(dice, rows) : dice.pick(SENDERS),
    to,
    items: dice.chance(0.35) ? toBorder(dice, rows, items) : items,
    shippingCents: dice.maybe(0.4, () => dice.int(0, 5000)),
    insuranceCents: dice.maybe(0.3, () => dice.int(0, 1000)),
    recipient: dice.maybe(0.5, () => dice.pick(['individual', 'business'] as const)),
    preferences: dice.maybe(0.2, () => dice.chance(0.5)),
    importScheme: dice.maybe(0.4, () => dice.pick([...IMPORT_SCHEMES, 'SELLER_COLLECTS'] as const)),
    registrations: dice.maybe(0.4, () => randomRegistrations(dice, rows)),
    countAverages: dice.maybe(0.4, () => dice.chance(0.4)),
  }) as OracleRequest
  return { request, date: randomDay(dice) }
}

/** The same request, with codes of only digits, as after validation. */
export function withPlainCodes(request: OracleRequest): OracleRequest {
  const items = request.items.map((item) =>
    item.tariff === undefined ? item : { ...item, tariff: plainCode(item.tariff) },
  )
  return { ...request, items }
}

/** An end of a route in any jurisdiction; rarely in a country without data. */
function randomDestination(dice: Dice, { territories }: CustomsRows): Place {
  if (dice.chance(0.05)) return { country: 'ZA' }
  const { country, postalFrom } = dice.pick(territories)
  if (postalFrom !== '') return { country, zipcode: country === 'GB' ? 'BT1 5GS' : postalFrom.padEnd(5, '0') }
  return dice.chance(0.2) ? { country, zipcode: country === 'GB' ? 'KW1 1AA' : '97350' } : { country }
}

function randomItem(
  dice: Dice,
  codes: readonly string[],
  ended: readonly string[],
  isHeavy: boolean,
  before: readonly OracleItem[],
): OracleItem {
  const known = before.filter(({ tariff }) => tariff !== undefined)
  const again = known.length > 0 && dice.chance(0.25) ? dice.pick(known).tariff : undefined
  const tariff = again ?? (dice.chance(0.05) ? undefined : randomCode(dice, codes, ended))
  return withoutUndefined({
    description: DESCRIPTION,
    numberOfItems: dice.pick([1, 1, 2, 3, dice.int(1, 30)]),
    costSteps: randomCost(dice),
    tariff,
    originCountry: dice.maybe(0.6, () => dice.pick(ORIGINS)),
    weightGrams: dice.maybe(isHeavy ? 0.95 : 0.1, () => dice.int(1, 5000)),
    quantities: dice.maybe(0.4, () => randomQuantities(dice)),
    alcoholPpm: dice.maybe(0.4, () =>
      dice.pick([50_000, 85_000, 120_000, 150_000, 400_000, dice.int(1, 1_000_000)]),
    ),
    additionalCode: dice.maybe(0.4, () => dice.pick([...ADDITIONAL_CODES, 'C777'])),
  }) as OracleItem
}

function randomQuantities(dice: Dice): NonNullable<OracleItem['quantities']> {
  const units = dice.some(
    ['l', 'hl', 'm2', '% vol/hl', 'kg net drained wt', 'l pure alcohol', 'proof l'],
    1,
    3,
  )
  const distinct = units.includes('l') ? units.filter((unit) => unit !== 'hl') : units
  return distinct.map((unit) => ({ unit, amountMicros: dice.int(1, 3_000_000) }))
}

/** 10^-6 euro: whole euro, cents, or any step; rarely zero. */
function randomCost(dice: Dice): number {
  const euro = dice.pick([10, 40, 200, 3000])
  switch (dice.int(0, 9)) {
    case 0:
      return dice.chance(0.3) ? 0 : dice.int(1, 1000)
    case 1:
    case 2:
      return dice.int(1, euro * 1_000_000)
    case 3:
      return dice.int(1, euro) * 1_000_000
    default:
      return dice.int(1, euro * 100) * 10_000
  }
}

function randomCode(dice: Dice, codes: readonly string[], ended: readonly string[]): string {
  const line = codes.length > 0 && dice.chance(0.85) ? dice.pick(codes) : `${dice.pick(SIX_DIGITS)}10`
  const digit = (): string => String(dice.int(0, 9))
  switch (dice.int(0, 11)) {
    case 0:
    case 1:
    case 2:
      return line
    case 3:
    case 4:
    case 5:
      return line.slice(0, 6)
    case 6:
      return `${line.slice(0, dice.pick([6, 8]))}${digit()}${digit()}`
    case 7: {
      const zeroed = codes.filter((code) => code.startsWith('0') && code.length >= 8)
      return zeroed.length > 0 ? dice.pick(zeroed).slice(1) : line.slice(0, 6) + digit()
    }
    case 8:
      return `${line.slice(0, 4)}.${line.slice(4, 6)}.${digit()}${digit()}`
    case 9:
      return ended.length > 0 ? dice.pick(ended) + dice.pick(['', '', '10', '90']) : line
    case 10:
      return line.slice(0, 6) + digit().repeat(dice.int(1, 4))
    default:
      return line.slice(0, 4) + digit() + digit()
  }
}

/** Sets the value of the last item so that the total is a limit of a rule, or a millionth of a euro above or below. */
function toBorder(
  dice: Dice,
  { thresholds, sellerSchemes, exchangeRates }: CustomsRows,
  items: OracleItem[],
): OracleItem[] {
  const limits = [...thresholds, ...sellerSchemes].filter(({ limitAmount }) => limitAmount !== '')
  if (limits.length === 0) return items
  const { limitAmount, currency } = dice.pick(limits)
  const rate = exchangeRates.find((row) => row.currency === currency)?.unitsPerEuro ?? '1'
  const limit = Math.floor((Number(limitAmount) / Number(rate)) * 1_000_000)
  const last = items.at(-1)!
  const others = items.slice(0, -1).reduce((sum, item) => sum + item.costSteps * item.numberOfItems, 0)
  const missing = limit - others + dice.pick([0, 0, 0, -1, 1])
  if (missing < 0) return items
  return [...items.slice(0, -1), { ...last, numberOfItems: 1, costSteps: missing }]
}
