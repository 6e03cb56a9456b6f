/**
 * The customs forms of the Universal Postal Union: CN 22 for letter-post items of small value, CN 23 for all others.
 * Box numbers are those of the instructions printed on the forms. Sources: docs/customs-documents.md#sources.
 */
import { formatCents } from '../../money.ts'
import { formatKilograms } from '../../quantity.ts'
import { type Entry, type Party, partyEntries } from './entry.ts'
import type { Category, DeclarationRequest } from './request.ts'
import type { DeclaredGoods, Totals } from './totals.ts'

export type PostalForm = 'CN22' | 'CN23'

/**
 * 300 SDR in euro cents, at 0.860632 SDR for a euro (International Monetary Fund, 2026-02-13). Posts print an amount in
 * their own currency, which they rarely change.
 */
const CN22_MAX_CENTS = 34_858
/** The limit of letter post. */
const CN22_MAX_GRAMS = 2_000

const LIMITS = `300 SDR (EUR ${formatCents(CN22_MAX_CENTS)} at the rate of 2026-02-13) and ${formatKilograms(CN22_MAX_GRAMS)} kg`

/** The form, and why. The CN 23 is accepted for every item, so it is used if the weight is not known. */
export function choosePostalForm({ valueCents, netGrams, grossGrams }: Totals): {
  readonly form: PostalForm
  readonly reason: string
} {
  const grams = grossGrams ?? netGrams
  if (valueCents > CN22_MAX_CENTS)
    return {
      form: 'CN23',
      reason: `The value of EUR ${formatCents(valueCents)} is above the limit of the CN 22, ${LIMITS}.`,
    }
  if (grams === undefined)
    return { form: 'CN23', reason: `The weight is not known. The CN 22 has a limit of ${LIMITS}.` }
  if (grams > CN22_MAX_GRAMS)
    return {
      form: 'CN23',
      reason: `The weight of ${formatKilograms(grams)} kg is above the limit of the CN 22, ${LIMITS}.`,
    }
  return {
    form: 'CN22',
    reason: `Value and weight are within the limit of the CN 22, ${LIMITS}. A post may ask for a CN 23 on parcels.`,
  }
}

const CATEGORY_NAMES: Readonly<Record<Category, string>> = {
  SALE_OF_GOODS: 'Sale of goods',
  GIFT: 'Gift',
  DOCUMENTS: 'Documents',
  RETURNED_GOODS: 'Returned goods',
  COMMERCIAL_SAMPLE: 'Commercial sample',
  OTHER: 'Other',
}

/** Goods of a business transaction, whether or not they are sold for money. */
const COMMERCIAL: ReadonlySet<Category> = new Set(['SALE_OF_GOODS', 'RETURNED_GOODS', 'COMMERCIAL_SAMPLE'])

export type FormParties = { readonly sender: Party; readonly recipient: Party }

/** The entries of the parcel as a whole. Signature and date (8, 15) and the number of the item are added by hand. */
export function formEntries(
  form: PostalForm,
  request: DeclarationRequest,
  { sender, recipient }: FormParties,
  totals: Totals,
): readonly Entry[] {
  const address = {
    document: form,
    requiredBy: `The ${NAMES[form]} has the full name and address of both ends.`,
  }
  return [
    ...partyEntries(sender, { ...address, prefix: 'From' }),
    ...partyEntries(recipient, { ...address, prefix: 'To' }),
    ...categoryEntries(form, request),
    {
      ...boxOf(form, '6', '4'),
      name: form === 'CN22' ? 'Total weight (in kg)' : 'Total gross weight (in kg)',
      path: ['grossWeightKg'],
      value: totals.grossGrams === undefined ? undefined : formatKilograms(totals.grossGrams),
      need: 'required',
      requiredBy: 'The total is the weight of the parcel with its packaging.',
    },
    {
      ...boxOf(form, '7', '6'),
      name: 'Total value',
      path: ['items'],
      value: euros(totals.valueCents),
      need: 'required',
      requiredBy: '',
    },
    ...(form === 'CN23' ? cn23Entries(request) : []),
  ]
}

const NAMES: Readonly<Record<PostalForm, string>> = { CN22: 'CN 22', CN23: 'CN 23' }

function boxOf(form: PostalForm, cn22: string, cn23: string): Pick<Entry, 'document' | 'number'> {
  return { document: form, number: form === 'CN22' ? cn22 : cn23 }
}

function categoryEntries(form: PostalForm, { category, texts }: DeclarationRequest): readonly Entry[] {
  const box: Pick<Entry, 'document' | 'number'> = { document: form, ...(form === 'CN23' && { number: '10' }) }
  return [
    {
      ...box,
      name: 'Category of item',
      path: ['category'],
      value: CATEGORY_NAMES[category],
      need: 'required',
      requiredBy: '',
    },
    {
      ...box,
      name: 'Category of item: explanation',
      path: ['categoryExplanation'],
      value: texts.categoryExplanation,
      need: category === 'OTHER' ? 'required' : 'optional',
      requiredBy: 'The category "Other" needs an explanation.',
    },
  ]
}

/** The boxes that only the CN 23 has. */
function cn23Entries({ category, contacts, shippingCents, texts }: DeclarationRequest): readonly Entry[] {
  const { sender = {}, recipient = {} } = contacts
  const optional = { document: 'CN23', need: 'optional', requiredBy: '' } as const
  const senderReference = [texts.iossNumber, sender.eoriNumber].filter((text) => text !== undefined)
  const importerReference = texts.importerReference ?? recipient.eoriNumber ?? recipient.vatNumber
  return [
    {
      ...optional,
      name: "Sender's customs reference",
      path: ['iossNumber'],
      value: senderReference.length === 0 ? undefined : senderReference.join(', '),
    },
    { ...optional, name: "Importer's reference", path: ['importerReference'], value: importerReference },
    {
      ...optional,
      name: "Importer's telephone, fax or e-mail",
      path: ['recipient', 'phone'],
      value: recipient.phone ?? recipient.email,
      need: 'recommended',
      requiredBy: 'Customs asks the importer if something is not clear.',
    },
    {
      ...optional,
      number: '9',
      name: 'Postal charges/Fees',
      path: ['shippingCost'],
      value: shippingCents === undefined ? undefined : euros(shippingCents),
    },
    { ...optional, number: '11', name: 'Comments', path: ['comments'], value: texts.comments },
    { ...optional, number: '12', name: 'Licence', path: ['licenceNumber'], value: texts.licenceNumber },
    {
      ...optional,
      number: '13',
      name: 'Certificate',
      path: ['certificateNumber'],
      value: texts.certificateNumber,
    },
    {
      ...optional,
      number: '14',
      name: 'Invoice',
      path: ['invoiceNumber'],
      value: texts.invoiceNumber,
      need: COMMERCIAL.has(category) ? 'required' : 'optional',
      requiredBy: 'Commercial items have an invoice attached.',
    },
  ]
}

/** The entries of one kind of goods. */
export function formItemEntries(
  form: PostalForm,
  category: Category,
  goods: DeclaredGoods,
): readonly Entry[] {
  const { item, index, valueCents, netGrams } = goods
  const at = (field: string) => ['items', index, 'goods', field] as const
  const given = { need: 'required', requiredBy: '' } as const
  const { description, numberOfItems, tariff, originCountry } = item.goods
  const customsData = {
    need: COMMERCIAL.has(category) ? (form === 'CN23' ? 'required' : 'recommended') : 'optional',
    requiredBy: `The ${NAMES[form]} has it for commercial items.`,
  } as const
  const quantity: Entry = {
    document: form,
    number: '2',
    name: 'Quantity',
    path: at('numberOfItems'),
    ...given,
    value: String(numberOfItems),
  }
  return [
    {
      ...boxOf(form, '1', '1'),
      ...given,
      name:
        form === 'CN22'
          ? 'Quantity and detailed description of contents'
          : 'Detailed description of contents',
      path: at('description'),
      value: form === 'CN22' ? `${numberOfItems} ${description}` : description,
    },
    ...(form === 'CN23' ? [quantity] : []),
    {
      ...boxOf(form, '2', '3'),
      name: 'Net weight (in kg)',
      path: at('weight'),
      value: netGrams === undefined ? undefined : formatKilograms(netGrams),
      need: 'required',
      requiredBy: `The ${NAMES[form]} has the net weight of every item.`,
    },
    { ...boxOf(form, '3', '5'), ...given, name: 'Value', path: at('cost'), value: euros(valueCents) },
    {
      ...boxOf(form, '4', '7'),
      ...customsData,
      name: 'HS tariff number',
      path: at('tariff'),
      value: tariff?.slice(0, 6),
    },
    {
      ...boxOf(form, '5', '8'),
      ...customsData,
      name: 'Country of origin of goods',
      path: at('originCountry'),
      value: originCountry,
    },
  ]
}

export function euros(cents: number): string {
  return `EUR ${formatCents(cents)}`
}
