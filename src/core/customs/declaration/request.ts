/**
 * Validates the input of a customs declaration, and lists every fault at once. The goods, places and costs are
 * validated like those of an estimate (../request.ts). See docs/customs-documents.md.
 */
import { type Contacts, readContacts } from '../../contact.ts'
import {
  isAbsent,
  isJsonObject,
  note,
  type ProblemList,
  readNumber,
  readOneOf,
  readText,
} from '../../input.ts'
import { type FieldPath, type FieldProblem, type InputProblem, inputProblem } from '../../problem.ts'
import { type ContentItem, checkDutiesRequest, type DutiesInput, type DutiesRequest } from '../request.ts'
import { readGtin, readProductId } from './product-ids.ts'

/** What is in the parcel, as the boxes of CN 22 and CN 23 say. */
export const CATEGORIES = [
  ...(['SALE_OF_GOODS', 'GIFT', 'DOCUMENTS'] as const),
  ...(['RETURNED_GOODS', 'COMMERCIAL_SAMPLE', 'OTHER'] as const),
] as const
export type Category = (typeof CATEGORIES)[number]

/** How the import VAT of a distance sale to the EU is collected. */
export const VAT_COLLECTIONS = ['IOSS', 'SPECIAL_ARRANGEMENTS', 'STANDARD'] as const
export type VatCollection = (typeof VAT_COLLECTIONS)[number]

/** Unvalidated input of a door. An entry of `items` should have its content item in `goods`. */
export type DeclarationInput = Pick<
  DutiesInput,
  'from' | 'to' | 'recipientType' | 'shippingCost' | 'insurance'
> & {
  readonly items: unknown
  readonly category: unknown
  readonly sender?: unknown
  readonly recipient?: unknown
  readonly grossWeightKg?: unknown
  readonly vatCollection?: unknown
} & { readonly [Field in keyof typeof TEXTS]?: unknown }

export type DeclarationItem = {
  readonly goods: ContentItem
  /** The number of the product in the shop of the seller. */
  readonly merchantProductId?: string
  /** The number that the maker gives the product. */
  readonly manufacturerProductId?: string
  readonly gtin?: string
}

export type DeclarationRequest = Pick<
  DutiesRequest,
  'from' | 'to' | 'recipient' | 'shippingCents' | 'insuranceCents'
> & {
  readonly items: readonly DeclarationItem[]
  readonly category: Category
  readonly contacts: Contacts
  /** Of the parcel with its packaging. */
  readonly grossWeightGrams: number | undefined
  readonly vatCollection: VatCollection | undefined
  readonly texts: { readonly [Field in keyof typeof TEXTS]?: string }
}

/** Texts that a declaration may contain, with their greatest length. */
const TEXTS = {
  categoryExplanation: 100,
  importerReference: 50,
  comments: 200,
  licenceNumber: 70,
  certificateNumber: 70,
  invoiceNumber: 70,
  iossNumber: 12,
} as const

// The keys of TEXTS are those of its type.
const TEXT_FIELDS = Object.keys(TEXTS) as readonly (keyof typeof TEXTS)[]

const WEIGHT = { places: 3, max: 1_000_000 }
const IOSS_NUMBER = /^IM\d{10}$/

export function checkDeclarationRequest(input: DeclarationInput): DeclarationRequest | InputProblem {
  const problems: ProblemList = []
  const { from, to, recipientType, shippingCost, insurance } = input
  const contentItems = Array.isArray(input.items) ? input.items.map(goodsOf) : input.items
  const estimate = checkDutiesRequest({ from, to, contentItems, recipientType, shippingCost, insurance })
  if ('kind' in estimate) problems.push(...estimate.fields.map(withinItems))
  const products = readProducts(problems, input.items)
  const category = readOneOf(problems, ['category'], input.category, CATEGORIES)
  if (isAbsent(input.category)) note(problems, ['category'], 'REQUIRED', 'required')
  const contacts = readContacts(problems, { sender: input.sender, recipient: input.recipient }) ?? {}
  const grossWeightGrams = readNumber(problems, ['grossWeightKg'], input.grossWeightKg, WEIGHT)
  const texts = readTexts(problems, input)
  const vatCollection = readVatCollection(problems, input.vatCollection, texts)
  if (category === 'GIFT') noteSale(problems, texts)
  if ('kind' in estimate || category === undefined) return inputProblem(problems)
  noteWeights(problems, estimate.items, grossWeightGrams)
  if (problems.length > 0) return inputProblem(problems)
  return {
    from: estimate.from,
    to: estimate.to,
    recipient: estimate.recipient,
    shippingCents: estimate.shippingCents,
    insuranceCents: estimate.insuranceCents,
    items: estimate.items.map((goods, index) => ({ goods, ...products[index] })),
    category,
    contacts,
    grossWeightGrams,
    vatCollection,
    texts,
  }
}

function goodsOf(item: unknown): unknown {
  return isJsonObject(item) ? item['goods'] : item
}

/** The path within the items of a declaration, of a fault of its content items. */
function withinItems(fault: FieldProblem): FieldProblem {
  const [list, index, ...rest] = fault.path
  if (list !== 'contentItems') return fault
  return { ...fault, path: index === undefined ? ['items'] : ['items', index, 'goods', ...rest] }
}

type ProductIds = Omit<DeclarationItem, 'goods'>

/** Lists with too many entries are refused by the reader of the goods and not read here. */
function readProducts(problems: ProblemList, items: unknown): readonly ProductIds[] {
  if (problems.some(({ path, code }) => path.length === 1 && path[0] === 'items' && code === 'TOO_MANY'))
    return []
  if (!Array.isArray(items)) return []
  return items.map((item: unknown, index) => (isJsonObject(item) ? readProduct(problems, index, item) : {}))
}

function readProduct(
  problems: ProblemList,
  index: number,
  item: Readonly<Record<string, unknown>>,
): ProductIds {
  const at = (field: string): FieldPath => ['items', index, field]
  const [merchant, manufacturer] = ['merchantProductId', 'manufacturerProductId'] as const
  const merchantProductId = readProductId(problems, at(merchant), item[merchant])
  const manufacturerProductId = readProductId(problems, at(manufacturer), item[manufacturer])
  const gtin = readGtin(problems, at('gtin'), item['gtin'])
  return {
    ...(merchantProductId !== undefined && { merchantProductId }),
    ...(manufacturerProductId !== undefined && { manufacturerProductId }),
    ...(gtin !== undefined && { gtin }),
  }
}

function readTexts(problems: ProblemList, input: DeclarationInput): DeclarationRequest['texts'] {
  const texts = TEXT_FIELDS.flatMap((field) => {
    const text = readText(problems, [field], input[field], TEXTS[field])
    return text === undefined ? [] : [[field, field === 'iossNumber' ? text.toUpperCase() : text] as const]
  })
  return Object.fromEntries(texts)
}

/** An IOSS number means that the VAT is collected under IOSS. */
function readVatCollection(
  problems: ProblemList,
  value: unknown,
  { iossNumber }: DeclarationRequest['texts'],
): VatCollection | undefined {
  const given = readOneOf(problems, ['vatCollection'], value, VAT_COLLECTIONS)
  if (iossNumber === undefined) return given
  if (!IOSS_NUMBER.test(iossNumber))
    note(problems, ['iossNumber'], 'MALFORMED', 'must be an IOSS number: IM and 10 digits')
  if (given !== undefined && given !== 'IOSS')
    note(problems, ['vatCollection'], 'CONFLICT', 'must be IOSS if there is an IOSS number')
  return 'IOSS'
}

/** Goods that were sold are not a gift: the CN 22 says so itself. */
function noteSale(problems: ProblemList, { invoiceNumber, iossNumber }: DeclarationRequest['texts']): void {
  if (invoiceNumber !== undefined || iossNumber !== undefined)
    note(problems, ['category'], 'CONFLICT', 'must not be GIFT for goods with an invoice or an IOSS number')
}

function noteWeights(problems: ProblemList, items: readonly ContentItem[], gross: number | undefined): void {
  if (gross === undefined) return
  const net = items.reduce((sum, { weightGrams = 0, numberOfItems }) => sum + weightGrams * numberOfItems, 0)
  if (net > gross)
    note(problems, ['grossWeightKg'], 'CONFLICT', 'must not be less than the net weight of the items')
}
