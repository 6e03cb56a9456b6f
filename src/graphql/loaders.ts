/**
 * Batches the lookups of one request. One SQL statement reads the cancellation attempts of a whole page of shipments, and
 * each description of goods is classified once, even if several estimates contain it.
 */
import DataLoader from 'dataloader'
import type { HsCandidate } from '../core/customs/classification/classify.ts'
import { groupBy } from '../core/group-by.ts'
import { productsIn } from '../core/rating/book/book-card.ts'
import type { RateBook } from '../core/rating/book/rate-book.ts'
import type { CancelAttempt, Shipment, ShipmentContents } from '../core/shipments/shipment.ts'
import { CODES_PER_ITEM } from '../operations/estimate-duties.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Turns } from '../operations/ports/work.ts'
import type { ResolversParentTypes } from './generated.ts'

type Carrier = ResolversParentTypes['Carrier']
type Product = ResolversParentTypes['Product']

/** Unknown keys load as undefined. */
export type Loaders = {
  /** Shipments of the caller's account, by id. */
  readonly shipment: DataLoader<string, Shipment | undefined>
  /** Parcels and content items of the account's shipments, by shipment id. */
  readonly contents: DataLoader<string, ShipmentContents | undefined>
  /** Cancellation attempts, oldest first, by shipment id. */
  readonly attempts: DataLoader<string, readonly CancelAttempt[]>
  /** By carrier code. */
  readonly carrier: DataLoader<string, Carrier | undefined>
  /** By product id. */
  readonly product: DataLoader<number, Product | undefined>
  /** By product id as text. Does not load products that are only sold by contract to other accounts. */
  readonly offeredProduct: DataLoader<string, Product | undefined>
  /** By carrier code. */
  readonly carrierProducts: DataLoader<string, readonly Product[]>
  /** HS codes for a description of goods, most likely first. */
  readonly codes: DataLoader<string, readonly HsCandidate[]>
}

/** `reference` must return the same data throughout the request. */
export function createLoaders(
  { shipments, reference, classifier }: Pick<Ports, 'shipments' | 'reference' | 'classifier'>,
  { accountId }: Pick<Caller, 'accountId'>,
  turns: Turns,
): Loaders {
  const catalogue = (): Catalogue => catalogueFor(reference.rateBook())
  const offeredProduct = (id: string): Product | undefined =>
    PRODUCT_ID.test(id) && isOffered(reference.rateBook(), accountId, Number(id))
      ? catalogue().products.get(Number(id))
      : undefined
  return {
    shipment: new DataLoader(async (ids) => {
      const found = await shipments.findMany(accountId, ids)
      const byId = new Map(found.map((shipment) => [shipment.shipmentId, shipment]))
      return ids.map((id) => byId.get(id))
    }),
    contents: new DataLoader(async (ids) => {
      const found = await shipments.contents(accountId, ids)
      const byId = new Map(found.map((contents) => [contents.shipmentId, contents]))
      return ids.map((id) => byId.get(id))
    }),
    attempts: new DataLoader(async (ids) => {
      const found = groupBy(await shipments.attempts(accountId, ids), ({ shipmentId }) => shipmentId)
      return ids.map((id) => found.get(id) ?? [])
    }),
    carrier: new DataLoader(async (codes) => codes.map((code) => catalogue().carriers.get(code))),
    product: new DataLoader(async (ids) => ids.map((id) => catalogue().products.get(id))),
    offeredProduct: new DataLoader(async (ids) => ids.map(offeredProduct)),
    carrierProducts: new DataLoader(async (codes) =>
      codes.map((code) => catalogue().carrierProducts.get(code) ?? []),
    ),
    codes: new DataLoader((descriptions) => classifier.classify(descriptions, CODES_PER_ITEM, turns)),
  }
}

const PRODUCT_ID = /^[1-9]\d{0,8}$/

/** True if a card for everyone has the product, or a card of the account's contracts. */
function isOffered(book: RateBook, accountId: string, productId: number): boolean {
  if (catalogueFor(book).publicProducts.has(productId)) return true
  const cardCodes = [...(book.contracts.get(accountId)?.cardCodes ?? [])]
  return cardCodes
    .flatMap((code) => book.contractCards.get(code) ?? [])
    .some((card) => productsIn(card).some(({ terms }) => terms.productId === productId))
}

export type Catalogue = {
  readonly carriers: ReadonlyMap<string, Carrier>
  /** Includes the products of contract cards, because a shipment may have one. */
  readonly products: ReadonlyMap<number, Product>
  /** The products of the cards for everyone. */
  readonly publicProducts: ReadonlySet<number>
  readonly carrierProducts: ReadonlyMap<string, readonly Product[]>
}

/** Rate books are immutable, so all requests with the same book share a catalogue. */
const catalogues = new WeakMap<RateBook, Catalogue>()

/**
 * Names and carriers by id. Prices of an earlier version of a rate card may have other names, but an object that
 * clients cache by its id has one name (docs/decisions/api.md#d150).
 */
export function catalogueFor(book: RateBook): Catalogue {
  const cached = catalogues.get(book)
  if (cached !== undefined) return cached
  const catalogue = buildCatalogue(book)
  catalogues.set(book, catalogue)
  return catalogue
}

function buildCatalogue(book: RateBook): Catalogue {
  const carriers = new Map(book.carriers.map(({ code, name }) => [code, { id: code, name }]))
  const present = (productId: number, name: string, carrierCode: string): Product => ({
    id: String(productId),
    name,
    carrier: carriers.get(carrierCode) ?? unlistedCarrier(carrierCode),
  })
  const products = new Map<number, Product>()
  for (const versions of book.contractCards.values())
    for (const { name } of versions.toReversed().flatMap(productsIn))
      products.set(name.productId, present(name.productId, name.productName, name.carrierCode))
  const carrierProducts = new Map<string, Product[]>()
  for (const { productId, name, carrierCode } of book.products) {
    const product = present(productId, name, carrierCode)
    products.set(productId, product)
    carrierProducts.set(carrierCode, [...(carrierProducts.get(carrierCode) ?? []), product])
  }
  const publicProducts = new Set(book.products.map(({ productId }) => productId))
  return { carriers, products, publicProducts, carrierProducts }
}

/** Stands in for a carrier that is no longer in a published rate card but has shipments. */
export function unlistedCarrier(code: string): Carrier {
  return { id: code, name: code }
}
