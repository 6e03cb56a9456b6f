/**
 * How much a rate book can answer to one request of an account at most: counts of what is in it, over all days. Worked
 * out once per book.
 */
import { type BookCard, type ProductGroup, productsIn } from '../../core/rating/book/book-card.ts'
import type { BookProduct } from '../../core/rating/book/book-product.ts'
import type { RateBook } from '../../core/rating/book/rate-book.ts'
import type { PricingBasis } from '../../core/rating/rate-card.ts'
import type { ParcelType } from '../generated.ts'

/** Upper bounds of what an account can be answered. */
export type BookBounds = {
  readonly carriers: number
  /** Products of the carrier with the most. */
  readonly productsOfCarrier: number
  /** Products that a quote offers or declines. */
  readonly products: number
  /** All options of a parcel type: the products that carry it, and the rest on their average. */
  readonly ofType: Readonly<Record<ParcelType, QuoteBounds>>
  /** Any one option, whichever has the most of each. */
  readonly ofOne: QuoteBounds
}

/** Upper bounds of the options of a quote. */
export type QuoteBounds = {
  readonly options: number
  /** Lines of a price: freight, contract, insurance and every surcharge that its product may pay. */
  readonly lines: number
  /** Inputs of all rules of an option, apart from those that each parcel row adds. */
  readonly ruleInputs: number
  /** What a parcel row adds to the inputs of all rules of an option. */
  readonly ruleInputsOfRow: number
}

/** The bounds for an account, with the cards that its contracts point to. */
export function boundsFor(book: RateBook, accountId: string): BookBounds {
  const account = book.contracts.has(accountId) ? accountId : EVERYONE
  const byAccount = known.get(book) ?? new Map<string, BookBounds>()
  known.set(book, byAccount)
  const bounds = byAccount.get(account) ?? boundsOf(book, account)
  byAccount.set(account, bounds)
  return bounds
}

const known = new WeakMap<RateBook, Map<string, BookBounds>>()

/** No account id is empty. */
const EVERYONE = ''

function boundsOf(book: RateBook, account: string): BookBounds {
  const contractCodes = [...(book.contracts.get(account)?.cardCodes ?? [])]
  const cards = [...book.cards, ...contractCodes.map((code) => book.contractCards.get(code) ?? [])]
  const all = cards.flat().flatMap(placesIn)
  return {
    carriers: book.carriers.length,
    productsOfCarrier: most(
      book.carriers,
      ({ code }) => book.products.filter(({ carrierCode }) => carrierCode === code).length,
    ),
    products: sumOf(cards, (versions) => most(versions, (version) => productsIn(version).length)),
    ofType: {
      NONDOC: boundsOfType(cards, 'NONDOC'),
      DOC: boundsOfType(cards, 'DOC'),
      PALLET: boundsOfType(cards, 'PALLET'),
    },
    ofOne: {
      options: 1,
      lines: most(all, linesOf),
      ruleInputs: most(all, inputsOf),
      ruleInputsOfRow: most(all, inputsOfRow),
    },
  }
}

/** A product within the group of its card. */
type Place = { readonly group: ProductGroup; readonly product: BookProduct }

function placesIn({ groups }: BookCard): readonly Place[] {
  return groups.flatMap((group) => group.products.map((product) => ({ group, product })))
}

/** On one day one version of each card prices, so the largest sum of its versions bounds it. */
function boundsOfType(cards: readonly (readonly BookCard[])[], type: ParcelType): QuoteBounds {
  const carries = ({ product }: Place): boolean => product.terms.parcelType === type
  const total = (count: (place: Place) => number): number =>
    sumOf(cards, (versions) => most(versions, (version) => sumOf(placesIn(version).filter(carries), count)))
  const options = total(() => 1)
  const each = Math.max(1, options)
  return {
    options,
    lines: total(linesOf) / each,
    ruleInputs: total(inputsOf) / each,
    ruleInputsOfRow: total(inputsOfRow) / each,
  }
}

/** Freight, contract and insurance. */
const OTHER_LINES = 3

/** Inputs of the rule of a freight, apart from those of rows; and of a contract and an insurance. */
const FREIGHT_INPUTS = 20
const OTHER_INPUTS = 8
/** Inputs of the rule of a surcharge, apart from those of rows and from the lines that it is a share of. */
const SURCHARGE_INPUTS = 8
/** What a row adds to the rule of a freight (core/rating/explain-freight.ts). */
const FREIGHT_INPUTS_OF_ROW: Readonly<Record<PricingBasis, number>> = {
  shipment: 6,
  'per-100kg': 6,
  parcel: 11,
  'pallet-class': 7,
}

/** The surcharges of a product, each once: rows of one code follow each other in time. */
function surchargesOf({ group }: Place) {
  return [...new Map(group.surcharges.map((surcharge) => [surcharge.code, surcharge])).values()]
}

function linesOf(place: Place): number {
  return OTHER_LINES + surchargesOf(place).length
}

function inputsOf(place: Place): number {
  const lines = linesOf(place)
  return (
    FREIGHT_INPUTS +
    OTHER_INPUTS +
    sumOf(surchargesOf(place), ({ method }) =>
      method === 'pct' || method === 'fuel' ? SURCHARGE_INPUTS + lines : SURCHARGE_INPUTS,
    )
  )
}

function inputsOfRow(place: Place): number {
  const ofFreight = FREIGHT_INPUTS_OF_ROW[place.product.terms.pricingBasis]
  // The weight of each row and its units; of a surcharge that is counted by units, the units.
  return (
    ofFreight +
    sumOf(surchargesOf(place), ({ method, per }) => (method === 'per_kg' ? 2 : per === 'unit' ? 1 : 0))
  )
}

function most<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((highest, item) => Math.max(highest, count(item)), 0)
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0)
}
