/**
 * What an account with contracts is offered: every product with the card that prices it, the one that lists it,
 * and the agreement that decides. Accounts without contracts need none of this.
 */
import type { BookCard, ProductGroup } from './book/book-card.ts'
import type { BookProduct, QuotedProduct } from './book/book-product.ts'
import { cardsOn, type RateBook, versionOn } from './book/rate-book.ts'
import { type AccountContracts, type ContractRow, contractOn } from './contract.ts'

/** A product where it stands in a card. */
export type Listing = { readonly group: ProductGroup; readonly product: BookProduct }

/** A product as an account may have it. */
export type Offer = {
  readonly name: QuotedProduct
  /** What prices it; undefined where the contract hides the product. */
  readonly priced: Listing | undefined
  /** Where it stands in a card for everyone; undefined where contracts alone sell it. */
  readonly listed: Listing | undefined
  /** The agreement that decides; undefined where it is sold as listed. */
  readonly contract: ContractRow | undefined
}

/** The offers of an account on a day. */
export function offersOf(book: RateBook, contracts: AccountContracts, date: string): readonly Offer[] {
  const contractCards = contractListings(book, contracts, date)
  const offers: Offer[] = []
  const listedIds = new Set<number>()
  for (const listed of listingsOf(cardsOn(book, date))) {
    const { terms, name } = listed.product
    listedIds.add(terms.productId)
    const contract = contractOn(contracts, terms, date)
    const own = contractCards.get(contract?.cardCode ?? '')?.get(terms.productId)
    const priced = contract?.hidden === true ? undefined : (own ?? listed)
    offers.push({
      name,
      priced,
      listed,
      contract: contract && changesPrice(contract, own) ? contract : undefined,
    })
  }
  for (const [cardCode, listings] of contractCards)
    for (const [productId, priced] of listings) {
      const { terms, name } = priced.product
      if (listedIds.has(productId)) continue
      const contract = contractOn(contracts, terms, date)
      if (contract?.cardCode !== cardCode) continue
      offers.push({ name, priced: contract.hidden ? undefined : priced, listed: undefined, contract })
    }
  return offers
}

/** An agreement that points to a card without the product, and adjusts nothing, leaves it as listed. */
function changesPrice({ freightBps, fuelBps, hidden }: ContractRow, own: Listing | undefined): boolean {
  return freightBps !== 0 || fuelBps !== 0 || hidden || own !== undefined
}

function* listingsOf(cards: readonly BookCard[]): Generator<Listing> {
  for (const { groups } of cards)
    for (const group of groups) for (const product of group.products) yield { group, product }
}

/** The products of the cards that an account's contracts point to, by card and id. */
function contractListings(
  book: RateBook,
  { cardCodes }: AccountContracts,
  date: string,
): ReadonlyMap<string, ReadonlyMap<number, Listing>> {
  const byCard = new Map<string, ReadonlyMap<number, Listing>>()
  for (const code of cardCodes) {
    const card = versionOn(book.contractCards.get(code) ?? [], date)
    if (card === undefined) continue
    byCard.set(
      code,
      new Map([...listingsOf([card])].map((listing) => [listing.product.terms.productId, listing])),
    )
  }
  return byCard
}
