/**
 * The data elements of a customs declaration H7 that the seller knows: distance sales to consumers in the EU, and gifts
 * between individuals, of at most EUR 150. The declarant adds those of the declaration itself, such as its type and
 * reference number. Source: Annex B of Delegated Regulation (EU) 2015/2446; see docs/customs-documents.md#h7.
 */
import { formatCents } from '../../money.ts'
import { formatKilograms } from '../../quantity.ts'
import { type Entry, partyEntries } from './entry.ts'
import { euros, type FormParties } from './postal-form.ts'
import type { DeclarationRequest, VatCollection } from './request.ts'
import type { DeclaredGoods, Totals } from './totals.ts'

/** Intrinsic value of the consignment. */
const MAX_CENTS = 15_000
/** Gifts up to this value are free of duty and VAT: C08. */
const MAX_GIFT_CENTS = 4_500
/** Alcohol, tobacco and perfume have no low-value rules. */
const EXCLUDED = /^(?:220[3-8]|24|3303)/

/** Whether the goods can be declared in H7, and why. `isImportToEu` is false within the customs territory. */
export function allowsH7(
  { category, recipient = 'individual', items }: DeclarationRequest,
  { valueCents }: Totals,
  isImportToEu: boolean,
): { readonly allowed: boolean; readonly reason: string } {
  const no = (reason: string) => ({ allowed: false, reason })
  if (!isImportToEu) return no('The goods are not imported into the customs territory of the EU.')
  if (valueCents > MAX_CENTS)
    return no(`The value of ${euros(valueCents)} is above EUR ${formatCents(MAX_CENTS)}: H1 is needed.`)
  if (category !== 'SALE_OF_GOODS' && category !== 'GIFT')
    return no('H7 is for goods that are sold to consumers and for gifts. Ask the declarant.')
  if (recipient === 'business') return no('The recipient is a business: H1 is needed.')
  const excluded = items.find(({ goods }) => EXCLUDED.test(goods.tariff ?? ''))
  if (excluded !== undefined)
    return no(`H1 is needed for alcohol, tobacco and perfume, such as code ${excluded.goods.tariff}.`)
  const kind = category === 'GIFT' ? 'The goods are a gift' : 'The goods are sold to a consumer'
  return { allowed: true, reason: `${kind}, and their value is at most EUR ${formatCents(MAX_CENTS)}.` }
}

/** The elements of the consignment. */
export function h7Entries(
  { shippingCents, insuranceCents, vatCollection, texts, contacts }: DeclarationRequest,
  { sender, recipient }: FormParties,
  { grossGrams }: Totals,
): readonly Entry[] {
  const document = 'H7'
  const requiredBy = 'Name and address are elements of H7.'
  const costs = shippingCents === undefined ? undefined : shippingCents + (insuranceCents ?? 0)
  const { eoriNumber } = contacts.recipient ?? {}
  return [
    {
      document,
      number: '12 03 000 000',
      name: 'Supporting document: invoice',
      path: ['invoiceNumber'],
      value: texts.invoiceNumber,
      need: 'recommended',
      requiredBy: 'Customs may ask for the invoice.',
    },
    ...partyEntries(sender, { document, requiredBy, number: '13 01 000 000', prefix: 'Exporter' }),
    ...partyEntries(recipient, { document, requiredBy, number: '13 04 000 000', prefix: 'Importer' }),
    {
      document,
      number: '13 04 000 000',
      name: 'Importer: identification number',
      path: ['recipient', 'eoriNumber'],
      value: eoriNumber,
      need: 'optional',
      requiredBy: '',
    },
    {
      document,
      number: '13 16 000 000',
      name: 'Additional fiscal reference',
      path: ['iossNumber'],
      value: texts.iossNumber === undefined ? undefined : `FR5 ${texts.iossNumber}`,
      need: vatCollection === 'IOSS' ? 'required' : 'optional',
      requiredBy: 'Under IOSS the declaration has the number of the seller or platform.',
    },
    {
      document,
      number: '14 15 000 000',
      name: 'Transport and insurance costs to the destination',
      path: ['shippingCost'],
      value: costs === undefined ? undefined : euros(costs),
      need: 'required',
      requiredBy: 'The costs are part of the base of the import VAT.',
    },
    {
      document,
      number: '18 04 000 000',
      name: 'Gross mass (kg)',
      path: ['grossWeightKg'],
      value: grossGrams === undefined ? undefined : formatKilograms(grossGrams),
      need: 'required',
      requiredBy: 'The gross mass includes the packaging.',
    },
  ]
}

const PROCEDURES: Readonly<Record<VatCollection, string>> = {
  IOSS: 'F48',
  SPECIAL_ARRANGEMENTS: 'F49',
  STANDARD: 'F53',
}

/** C08 for a gift that is free of duty. Undefined if it depends on how the VAT is collected, and that is not known. */
function additionalProcedure(
  { category, vatCollection }: DeclarationRequest,
  { valueCents }: Totals,
): string | undefined {
  if (category === 'GIFT') return valueCents <= MAX_GIFT_CENTS ? 'C08' : undefined
  return vatCollection && PROCEDURES[vatCollection]
}

/** The elements of one kind of goods. */
export function h7ItemEntries(
  request: DeclarationRequest,
  totals: Totals,
  { item, index, valueCents }: DeclaredGoods,
): readonly Entry[] {
  const { tariff, description } = item.goods
  const isSale = request.category === 'SALE_OF_GOODS'
  const at = (field: string) => ['items', index, 'goods', field] as const
  const document = 'H7'
  const given = { document, need: 'required', requiredBy: '' } as const
  return [
    {
      ...given,
      number: '11 03 000 000',
      name: 'Goods item number',
      path: ['items', index],
      value: String(index + 1),
    },
    {
      document,
      number: '11 10 000 000',
      name: 'Additional procedure',
      path: [isSale ? 'vatCollection' : 'category'],
      value: additionalProcedure(request, totals),
      need: 'required',
      requiredBy: isSale
        ? 'F48 for IOSS, F49 for the special arrangements, F53 if VAT is collected in the standard way.'
        : `Gifts above EUR ${formatCents(MAX_GIFT_CENTS)} are not free of duty. Ask the declarant for the code.`,
    },
    {
      ...given,
      number: '14 14 000 000',
      name: 'Intrinsic value',
      path: at('cost'),
      value: euros(valueCents),
    },
    {
      ...given,
      number: '18 05 000 000',
      name: 'Description of goods',
      path: at('description'),
      value: description,
    },
    {
      document,
      number: '18 09 056 000',
      name: 'Harmonised System sub-heading code',
      path: at('tariff'),
      value: tariff?.slice(0, 6),
      need: 'required',
      requiredBy: 'H7 has the first six digits of the code.',
    },
    ...productEntries(isSale, item, index),
  ]
}

const PRODUCT_RULE = 'Distance sales need it since 2026-11-01 (Delegated Regulation (EU) 2026/1022).'

/** The identifiers have no number here, because the text of the regulation was not read. */
function productEntries(isSale: boolean, item: DeclaredGoods['item'], index: number): readonly Entry[] {
  const document = 'H7'
  const need = isSale ? 'required' : 'optional'
  const at = (field: string) => ['items', index, field] as const
  return [
    {
      document,
      need,
      requiredBy: PRODUCT_RULE,
      name: 'Merchant product identifier',
      path: at('merchantProductId'),
      value: item.merchantProductId,
    },
    {
      document,
      need,
      requiredBy: PRODUCT_RULE,
      name: 'Non-standardised manufacturer product identifier',
      path: at('manufacturerProductId'),
      value: item.manufacturerProductId,
    },
    {
      document,
      need: isSale ? 'recommended' : 'optional',
      path: at('gtin'),
      value: item.gtin,
      name: 'Standardised manufacturer product identifier',
      requiredBy: 'Required if the product has one, such as a GTIN (EAN, UPC).',
    },
  ]
}
