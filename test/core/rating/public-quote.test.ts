/** Quotes without the terms of contracts. */
import { expect, test } from 'vitest'
import { compileContracts } from '../../../src/core/rating/contract.ts'
import { withoutTerms } from '../../../src/core/rating/public-quote.ts'
import { quoteRates } from '../../../src/operations/quote-rates.ts'
import { demoRateBook } from '../../support/rates/demo-rate-book.ts'
import { NO_RATES } from '../../support/rates/exchange-rates.ts'

const INPUT = {
  from: { country: 'NL' },
  to: { country: 'DE' },
  parcels: [{ type: 'NONDOC', count: 1, weight: 5, length: 30, width: 20, height: 10 }],
}

function quoted(freightBps: number) {
  const row = { accountId: 'a-shop', validFrom: '2026-01-01', freightBps, fuelBps: -500, hidden: false }
  const contracts = compileContracts(
    [row, { ...row, productId: 1201, hidden: true }],
    demoRateBook().products,
  )
  const reference = {
    rateBook: () => ({ ...demoRateBook(), contracts }),
    customsTables: () => NO_RATES,
  }
  const ports = { reference, clock: () => new Date('2026-10-20T12:00:00Z') }
  const quote = quoteRates(ports, { accountId: 'a-shop' }, INPUT)
  if (quote.kind !== 'RateQuote') throw new Error('not a quote')
  return quote
}

test.each([
  ['a discount', -2_000],
  ['a markup', 1_550],
])('%s becomes part of the freight, and prices and their sums stay', (_name, freightBps) => {
  const quote = quoted(freightBps)
  const shown = withoutTerms(quote)
  expect(shown.options).toHaveLength(quote.options.length)
  expect(quote.options.length).toBeGreaterThan(0)
  for (const [index, option] of shown.options.entries()) {
    const original = quote.options[index]
    expect(original?.lines.map(({ kind }) => kind)).toContain('DISCOUNT')
    expect(option.priceCents).toBe(original?.priceCents)
    expect(option.lines.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(option.priceCents)
    expect(option.lines.map(({ kind }) => kind)).toEqual(
      original?.lines.map(({ kind }) => kind).filter((kind) => kind !== 'DISCOUNT'),
    )
    expect(option.lines.slice(1)).toEqual(original?.lines.slice(2))
    expect(option).not.toHaveProperty('listPriceCents')
  }
})

test('products that the contract excludes are not mentioned', () => {
  const quote = quoted(-2_000)
  const isExcluded = ({ decline }: (typeof quote.declined)[number]) => decline.code === 'NOT_ON_ACCOUNT'
  expect(quote.declined.some(isExcluded)).toBe(true)
  expect(withoutTerms(quote).declined).toEqual(quote.declined.filter((product) => !isExcluded(product)))
})

test('a quote without a contract stays the same', () => {
  const quote = quoted(0)
  const { options } = withoutTerms(quote)
  expect(options.map(({ lines }) => lines)).toEqual(quote.options.map(({ lines }) => lines))
})
