/** The products that an account is offered, and the surcharges whose terms a change of its contract changes. */
import type { BookCard } from '../../rating/book/book-card.ts'
import { type Listing, listingsIn, type RateBook, versionOn } from '../../rating/book/rate-book.ts'
import { type AgreedTerms, type ContractRow, contractOn } from '../../rating/contract.ts'
import { hasMargin } from '../../rating/margin.ts'
import type { BookTerms } from '../../rating/rate-card.ts'
import type { ProductRule } from '../sample/rule-cases.ts'
import type { ListingPair } from '../sample/sample-routes.ts'

/** The products that a contract or a margin is for. */
export type Scope = Pick<ContractRow, 'productId' | 'carrierCode'>

/** The account that is offered products, and the products to look for. Undefined `accountId`: everyone. */
type Offering = { readonly accountId: string | undefined; readonly scopes: readonly Scope[] }

/** By product in scope: the listings that price it for the account, that of a card, that of a margin, or both. */
export function offeredListings(
  book: RateBook,
  { accountId = '', scopes }: Offering,
  day: string,
): ReadonlyMap<number, readonly Listing[]> {
  const contracts = book.contracts.get(accountId)
  const termsOf = (terms: BookTerms) => contracts && contractOn(contracts, terms, day)
  const { forAll, byAccount } = book.margins
  const own = byAccount.get(accountId)
  const offered = new Map<number, Listing[]>()
  const add = (
    cards: readonly (readonly BookCard[])[],
    isOffered: (terms: BookTerms, code: string) => boolean,
  ): void => {
    for (const card of cards.flatMap((versions) => versionOn(versions, day) ?? []))
      for (const [productId, listing] of listingsIn(card)) {
        const { terms } = listing.product
        const isAsked = scopes.some((scope) => isFor(scope, terms)) && termsOf(terms)?.hidden !== true
        if (isAsked && isOffered(terms, card.code))
          offered.set(productId, [...(offered.get(productId) ?? []), listing])
      }
  }
  add([...book.contractCards.values()], (terms, code) => termsOf(terms)?.cardCode === code)
  add(book.cards, ({ productId }) => !offered.has(productId))
  add(book.costCards, (terms) => {
    if (own !== undefined && hasMargin(own, terms)) return true
    return !offered.has(terms.productId) && hasMargin(forAll, terms)
  })
  return offered
}

function isFor({ productId, carrierCode }: Scope, terms: BookTerms): boolean {
  if (productId !== undefined) return terms.productId === productId
  return carrierCode === undefined || terms.carrierCode === carrierCode
}

/** True if the terms of the surcharge or service change on the day, or the card that states it. */
export function changesRule(
  {
    before,
    after,
    accountId = '',
  }: { readonly before: RateBook; readonly after: RateBook } & Pick<Offering, 'accountId'>,
  { day, pairs }: { readonly day: string; readonly pairs: readonly ListingPair[] },
  { productId, code }: ProductRule,
): boolean {
  return pairs.some(([one, other]) => {
    const { terms } = one.product
    if (terms.productId !== productId) return false
    if (one.product !== other.product) return true
    const [old, now] = [before, after].map(({ contracts }) => {
      const agreed = contracts.get(accountId)
      return agreed && contractOn(agreed, terms, day)
    })
    const isFuel = one.group.surcharges.some((rule) => rule.code === code && rule.method === 'fuel')
    return termsText(old, code, isFuel) !== termsText(now, code, isFuel)
  })
}

/** What an account agreed for a surcharge, for comparison. */
function termsText(terms: AgreedTerms | undefined, code: string, isFuel: boolean): string {
  const table = terms?.surcharges?.get(code)
  const cells = [...(table?.byZone.values() ?? []), table?.others ?? []].flat()
  const stated = cells.map(({ cell: { zones, overGrams, upToGrams }, value: { bps } }) => [
    zones,
    overGrams,
    upToGrams,
    bps,
  ])
  return JSON.stringify([stated, isFuel ? (terms?.fuel?.bps ?? 0) : 0])
}
