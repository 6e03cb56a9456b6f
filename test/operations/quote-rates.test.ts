/** Quotes for an account: its contracts set the prices, and its selection filters the options. */
import { describe, expect, test } from 'vitest'
import type { ContractRow } from '../../src/core/rating/contract.ts'
import type { SelectedQuote, SelectionInput } from '../../src/core/rating/selection.ts'
import type { ReferenceData } from '../../src/operations/ports/ports.ts'
import { quoteRates } from '../../src/operations/quote-rates.ts'
import { readDemoRateBook } from '../../src/reference/rate-cards/rate-card-csv.ts'
import {
  demoRateBook,
  figuresOf,
  ORDINARY_DAY,
  optionOf,
  parcelInput,
  quoteInput,
} from '../support/rates/demo-rate-book.ts'
import { NO_RATES } from '../support/rates/exchange-rates.ts'
import { bookOf } from '../support/rates/rate-cards.ts'

/** Acme pays 10% less with Rondeel and is not offered 1301. All other prices are the listed ones. */
const CONTRACTS: readonly ContractRow[] = [
  {
    accountId: 'acme',
    carrierCode: 'rondeel',
    validFrom: '2026-01-01',
    freightBps: -1000,
    fuelBps: 0,
    hidden: false,
  },
  {
    accountId: 'acme',
    productId: 1301,
    validFrom: '2026-01-01',
    freightBps: 0,
    fuelBps: 0,
    hidden: true,
  },
]
const book = bookOf(readDemoRateBook(), { code: 'demo' }, CONTRACTS)

function portsWith(rateBook: ReferenceData['rateBook']) {
  const reference: ReferenceData = { rateBook, customsTables: () => NO_RATES }
  return { reference, clock: () => new Date(`${ORDINARY_DAY}T12:00:00Z`) }
}

const ports = portsWith(() => book)

function quoteFor(accountId: string, selection?: SelectionInput, draft = parcelInput()): SelectedQuote {
  const outcome = quoteRates(ports, { accountId }, draft, selection)
  if (outcome.kind !== 'RateQuote') throw new Error(JSON.stringify(outcome.fields))
  return outcome
}

const idsOf = ({ options }: SelectedQuote) => options.map(({ product }) => product.productId)

describe('an account with a contract', () => {
  test('pays its contract price and sees the listed price, with the difference as an item', () => {
    const option = optionOf(quoteFor('acme'), 1201)
    // 14.25 less 1.425, which rounds to 1.42, is 12.83; fuel of 9.5% on that is 1.22; toll 0.21.
    expect(option).toMatchObject({ priceCents: 1283 + 122 + 21, listPriceCents: 1581 })
    expect(option?.lines[1]).toMatchObject({ kind: 'DISCOUNT', amountCents: -142 })
  })

  test('is informed that a product is not available to it', () => {
    const { declined } = quoteFor('acme')
    const hidden = declined.find(({ product }) => product.productId === 1301)
    expect(hidden?.decline).toMatchObject({ code: 'NOT_ON_ACCOUNT' })
  })

  test('receives each version that set a price once', () => {
    expect(quoteFor('acme').rateCardVersions).toEqual(['demo@1'])
  })

  test('sees its options in the order of its prices', () => {
    expect(idsOf(quoteFor('acme'))).toEqual([1201, 1202, 1103, 1101])
  })
})

test('an account without a contract gets the same quote as without any contracts', () => {
  expect(figuresOf(quoteFor('other'))).toEqual(figuresOf(quoteInput(parcelInput())))
  expect(demoRateBook().contracts.size).toBe(0)
})

test('a day before the start of the rate book is refused', () => {
  const draft = parcelInput({ asOf: '1999-12-31T12:00:00Z' })
  expect(
    quoteRates(
      portsWith(() => book),
      { accountId: 'other' },
      draft,
    ),
  ).toMatchObject({
    kind: 'InputProblem',
    fields: [
      {
        path: ['asOf'],
        code: 'OUT_OF_RANGE',
        message: 'must not be before 2000-01-01: earlier prices are not kept',
      },
    ],
  })
})

describe('a selection', () => {
  test('filters options by the price of the account', () => {
    const cheap = { filter: { maxPrice: '14.26' } }
    expect(idsOf(quoteFor('acme', cheap))).toEqual([1201])
    expect(quoteFor('acme', cheap).filteredOut).toBe(3)
    expect(quoteFor('other', cheap)).toMatchObject({ options: [], filteredOut: 5 })
  })

  test('keeps declined products and changes no price', () => {
    const all = quoteFor('other')
    const some = quoteFor('other', { filter: { carriers: ['rondeel'] }, sort: 'TRANSIT' })
    expect(idsOf(some)).toEqual([1202, 1201])
    expect(some.declined).toEqual(all.declined)
    expect(optionOf(some, 1201)).toEqual(optionOf(all, 1201))
  })

  test('may name a product that the account is not offered, and then returns nothing', () => {
    expect(quoteFor('acme', { filter: { products: ['1301'] } })).toMatchObject({
      options: [],
      filteredOut: 4,
    })
  })

  test('has its faults reported together with those of the request', () => {
    const draft = parcelInput({ to: {} })
    const selection = { filter: { carriers: ['nobody'], products: ['nothing'] } }
    expect(
      quoteRates(
        portsWith(() => book),
        { accountId: 'acme' },
        draft,
        selection,
      ),
    ).toMatchObject({
      kind: 'InputProblem',
      message: 'The request was not accepted: 3 fields need attention',
      fields: [
        { path: ['to', 'country'] },
        { path: ['filter', 'carriers', 0], message: 'there is no carrier "nobody"' },
        { path: ['filter', 'products', 0], message: 'there is no product "nothing"' },
      ],
    })
  })
})

test('a product that only contracts sell can be named only by accounts with such a contract', () => {
  const { content, ...shared } = readDemoRateBook()
  const onlyForContracts = bookOf({ content, ...shared }, { code: 'own', audience: 'contract' }, [
    { ...CONTRACTS[0]!, freightBps: 0, cardCode: 'own' },
  ])
  const ask = (accountId: string) =>
    quoteRates(
      portsWith(() => onlyForContracts),
      { accountId },
      parcelInput(),
      {
        filter: { products: ['1201'] },
      },
    )
  expect(ask('acme')).toMatchObject({ options: [{ product: { productId: 1201 }, card: { code: 'own' } }] })
  expect(ask('other')).toMatchObject({ fields: [{ message: 'there is no product "1201"' }] })
})
