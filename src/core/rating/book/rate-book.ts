/**
 * The rate book: all published rate cards, compiled, with what lies beside them (fuel, capitals, contracts). One
 * immutable object, swapped as a whole; quoting never touches the database.
 */
import { groupBy } from '../../group-by.ts'
import { isInForce } from '../../validity.ts'
import { type AccountContracts, type ContractRow, compileContracts } from '../contract.ts'
import type { CapitalRow, CarrierRow, FuelRate } from '../rate-card.ts'
import { type BookCard, productsIn } from './book-card.ts'
import { type CapitalTable, compileCapitals } from './place-table.ts'

/** All that is on offer, now and on other days. */
export type RateBook = {
  /** Counts the changes of what is sold; a newer book has a higher one. */
  readonly revision: number
  /** The first day it can price ('YYYY-MM-DD'): versions that priced earlier days only are not in it. */
  readonly since: string
  /** The carriers of its products, by name. */
  readonly carriers: readonly CarrierRow[]
  /** What speaks to a carrier, by its code; also those that sell nothing any more. */
  readonly connectors: ReadonlyMap<string, string>
  /** What everyone is offered, by id. */
  readonly products: readonly {
    readonly productId: number
    readonly name: string
    readonly carrierCode: string
  }[]
  /** The versions of each card for everyone, newest first, in the order of the cards' codes. */
  readonly cards: readonly (readonly BookCard[])[]
  /** The versions of each card that contracts point to, newest first, by code. */
  readonly contractCards: ReadonlyMap<string, readonly BookCard[]>
  readonly contracts: ReadonlyMap<string, AccountContracts>
  readonly capitals: CapitalTable
  /** By carrier, then by code, newest first. */
  readonly fuel: ReadonlyMap<string, ReadonlyMap<string, readonly FuelRate[]>>
}

/** What a rate book is compiled from. */
export type RateBookSources = {
  readonly revision: number
  readonly since: string
  readonly carriers: readonly CarrierRow[]
  readonly cards: readonly BookCard[]
  readonly fuel: readonly FuelRate[]
  readonly capitals: readonly CapitalRow[]
  readonly contracts: readonly ContractRow[]
}

/** Compiles a rate book. Throws on a product that two cards sell to everyone on the same day. */
export function compileRateBook({
  revision,
  since,
  carriers,
  cards,
  fuel,
  capitals,
  contracts,
}: RateBookSources): RateBook {
  const newestFirst = [...cards].sort((a, b) =>
    a.code < b.code ? -1 : a.code > b.code ? 1 : b.versionNo - a.versionNo,
  )
  const versionsFor = (audience: BookCard['audience']): Map<string, BookCard[]> =>
    groupBy(
      newestFirst.filter((card) => card.audience === audience),
      ({ code }) => code,
    )
  const forEveryone = [...versionsFor('everyone').values()]
  refuseSharedProducts(forEveryone)
  const selling = new Set(cards.flatMap(({ groups }) => groups.map(({ carrier }) => carrier.code)))
  return {
    revision,
    since,
    connectors: new Map(carriers.map(({ code, connector }) => [code, connector])),
    carriers: carriers.filter(({ code }) => selling.has(code)).sort((a, b) => (a.name < b.name ? -1 : 1)),
    products: productsOf(forEveryone),
    cards: forEveryone,
    contractCards: versionsFor('contract'),
    contracts: compileContracts(contracts),
    capitals: compileCapitals(capitals),
    fuel: compileFuel(fuel),
  }
}

function compileFuel(rates: readonly FuelRate[]): RateBook['fuel'] {
  const newestFirst = [...rates].sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))
  const byCarrier = groupBy(newestFirst, ({ carrierCode }) => carrierCode)
  return new Map([...byCarrier].map(([carrierCode, own]) => [carrierCode, groupBy(own, ({ code }) => code)]))
}

/** Which cards price changes on the first and last days of versions only, so those are looked at. */
function refuseSharedProducts(cards: readonly (readonly BookCard[])[]): void {
  const days = new Set(cards.flat().flatMap(({ validFrom, validTo }) => [validFrom, validTo ?? validFrom]))
  for (const day of days) {
    const sellers = new Map<number, string>()
    for (const versions of cards) {
      const card = versionOn(versions, day)
      for (const { terms } of card === undefined ? [] : productsIn(card)) {
        const other = sellers.get(terms.productId)
        if (other !== undefined)
          throw new Error(
            `product ${terms.productId} is in two rate cards on ${day}, ${other} and ${card!.code}`,
          )
        sellers.set(terms.productId, card!.code)
      }
    }
  }
}

/** Every product once, by id, as the newest version of its newest card names it. */
function productsOf(cards: readonly (readonly BookCard[])[]): RateBook['products'] {
  const newestFirst = cards.flat().sort((a, b) => (a.validFrom < b.validFrom ? 1 : -1))
  const byId = new Map<number, RateBook['products'][number]>()
  for (const { terms } of newestFirst.flatMap(productsIn)) {
    const { productId, name, carrierCode } = terms
    if (!byId.has(productId)) byId.set(productId, { productId, name, carrierCode })
  }
  return [...byId.values()].sort((a, b) => a.productId - b.productId)
}

/** The version of a card that prices on a day: the newest that is valid then. Versions come newest first. */
export function versionOn(versions: readonly BookCard[], date: string): BookCard | undefined {
  return versions.find((version) => isInForce(version, date))
}

/** The cards for everyone that price on a day. */
export function cardsOn({ cards }: RateBook, date: string): readonly BookCard[] {
  return cards.flatMap((versions) => versionOn(versions, date) ?? [])
}

/** The fuel surcharge of a carrier on a day, under a surcharge's code; undefined when none is in force. */
export function fuelRateOn(
  book: RateBook,
  carrierCode: string,
  code: string,
  date: string,
): FuelRate | undefined {
  return book.fuel
    .get(carrierCode)
    ?.get(code)
    ?.find(({ validFrom }) => validFrom <= date)
}
