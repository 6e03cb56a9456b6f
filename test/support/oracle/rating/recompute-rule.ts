/**
 * Oracle for explained prices: recalculates the amount of a price line from the inputs of its rule, by their names.
 * Throws if inputs contradict each other.
 * Names of inputs: src/core/rating/explain/explain.ts.
 */
import type { RuleInput } from '../../../../src/core/rating/explain/explain.ts'

/** A number as `numerator / 10^6`. */
const SCALE = 1_000_000n

/** Inputs by name. */
type Inputs = ReadonlyMap<string, string>

/** The amount in cents. */
export function recompute(list: readonly RuleInput[]): number {
  // Weights in pounds or ounces are calculated with like kilograms.
  const inputs = new Map(
    list.map(({ name, value }) => [inKilograms(name), name.includes('divisor') ? value : inKilograms(value)]),
  )
  check(inputs.size === list.length, 'a name is used twice')
  inputs.set('unit of weight', list.some(({ value }) => value.endsWith(' oz')) ? 'ounce' : 'other')
  if (inputs.has('free cover')) return insurance(inputs)
  if (inputs.has('change'))
    return share(cents(inputs, inputs.has('surcharge') ? 'surcharge' : 'freight'), rate(inputs, 'change'))
  if (inputs.has('minimum net charge'))
    return cents(inputs, 'minimum net charge') - cents(inputs, 'net freight')
  if (inputs.has('agreed price')) {
    for (const row of rowsOf(inputs)) checkWeight(inputs, row)
    return cents(inputs, 'agreed price')
  }
  if (inputs.has('pricing basis')) return freight(inputs)
  check(inputs.has('trigger'), 'unknown rule')
  if (inputs.has('base')) return percentage(inputs)
  if (inputs.has('rate per kg')) return perKilogram(inputs)
  const fuel = [...inputs.keys()].find((name) => /^fuel per (kg|unit)$/.test(name))
  if (fuel !== undefined) return fuelAmount(inputs, fuel)
  return flat(inputs)
}

function inKilograms(text: string): string {
  return text.replace(/\b(?:lb|oz)\b/g, 'kg')
}

function insurance(inputs: Inputs): number {
  const value = cents(inputs, 'value')
  const free = cents(inputs, 'free cover') * count(inputs, 'covers')
  if (value <= free) return 0
  const premium = inputs.has('band') ? premiumInBand(inputs, value, free) : share(value, rate(inputs, 'rate'))
  return Math.max(premium, cents(inputs, 'minimum'))
}

function premiumInBand(inputs: Inputs, value: number, free: number): number {
  const bounds = textOf(inputs, 'band')
    .match(/[\d.]+(?= EUR)/g)!
    .map((text) => Number(exact(text) / (SCALE / 100n)))
  const [over, upTo] = bounds.length === 1 ? [0, bounds[0]!] : [bounds[0]!, bounds[1]!]
  check(over < value && value <= upTo, 'the value lies outside the band')
  const price = cents(inputs, 'band price')
  if (!inputs.has('step')) return price
  const above = cents(inputs, 'steps above')
  check(above === (over > free ? over : free), 'the steps begin elsewhere')
  const steps = count(inputs, 'started steps')
  const step = cents(inputs, 'step')
  check((steps - 1) * step < value - above && value - above <= steps * step, 'the steps are miscounted')
  return price + steps * cents(inputs, 'step price')
}

function percentage(inputs: Inputs): number {
  const base = cents(inputs, 'base')
  const parts = [...inputs.keys()].filter((name) => name.startsWith('base: '))
  check(base === sum(parts.map((name) => cents(inputs, name))), 'the base is not the sum of its lines')
  if (inputs.get('rate') === 'none') return 0
  const hundred = 100n * SCALE
  if (inputs.has('rate with earlier percentages')) {
    const earlier = [...inputs.keys()].filter((name) => name.startsWith('less: '))
    const all = share(base, rate(inputs, 'rate with earlier percentages'))
    return all - sum(earlier.map((name) => cents(inputs, name)))
  }
  const change = inputs.has('contract change') ? rate(inputs, 'contract change') : 0n
  const amount = halfUp(BigInt(base) * rate(inputs, 'rate') * (hundred + change), hundred * hundred)
  return Number(limited(inputs, BigInt(amount), 1n))
}

/** An amount for each unit, or for each kilogram billed. */
function fuelAmount(inputs: Inputs, name: string): number {
  const count = inputs.has('units') ? number(inputs, 'units', '') : number(inputs, 'weight billed', 'kg')
  const hundred = 100n * SCALE
  const change = inputs.has('contract change') ? rate(inputs, 'contract change') : 0n
  const exact = count * number(inputs, name, 'EUR') * (hundred + change)
  return Number(limited(inputs, BigInt(halfUp(exact * 100n, SCALE * SCALE * hundred)), 1n))
}

function perKilogram(inputs: Inputs): number {
  const weight = number(inputs, 'weight billed', 'kg')
  check(weight === weightOfShipment(inputs), 'the weight is not the sum of its rows')
  const perKg = BigInt(cents(inputs, 'rate per kg'))
  const amount = halfUp(perKg * weight, SCALE)
  if (!inputs.has('units')) return Number(limited(inputs, BigInt(amount), 1n))
  // Minimum and maximum apply to each unit separately.
  const amounts = rowsOf(inputs).map((row) => {
    const charge = perKg * number(inputs, `${row} chargeable weight`, 'kg')
    return limited(inputs, charge, SCALE) * BigInt(count(inputs, `${row} units`))
  })
  return halfUp(
    amounts.reduce((all, row) => all + row, 0n),
    SCALE,
  )
}

/** An amount within minimum and maximum, if they are given. All are in cents / `scale`. */
function limited(inputs: Inputs, amount: bigint, scale: bigint): bigint {
  const limit = (name: string): bigint | undefined =>
    inputs.has(name) ? BigInt(cents(inputs, name)) * scale : undefined
  const [minimum, maximum] = [limit('minimum'), limit('maximum')]
  if (minimum !== undefined && amount < minimum) return minimum
  return maximum !== undefined && amount > maximum ? maximum : amount
}

function flat(inputs: Inputs): number {
  if (!inputs.has('units')) return cents(inputs, 'amount')
  const units = count(inputs, 'units')
  check(units === sum(rowsOf(inputs).map((row) => count(inputs, `${row} units`))), 'units are missing')
  return cents(inputs, 'amount') * units
}

function freight(inputs: Inputs): number {
  const rows = rowsOf(inputs)
  const first = rows[0] ?? ''
  if (inputs.has(`${first} class price`))
    return sum(
      rows.map((row) => {
        const spaces = inputs.has(`${row} size class`) ? 1 : count(inputs, `${row} spaces`)
        const places = count(inputs, `${row} units`) * spaces
        return cents(inputs, `${row} class price`) * places
      }),
    )
  for (const row of rows) checkWeight(inputs, row)
  if (inputs.has(`${first} band`))
    return sum(
      rows.map((row) => {
        const weight = number(inputs, `${row} chargeable weight`, 'kg')
        return inBand(inputs, weight, `${row} `) * count(inputs, `${row} units`)
      }),
    )
  if (inputs.has(`${first} freight class`)) return ratesByClass(inputs, rows)
  const weight = weightOfShipment(inputs)
  const billed = number(inputs, 'weight billed', 'kg')
  const price = inBand(inputs, weight, '')
  if (!inputs.has('next band')) {
    check(billed === weight, 'the weight is not the sum of its rows')
    return price
  }
  check(number(inputs, 'chargeable weight', 'kg') === weight, 'the weight is not the sum of its rows')
  check(band(inputs, 'next band').over === billed, 'the next band begins elsewhere')
  const next = halfUp(BigInt(cents(inputs, 'next rate per 100 kg')) * billed, 100n * SCALE)
  check(next < price, 'the next band is not cheaper')
  return next
}

/** What the billed weight has more than the rows has the lowest rate. */
function ratesByClass(inputs: Inputs, rows: readonly string[]): number {
  const weight = weightOfShipment(inputs)
  const billed = number(inputs, 'weight billed', 'kg')
  const { over, upTo } = band(inputs, 'band')
  check((weight > over || over === 0n) && weight <= upTo, 'the weight lies outside the band')
  if (inputs.has('next band'))
    check(band(inputs, 'next band').over === billed, 'the next band begins elsewhere')
  else check(billed === weight, 'the weight is not the sum of its rows')
  const rates = rows.map((row) => BigInt(cents(inputs, `${row} rate per 100 kg`)))
  const lowest = rates.reduce((a, b) => (b < a ? b : a))
  const charges = rows.map((row, at) => {
    const units = BigInt(count(inputs, `${row} units`))
    return rates[at]! * number(inputs, `${row} chargeable weight`, 'kg') * units
  })
  return halfUp(
    charges.reduce((all, charge) => all + charge, lowest * (billed - weight)),
    100n * SCALE,
  )
}

function inBand(inputs: Inputs, weight: bigint, row: string): number {
  const { over, upTo } = band(inputs, `${row}band`)
  check((weight > over || over === 0n) && weight <= upTo, 'the weight lies outside the band')
  if (inputs.has(`${row}rate per 100 kg`))
    return halfUp(BigInt(cents(inputs, `${row}rate per 100 kg`)) * weight, 100n * SCALE)
  const price = cents(inputs, `${row}band price`)
  if (!inputs.has(`${row}step`)) return price
  const step = number(inputs, `${row}step`, 'kg')
  const steps = count(inputs, `${row}started steps`)
  check(BigInt(steps) === (weight - over + step - 1n) / step, 'the steps are miscounted')
  const exact = number(inputs, `${row}step price`, 'EUR') * BigInt(steps) + (BigInt(price) * SCALE) / 100n
  return halfUp(100n * exact, SCALE)
}

/** The chargeable weight must be the larger of actual and volumetric weight, rounded up to the step. */
function checkWeight(inputs: Inputs, row: string): void {
  const actual = number(inputs, `${row} actual weight`, 'kg')
  if (inputs.has('weight of a document')) check(actual > 0n, 'a document has no weight')
  const byVolume = volumetric(inputs, row)
  if (inputs.has(`${row} volumetric weight`))
    check(number(inputs, `${row} volumetric weight`, 'kg') === byVolume, 'the volumetric weight is wrong')
  else check(byVolume === 0n, 'the volumetric weight is missing')
  const floor = inputs.has(`${row} smallest weight`) ? number(inputs, `${row} smallest weight`, 'kg') : 0n
  const larger = [actual, byVolume, floor].reduce((most, weight) => (weight > most ? weight : most))
  const smallest = inputs.has('smallest weight of a unit')
    ? number(inputs, 'smallest weight of a unit', 'kg')
    : 0n
  const stepped = toStep(inputs, larger)
  const rounded = stepped > smallest ? stepped : smallest
  check(rounded === number(inputs, `${row} chargeable weight`, 'kg'), 'the weight is not rounded up')
}

/** A weight rounded up to the step of the product for that weight. */
function toStep(inputs: Inputs, weight: bigint): bigint {
  const isHeavy = inputs.has('heavy above') && weight > number(inputs, 'heavy above', 'kg')
  const step = number(inputs, isHeavy ? 'heavy weight rounded up to' : 'weight rounded up to', 'kg')
  return ((weight + step - 1n) / step) * step
}

/** The volumetric weight of a unit by cubic inches per pound, rounded up to the thousandth. A side is "15 95/127". */
function byInches(inputs: Inputs, row: string): bigint {
  const divisor = textOf(inputs, 'volumetric divisor')
  const cube = textOf(inputs, `${row} size in inches`)
    .split(' × ')
    .map((side) => {
      const [whole = '', rest = '0'] = side.split(' ')
      return BigInt(whole) * 127n + BigInt(rest.replace('/127', ''))
    })
    .reduce((volume, side) => volume * side)
  const perPound = textOf(inputs, 'unit of weight') === 'ounce' ? 16_000n : 1000n
  const divided = 127n ** 3n * BigInt(divisor.replace(/\D.*/, ''))
  return ((cube * perPound + divided - 1n) / divided) * (SCALE / 1000n)
}

/** The largest volumetric weight of a unit, rounded up to the gram. */
function volumetric(inputs: Inputs, row: string): bigint {
  if (inputs.has(`${row} size in inches`)) return byInches(inputs, row)
  const size = inputs.get(`${row} size`)?.match(/\d+/g)?.map(BigInt)
  if (size === undefined) {
    check(!inputs.has('volumetric divisor') || inputs.has('weight of a document'), 'the size is missing')
    return 0n
  }
  const [length = 0n, width = 0n, height = 0n] = size
  const grams = [0n]
  const toGrams = (kilograms: bigint, divisor: bigint): bigint =>
    ((kilograms * 1000n) / SCALE + divisor - 1n) / divisor
  const volume = length * width * height
  if (inputs.has('volumetric divisor'))
    grams.push(toGrams(volume * SCALE, number(inputs, 'volumetric divisor', 'cm³/kg') / SCALE))
  if (inputs.has('weight of a cubic metre'))
    grams.push(toGrams(volume * number(inputs, 'weight of a cubic metre', 'kg'), 1_000_000n))
  if (inputs.has('weight of a loading metre')) {
    const floor = length * width * number(inputs, 'weight of a loading metre', 'kg')
    grams.push(toGrams(floor, inputs.get(`${row} stackable`) === 'yes' ? 48_000n : 24_000n))
  }
  return grams.reduce((larger, other) => (other > larger ? other : larger)) * (SCALE / 1000n)
}

function rowsOf(inputs: Inputs): string[] {
  return [...inputs.keys()].flatMap((name) => /^(row \d+) units$/.exec(name)?.[1] ?? [])
}

function weightOfRows(inputs: Inputs): bigint {
  return rowsOf(inputs).reduce(
    (weight, row) =>
      weight + number(inputs, `${row} chargeable weight`, 'kg') * BigInt(count(inputs, `${row} units`)),
    0n,
  )
}

function largerTotal(inputs: Inputs): bigint {
  const [actual, byVolume] = ['total actual weight', 'total volumetric weight'].map((name) =>
    number(inputs, name, 'kg'),
  )
  for (const [total, name] of [
    [actual!, 'actual weight'],
    [byVolume!, 'volumetric weight'],
  ] as const) {
    const rows = rowsOf(inputs).filter((row) => inputs.has(`${row} ${name}`))
    if (rows.length < rowsOf(inputs).length) continue
    const added = rows.map(
      (row) => number(inputs, `${row} ${name}`, 'kg') * BigInt(count(inputs, `${row} units`)),
    )
    // Weights of rows may be rounded up to the thousandth.
    const units = sum(rows.map((row) => count(inputs, `${row} units`)))
    const most = added.reduce((all, weight) => all + weight, 0n)
    check(total <= most && most - total <= BigInt(units) * (SCALE / 1000n), `the total ${name} is wrong`)
  }
  return toStep(inputs, actual! > byVolume! ? actual! : byVolume!)
}

function weightOfShipment(inputs: Inputs): bigint {
  const optional = (name: string): bigint => (inputs.has(name) ? number(inputs, name, 'kg') : 0n)
  const step = optional('weight of the shipment rounded up to')
  const smallest = optional('smallest weight of the shipment')
  const sum = inputs.has('total actual weight') ? largerTotal(inputs) : weightOfRows(inputs)
  const rounded = step === 0n ? sum : ((sum + step - 1n) / step) * step
  return rounded > smallest ? rounded : smallest
}

function band(inputs: Inputs, name: string): { over: bigint; upTo: bigint } {
  const [, over = '0', upTo] = /^(?:over (\S+) kg )?up to (\S+) kg$/.exec(textOf(inputs, name)) ?? []
  check(upTo !== undefined, `${name} is not a band`)
  return { over: exact(over), upTo: exact(upTo!) }
}

const rate = (inputs: Inputs, name: string): bigint => number(inputs, name, '%')
const count = (inputs: Inputs, name: string): number => Number(number(inputs, name, '') / SCALE)
const cents = (inputs: Inputs, name: string): number => Number(number(inputs, name, 'EUR') / (SCALE / 100n))
const share = (amount: number, percent: bigint): number => halfUp(BigInt(amount) * percent, 100n * SCALE)
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

function number(inputs: Inputs, name: string, unit: string): bigint {
  const [, figure = '', written] = /^(-?[\d.]+) ?(\D*)$/.exec(textOf(inputs, name)) ?? []
  check(written === unit, `${name} is not in ${unit}`)
  return exact(figure)
}

function exact(figure: string): bigint {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?$/.exec(figure) ?? []
  check(whole !== undefined, `${figure} is not a number`)
  return BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`)
}

function textOf(inputs: Inputs, name: string): string {
  const value = inputs.get(name)
  check(value !== undefined, `there is no ${name}`)
  return value!
}

/** Rounded half up (towards +∞ at exactly one half). */
function halfUp(numerator: bigint, denominator: bigint): number {
  const [doubled, divisor] = [2n * numerator + denominator, 2n * denominator]
  const towardsZero = doubled / divisor
  const isBelow = doubled < 0n && doubled % divisor !== 0n
  return Number(isBelow ? towardsZero - 1n : towardsZero)
}

function check(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}
