/**
 * Batches the lookups of one request. One SQL statement reads the cancellation attempts of a whole page of shipments,
 * and equal goods are classified once, even if several estimates contain them. Carriers and products are in
 * memory and are looked up directly.
 */
import DataLoader from 'dataloader'
import type { DescribedGoods } from '../core/goods-facts.ts'
import { groupBy } from '../core/group-by.ts'
import type { HsCandidate } from '../core/hs-candidate.ts'
import { productsIn } from '../core/rating/book/book-card.ts'
import { accountSales, type RateBook } from '../core/rating/book/rate-book.ts'
import type { CancelAttempt, Shipment } from '../core/shipments/shipment.ts'
import type { TrackingEvent } from '../core/shipments/tracking.ts'
import { findWith } from '../operations/estimate-duties.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { InvalidCursor, Page, PageRequest } from '../operations/ports/pages.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { LoggedDelivery } from '../operations/ports/webhooks.ts'
import type { Turns } from '../operations/ports/work.ts'
import type { ResolversParentTypes } from './generated.ts'

type Carrier = ResolversParentTypes['Carrier']
type Product = ResolversParentTypes['Product']

/** Unknown keys load as undefined. */
export type Loaders = {
  /** Shipments of the caller's account, by id. */
  readonly shipment: DataLoader<string, Shipment | undefined>
  /** Cancellation attempts, oldest first, by shipment id. */
  readonly attempts: DataLoader<string, readonly CancelAttempt[]>
  /** Pages of what happened to shipments. */
  readonly trackingEvents: PageLoader<TrackingEvent>
  /** Pages of the log of endpoints of the caller's account. */
  readonly deliveries: PageLoader<LoggedDelivery>
  /** HS codes for goods, most likely first. */
  readonly codes: DataLoader<DescribedGoods, readonly HsCandidate[], string>
}

/** A page of a list that belongs to something, such as the events of a shipment. */
type PageKey = { readonly ownerId: string; readonly request: PageRequest }
type LoadedPage<Node> = Page<Node> | InvalidCursor
export type PageLoader<Node> = DataLoader<PageKey, LoadedPage<Node>, string>
type ReadPages<Node> = (
  ownerIds: readonly string[],
  request: PageRequest,
) => Promise<ReadonlyMap<string, Page<Node>> | InvalidCursor>

const EMPTY_PAGE: Page<never> = { kind: 'Page', edges: [], hasNextPage: false, hasPreviousPage: false }

type LoaderPorts = Pick<Ports, 'shipments' | 'webhookLog' | 'classifier'>

export function createLoaders(
  ports: LoaderPorts,
  { accountId }: Pick<Caller, 'accountId'>,
  turns: Turns,
): Loaders {
  return new RequestLoaders(ports, accountId, turns)
}

/** Creates each loader when it is first used, because most requests use one or none. */
class RequestLoaders implements Loaders {
  private readonly ports: LoaderPorts
  private readonly accountId: string
  private readonly turns: Turns
  private readonly used: { -readonly [Name in keyof Loaders]?: Loaders[Name] } = {}

  constructor(ports: LoaderPorts, accountId: string, turns: Turns) {
    this.ports = ports
    this.accountId = accountId
    this.turns = turns
  }

  get shipment(): Loaders['shipment'] {
    this.used.shipment ??= new DataLoader(async (ids) => {
      const found = await this.ports.shipments.findMany(this.accountId, ids)
      const byId = new Map(found.map((shipment) => [shipment.shipmentId, shipment]))
      return ids.map((id) => byId.get(id))
    })
    return this.used.shipment
  }

  get attempts(): Loaders['attempts'] {
    this.used.attempts ??= new DataLoader(
      async (ids) => {
        const attempts = await this.ports.shipments.attempts(this.accountId, ids)
        const found = groupBy(attempts, ({ shipmentId }) => shipmentId)
        return ids.map((id) => found.get(id) ?? [])
      },
      { batchScheduleFn: (load) => afterEntries(this.turns, load) },
    )
    return this.used.attempts
  }

  /** Loads the same page of several owners with one call of `read`. An owner without a page has an empty one. */
  private pageLoader<Node>(read: ReadPages<Node>): PageLoader<Node> {
    return new DataLoader(
      async (keys) => {
        const sameRequest = groupBy(keys, ({ request }) => JSON.stringify(request))
        const found = new Map<PageKey, LoadedPage<Node>>()
        for (const group of sameRequest.values()) {
          const request = group[0]?.request
          if (request === undefined) continue
          const ids = group.map(({ ownerId }) => ownerId)
          const pages = await read(ids, request)
          for (const key of group)
            found.set(key, 'kind' in pages ? pages : (pages.get(key.ownerId) ?? EMPTY_PAGE))
        }
        return keys.map((key) => found.get(key) ?? EMPTY_PAGE)
      },
      {
        cacheKeyFn: ({ ownerId, request }) => JSON.stringify([ownerId, request]),
        batchScheduleFn: (load) => afterEntries(this.turns, load),
      },
    )
  }

  get trackingEvents(): Loaders['trackingEvents'] {
    this.used.trackingEvents ??= this.pageLoader((ids, request) =>
      this.ports.shipments.trackingEvents(this.accountId, ids, request),
    )
    return this.used.trackingEvents
  }

  get deliveries(): Loaders['deliveries'] {
    this.used.deliveries ??= this.pageLoader((ids, request) =>
      this.ports.webhookLog.deliveries(this.accountId, ids, request),
    )
    return this.used.deliveries
  }

  get codes(): Loaders['codes'] {
    this.used.codes ??= new DataLoader(findWith(this.ports.classifier, this.turns), { cacheKeyFn: goodsKey })
    return this.used.codes
  }
}

/** Equal for goods that are classified alike. */
export function goodsKey({ description, facts, answers }: DescribedGoods): string {
  return facts === undefined && answers === undefined
    ? description
    : JSON.stringify([description, facts, answers])
}

/**
 * Entries of a list that are completed in later turns (turns.ts) have been queued when the microtasks are done, so
 * their keys belong to the same batch. A request that is stopped still gets its results: a pending field would hold its
 * response.
 */
function afterEntries(turns: Turns, load: () => void): void {
  setImmediate(() => void turns.next().then(load, load))
}

/**
 * The carriers and products of an account: those of the cards for everyone, of the cards of its contract, and those
 * sold to it at a margin.
 */
export type Catalogue = {
  readonly carriers: ReadonlyMap<string, Carrier>
  /** By product id as text. */
  readonly products: ReadonlyMap<string, Product>
  /** Ordered by product id. */
  readonly carrierProducts: ReadonlyMap<string, readonly Product[]>
}

/** The cache key of all accounts without contract cards and margins. Account ids are never empty. */
const NO_CONTRACT = ''
const NO_CARDS: ReadonlySet<string> = new Set()

/** Rate books are immutable, so all requests of an account with the same book share a catalogue. */
const catalogues = new WeakMap<RateBook, Map<string, Catalogue>>()

/** The catalogue of the caller's account. */
export function catalogueOf({
  ports,
  caller,
}: {
  readonly ports: Pick<Ports, 'reference'>
  readonly caller: Pick<Caller, 'accountId' | 'page'>
}): Catalogue {
  // A web page does not see the cards of contracts.
  return catalogueFor(ports.reference.rateBook(), caller.page === undefined ? caller.accountId : NO_CONTRACT)
}

/**
 * Names and carriers by id. Prices of an earlier version of a rate card may have other names, but an object that
 * clients cache by its id has one name (docs/graphql-clients.md#caches).
 */
export function catalogueFor(book: RateBook, accountId: string): Catalogue {
  const cardCodes = book.contracts.get(accountId)?.cardCodes ?? NO_CARDS
  const key = cardCodes.size === 0 && !book.margins.byAccount.has(accountId) ? NO_CONTRACT : accountId
  const byAccount = catalogues.get(book)
  // Every name of a product is read here, so nothing is written in the usual case.
  const known = byAccount?.get(key)
  if (known !== undefined) return known
  const catalogue = buildCatalogue(book, cardCodes, accountSales(book, accountId))
  if (byAccount === undefined) catalogues.set(book, new Map([[key, catalogue]]))
  else byAccount.set(key, catalogue)
  return catalogue
}

/** Cards of other accounts are left out: they may have the same product ids with other names. */
function buildCatalogue(
  book: RateBook,
  cardCodes: ReadonlySet<string>,
  sales: ReturnType<typeof accountSales>,
): Catalogue {
  const names = new Map(book.carriers.map(({ code, name }) => [code, name]))
  const sold = new Map(book.products.map(({ productId, ...rest }) => [productId, rest]))
  for (const code of cardCodes)
    for (const { terms } of (book.contractCards.get(code) ?? []).flatMap(productsIn))
      if (!sold.has(terms.productId)) sold.set(terms.productId, terms)
  for (const terms of sales) if (!sold.has(terms.productId)) sold.set(terms.productId, terms)
  const carriers = new Map<string, Carrier>()
  const products = new Map<string, Product>()
  const carrierProducts = new Map<string, Product[]>()
  for (const [productId, { name, carrierCode }] of [...sold].sort(([a], [b]) => a - b)) {
    const carrier = { id: carrierCode, name: names.get(carrierCode) ?? carrierCode }
    const product = { id: String(productId), name, carrier }
    carriers.set(carrierCode, carrier)
    products.set(product.id, product)
    carrierProducts.set(carrierCode, [...(carrierProducts.get(carrierCode) ?? []), product])
  }
  const sorted = book.carriers.flatMap(({ code }) => {
    const carrier = carriers.get(code)
    return carrier === undefined ? [] : [[code, carrier] as const]
  })
  return { carriers: new Map(sorted), products, carrierProducts }
}

/** Stands in for a carrier that is no longer in a published rate card but has shipments. */
export function unlistedCarrier(code: string): Carrier {
  return { id: code, name: code }
}
