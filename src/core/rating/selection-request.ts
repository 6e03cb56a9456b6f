/**
 * What a filter and a sort must hold before they are applied. A name that does not exist is a fault, not an empty
 * answer: whoever asks for a carrier that is misspelt must not read that it offers nothing.
 * Source: schema/rates.graphql (`RateFilter`, `RateSort`).
 */
import { isAbsent, note, type ProblemList, readNumber, readOneOf } from '../draft.ts'
import type { FieldPath, FieldProblem } from '../problem.ts'
import { productsIn } from './book-card.ts'
import type { RateBook } from './rate-book.ts'
import type { Selection } from './selection.ts'

const SORTS = ['PRICE', 'TRANSIT', 'VALUE'] as const

/** A selection as a door received it. */
export type SelectionDraft = {
  readonly filter?: FilterDraft | null | undefined
  readonly sort?: unknown
}

/** A filter as a door received it. */
export type FilterDraft = {
  readonly carriers?: unknown
  readonly products?: unknown
  readonly maxPrice?: unknown
  readonly maxTransitDays?: unknown
}

/** Limits of a filter: entries of a list, and figures that no option comes near. */
const FILTER_LIMITS = { entries: 100, priceEuro: 1_000_000_000, transitDays: 1_000 } as const

/** What filters of an account may name. */
export type Catalogue = {
  hasCarrier(code: string): boolean
  hasProduct(productId: number): boolean
}

/**
 * What an account may name: the carriers, what everyone is offered, and what its own contracts sell. Products of
 * other accounts' contracts are as unknown to it as any other number.
 */
export function catalogueFor(book: RateBook, accountId: string): Catalogue {
  const isSoldByContract = (id: number): boolean =>
    [...(book.contracts.get(accountId)?.cardCodes ?? [])]
      .flatMap((cardCode) => book.contractCards.get(cardCode) ?? [])
      .some((card) => productsIn(card).some(({ terms }) => terms.productId === id))
  return {
    hasCarrier: (code) => book.carriers.some((carrier) => carrier.code === code),
    hasProduct: (id) => book.products.some(({ productId }) => productId === id) || isSoldByContract(id),
  }
}

/** Reads a selection and notes its faults; the answer is of use only when there are none. */
export function readSelection(
  problems: ProblemList,
  { filter, sort }: SelectionDraft,
  catalogue: Catalogue,
): Selection {
  const { carriers, products, maxPrice, maxTransitDays } = filter ?? {}
  const { priceEuro, transitDays } = FILTER_LIMITS
  const carrierCodes = readNames(problems, ['filter', 'carriers'], carriers, {
    what: 'carrier',
    read: (name) => (catalogue.hasCarrier(name) ? name : undefined),
  })
  const productIds = readNames(problems, ['filter', 'products'], products, {
    what: 'product',
    read: (name) => {
      const productId = /^\d{1,9}$/.test(name) ? Number(name) : undefined
      return productId !== undefined && catalogue.hasProduct(productId) ? productId : undefined
    },
  })
  const price = { places: 2, min: 0, max: priceEuro }
  const maxPriceCents = readNumber(problems, ['filter', 'maxPrice'], maxPrice, price)
  const days = { places: 0, min: 0, max: transitDays }
  const maxDays = readNumber(problems, ['filter', 'maxTransitDays'], maxTransitDays, days)
  return {
    filter: {
      ...(carrierCodes !== undefined && { carrierCodes }),
      ...(productIds !== undefined && { productIds }),
      ...(maxPriceCents !== undefined && { maxPriceCents }),
      ...(maxDays !== undefined && { maxTransitDays: maxDays }),
    },
    sort: readOneOf(problems, ['sort'], sort, SORTS) ?? 'PRICE',
  }
}

/**
 * The faults of a selection where one product is asked for by its id: nothing is shown, so nothing is left out or
 * sorted. PRICE is what a sort that was not given looks like.
 */
export function refuseSelection({ filter, sort }: SelectionDraft): readonly FieldProblem[] {
  const problems: ProblemList = []
  const message = 'the option is chosen by its product id; leave it out'
  if (!isAbsent(filter)) note(problems, ['filter'], 'CONFLICT', message)
  if (!isAbsent(sort) && sort !== 'PRICE') note(problems, ['sort'], 'CONFLICT', message)
  return problems
}

/** How names of a list are read: what they name, and what each stands for; undefined when there is none. */
type NameRule<Value> = { readonly what: string; read(name: string): Value | undefined }

function readNames<Value>(
  problems: ProblemList,
  path: FieldPath,
  value: unknown,
  { what, read }: NameRule<Value>,
): ReadonlySet<Value> | undefined {
  if (isAbsent(value)) return undefined
  if (!Array.isArray(value)) return note(problems, path, 'WRONG_TYPE', 'must be a list')
  if (value.length === 0) return note(problems, path, 'REQUIRED', 'must not be empty')
  if (value.length > FILTER_LIMITS.entries)
    return note(problems, path, 'TOO_MANY', `at most ${FILTER_LIMITS.entries}`)
  const found = new Set<Value>()
  for (const [index, name] of value.entries()) {
    const known = typeof name === 'string' ? read(name) : undefined
    if (known !== undefined) found.add(known)
    else note(problems, [...path, index], 'UNKNOWN_VALUE', `there is no ${what} ${quoted(name)}`)
  }
  return found
}

const SHOWN_CHARACTERS = 40

/** A name as a message shows it; a long one is cut. */
function quoted(name: unknown): string {
  const text = String(name)
  return JSON.stringify(text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`)
}
