/**
 * What one request looks up by key, gathered into one look-up per kind: a page of shipments costs one statement
 * for all their attempts. Loaders live as long as the request, so they never hold stale or foreign data.
 */
import DataLoader from 'dataloader'
import type { CancelAttempt, Shipment } from '../core/shipments/shipment.ts'
import type { Caller, Ports } from '../operations/ports.ts'
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
}

/** Loaders for one request of a caller. */
export function openLoaders({ shipments, reference }: Ports, { accountId }: Caller): Loaders {
  // The rate book may be swapped at any time: one request sees one edition.
  let opened: Catalogue | undefined
  const catalogue = (): Catalogue => {
    opened ??= catalogueOf(reference.rateBook())
    return opened
  }
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
  }
}

type Catalogue = {
  readonly carriers: ReadonlyMap<string, Carrier>
  readonly products: ReadonlyMap<number, Product>
  readonly productsOf: ReadonlyMap<string, readonly Product[]>
}

function catalogueOf(book: ReturnType<Ports['reference']['rateBook']>): Catalogue {
  const carriers = new Map(book.carriers.map(({ code, name }) => [code, { id: code, name }]))
  const products = book.products.map(({ productId, name, carrierCode }) => ({
    productId,
    carrierCode,
    product: { id: String(productId), name, carrier: carriers.get(carrierCode) ?? unlisted(carrierCode) },
  }))
  const codes = new Set(products.map(({ carrierCode }) => carrierCode))
  return {
    carriers,
    products: new Map(products.map(({ productId, product }) => [productId, product])),
    productsOf: new Map(
      [...codes].map((code) => [
        code,
        products.filter(({ carrierCode }) => carrierCode === code).map(({ product }) => product),
      ]),
    ),
  }
}

/** A carrier that no published rate card lists any more, for shipments that still name it. */
export function unlisted(code: string): Carrier {
  return { id: code, name: code }
}
