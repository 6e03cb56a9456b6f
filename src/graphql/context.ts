/** What every resolver gets beside its arguments: who calls, what operations need, and this request's loaders. */
import DataLoader from 'dataloader'
import type { HsCandidate } from '../core/customs/classification/classify.ts'
import { productsIn } from '../core/rating/book/book-card.ts'
import type { RateBook } from '../core/rating/book/rate-book.ts'
import type { CancelAttempt, Shipment } from '../core/shipments/shipment.ts'
import { CODES_PER_ITEM } from '../operations/estimate-duties.ts'
import type { Caller } from '../operations/ports/caller.ts'
import type { ReferenceData } from '../operations/ports/engine.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { Allowance, Turns } from '../operations/ports/work.ts'
import type { ResolversParentTypes } from './generated.ts'

/** What a request brings along. */
export type RequestTerms = {
  readonly caller: Caller
  readonly ports: Ports
  /** What the caller's key may still spend. */
  readonly allowance: Allowance
  readonly turns: Turns
  /** Logs an error that the caller is not told about, under the request's id. */
  readonly logFault: (error: unknown) => void
  /** Notes in the log that the request reached its deadline. */
  readonly logDeadline: () => void
}

/**
 * One per request, so that nothing loaded for one caller is ever seen by another. The reference data is of one edition
 * throughout the request.
 */
export type Context = RequestTerms & {
  readonly loaders: Loaders
  /** Where large pieces of the answer queue. */
  readonly pause: Pause
}

/** The context of one request. Whatever is published meanwhile, it sees one edition of the reference data. */
export function openContext({
  caller,
  ports,
  allowance,
  turns,
  logFault,
  logDeadline,
}: RequestTerms): Context {
  const pinned = { ...ports, reference: pinReference(ports.reference) }
  const loaders = openLoaders(pinned, caller, turns)
  return { caller, ports: pinned, allowance, turns, logFault, logDeadline, loaders, pause: openPause(turns) }
}

/** Each reference as it is when it is first asked for. */
function pinReference(reference: ReferenceData): ReferenceData {
  return {
    rateBook: once(() => reference.rateBook()),
    customsTables: once(() => reference.customsTables()),
  }
}

function once<Value extends object>(read: () => Value): () => Value {
  let first: Value | undefined
  return () => {
    first ??= read()
    return first
  }
}

// How the resolvers of one request share its turns (operations/ports/work.ts). graphql-js starts them all at once, so
// what takes long is queued: each piece of work starts when the one before has been given the event loop, in a turn
// that is not over. After the request was stopped no piece starts any more.

/**
 * Resolves when the next piece of work may start; pieces start in the order of the calls. Rejects, from then on, with
 * what `Turns.next` rejects with.
 */
export type Pause = () => Promise<void>

/** The queue of one request. */
export function openPause(turns: Turns): Pause {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(() => (turns.over() ? turns.next() : undefined))
    return last
  }
}

/** Lines of a price or of an estimate that are presented at once: a promise for each would cost more than they do. */
const SMALL = 32

/** The weight of entries that are only presented at once when there is one of them. */
export const SEVERAL = SMALL

/**
 * Presents a list. What is asked of an entry is worked out when it is there, so a long list in full detail would
 * hold up everybody else: its entries are presented one by one. `weight` is how many lines an entry is as large as.
 */
export function presentInTurns<Item, Presented>(
  pause: Pause,
  items: readonly Item[],
  weight: number,
  present: (item: Item) => Presented,
): readonly (Presented | Promise<Presented>)[] {
  if (items.length * weight <= SMALL) return items.map(present)
  return items.map((item) => pause().then(() => present(item)))
}

// What one request looks up by key, gathered into one look-up per kind: a page of shipments costs one statement
// for all their attempts, and a description of goods is read once however many estimates name it. Loaders live as long
// as the request, so they never hold stale or foreign data; what they know of a rate book is the same for every caller.

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
