/**
 * What one request looks up by key, gathered into one look-up per kind: a page of shipments costs one statement
 * for all their attempts, and a description of goods is read once however many estimates name it. Loaders live as long
 * as the request, so they never hold stale or foreign data; what they know of a rate book is the same for every caller.
 */
import DataLoader from 'dataloader'
import type { HsCandidate } from '../core/customs/classification/classify.ts'
import { productsIn } from '../core/rating/book-card.ts'
import type { RateBook } from '../core/rating/rate-book.ts'
import type { CancelAttempt, Shipment } from '../core/shipments/shipment.ts'
import { CODES_PER_ITEM } from '../operations/estimate-duties.ts'
import type { Caller, Ports, Turns } from '../operations/ports.ts'
import type { ResolversParentTypes } from './generated.ts'

type Carrier = ResolversParentTypes['Carrier']
type Product = ResolversParentTypes['Product']

/** One request's loaders. Unknown keys load as undefined. */
export type Loaders = {
  /** Shipments of the caller's account, by id. */
  readonly shipment: DataLoader<string, Shipment | undefined>
  /** The attempts to cancel a shipment, oldest first, by shipment id. */
  readonly attempts: DataLoader<string, readonly CancelAttempt[]>
  /** By carrier code. */
  readonly carrier: DataLoader<string, Carrier | undefined>
  /** By product id. */
  readonly product: DataLoader<number, Product | undefined>
  /** The products of a carrier, by carrier code. */
  readonly productsOf: DataLoader<string, readonly Product[]>
  /** What a description of goods may mean, likeliest first. */
  readonly codes: DataLoader<string, readonly HsCandidate[]>
}

/** Loaders for one request of a caller; `reference` is pinned to one edition by the request's context. */
export function openLoaders(
  { shipments, reference, classifier }: Pick<Ports, 'shipments' | 'reference' | 'classifier'>,
  { accountId }: Pick<Caller, 'accountId'>,
  turns: Turns,
): Loaders {
  const catalogue = (): Catalogue => catalogueOf(reference.rateBook())
  return {
    shipment: new DataLoader(async (ids) => {
      const found = await shipments.findMany(accountId, ids)
      const byId = new Map(found.map((shipment) => [shipment.shipmentId, shipment]))
      return ids.map((id) => byId.get(id))
    }),
    attempts: new DataLoader(async (ids) => {
      const found = await shipments.attempts(accountId, ids)
      return ids.map((id) => found.filter(({ shipmentId }) => shipmentId === id))
    }),
    carrier: new DataLoader(async (codes) => codes.map((code) => catalogue().carriers.get(code))),
    product: new DataLoader(async (ids) => ids.map((id) => catalogue().products.get(id))),
    productsOf: new DataLoader(async (codes) => codes.map((code) => catalogue().productsOf.get(code) ?? [])),
    codes: new DataLoader((descriptions) => classifier.classify(descriptions, CODES_PER_ITEM, turns)),
  }
}

type Catalogue = {
  readonly carriers: ReadonlyMap<string, Carrier>
  /** Also those that contracts alone sell: a shipment may name one. */
  readonly products: ReadonlyMap<number, Product>
  readonly productsOf: ReadonlyMap<string, readonly Product[]>
}

/** A book never changes, so all requests that see it share one catalogue. */
const catalogues = new WeakMap<RateBook, Catalogue>()

function catalogueOf(book: RateBook): Catalogue {
  const known = catalogues.get(book)
  if (known !== undefined) return known
  const made = makeCatalogue(book)
  catalogues.set(book, made)
  return made
}

function makeCatalogue(book: RateBook): Catalogue {
  const carriers = new Map(book.carriers.map(({ code, name }) => [code, { id: code, name }]))
  const present = (productId: number, name: string, carrierCode: string): Product => ({
    id: String(productId),
    name,
    carrier: carriers.get(carrierCode) ?? unlisted(carrierCode),
  })
  const products = new Map<number, Product>()
  for (const versions of book.contractCards.values())
    for (const { name } of versions.toReversed().flatMap(productsIn))
      products.set(name.productId, present(name.productId, name.productName, name.carrierCode))
  const productsOf = new Map<string, Product[]>()
  for (const { productId, name, carrierCode } of book.products) {
    const product = present(productId, name, carrierCode)
    products.set(productId, product)
    productsOf.set(carrierCode, [...(productsOf.get(carrierCode) ?? []), product])
  }
  return { carriers, products, productsOf }
}

/** A carrier that no published rate card lists any more, for shipments that still name it. */
export function unlisted(code: string): Carrier {
  return { id: code, name: code }
}
