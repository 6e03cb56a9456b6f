/**
 * A customs declaration: the data of a CN 22 or CN 23 and of an H7, what is missing, and which descriptions customs
 * would refuse. See docs/customs-documents.md.
 */
import { customsAreaOf, findJurisdiction, movementBetween, type TerritoryTables } from '../data/territory.ts'
import { checkDescription, type DescriptionFault, type DescriptionWords } from './description.ts'
import { type Entry, type Field, fieldsOf, type Gap, gapsOf } from './entry.ts'
import { allowsH7, h7Entries, h7ItemEntries } from './h7.ts'
import {
  choosePostalForm,
  type FormParties,
  formEntries,
  formItemEntries,
  type PostalForm,
} from './postal-form.ts'
import type { DeclarationRequest } from './request.ts'
import { type DeclaredGoods, declareGoods, type Totals, totalsOf } from './totals.ts'

export type CustomsDeclaration = {
  readonly kind: 'CustomsDeclaration'
  /** Undefined if the goods do not cross a customs border. */
  readonly form: PostalForm | undefined
  readonly formReason: string
  /** The fields of the form for the parcel as a whole. */
  readonly fields: readonly Field[]
  /** In the order of the request. */
  readonly items: readonly DeclaredItem[]
  readonly totals: Totals
  /** The data elements of the consignment. Undefined if the goods cannot be declared in H7. */
  readonly h7: readonly Field[] | undefined
  readonly h7Reason: string
  /** In the order of the documents: first those of the parcel, then those of the items. */
  readonly missing: readonly Gap[]
  /** True if nothing required is missing and customs would refuse no description. */
  readonly complete: boolean
}

export type DeclaredItem = {
  /** Of the form. */
  readonly fields: readonly Field[]
  /** Of H7. Empty if the goods cannot be declared in it. */
  readonly h7: readonly Field[]
  readonly valueCents: number
  readonly netGrams: number | undefined
  readonly descriptionFault: DescriptionFault | undefined
}

export type DeclarationTables = { readonly territories: TerritoryTables; readonly words: DescriptionWords }

const NO_BORDER = 'The goods do not cross a customs border: no declaration is needed.'

export function declare(tables: DeclarationTables, request: DeclarationRequest): CustomsDeclaration {
  const goods = declareGoods(request.items)
  const totals = totalsOf(goods, request.grossWeightGrams)
  const border = borderOf(tables.territories, request)
  const entries = border.isCrossed ? entriesOf(request, goods, totals, border.isImportToEu) : NOTHING
  const missing = [...entries.parcel, ...entries.items.flat()]
  const items = goods.map((part, index): DeclaredItem => {
    const ofItem = entries.items[index] ?? []
    return {
      ...splitByDocument(ofItem),
      valueCents: part.valueCents,
      netGrams: part.netGrams,
      descriptionFault: border.isCrossed
        ? checkDescription(part.item.goods.description, tables.words)
        : undefined,
    }
  })
  const gaps = gapsOf(missing)
  const ofParcel = splitByDocument(entries.parcel)
  return {
    kind: 'CustomsDeclaration',
    form: entries.form,
    formReason: entries.formReason,
    fields: ofParcel.fields,
    items,
    totals,
    h7: entries.hasH7 ? ofParcel.h7 : undefined,
    h7Reason: entries.h7Reason,
    missing: gaps,
    complete:
      gaps.every(({ required }) => !required) &&
      items.every(({ descriptionFault }) => descriptionFault === undefined),
  }
}

type Entries = {
  readonly form: PostalForm | undefined
  readonly formReason: string
  readonly hasH7: boolean
  readonly h7Reason: string
  readonly parcel: readonly Entry[]
  /** By item. */
  readonly items: readonly (readonly Entry[])[]
}

const NOTHING: Entries = {
  form: undefined,
  formReason: NO_BORDER,
  hasH7: false,
  h7Reason: NO_BORDER,
  parcel: [],
  items: [],
}

function borderOf(tables: TerritoryTables, { from, to }: DeclarationRequest) {
  const [start, end] = [findJurisdiction(tables, from), findJurisdiction(tables, to)]
  const movement = movementBetween(start, end)
  return {
    isCrossed: movement !== 'inside',
    isImportToEu: movement === 'import' && customsAreaOf(end) === 'EU',
  }
}

function entriesOf(
  request: DeclarationRequest,
  goods: readonly DeclaredGoods[],
  totals: Totals,
  isImportToEu: boolean,
): Entries {
  const { form, reason: formReason } = choosePostalForm(totals)
  const { allowed: hasH7, reason: h7Reason } = allowsH7(request, totals, isImportToEu)
  const parties = partiesOf(request)
  return {
    form,
    formReason,
    hasH7,
    h7Reason,
    parcel: [
      ...formEntries(form, request, parties, totals),
      ...(hasH7 ? h7Entries(request, parties, totals) : []),
    ],
    items: goods.map((part) => [
      ...formItemEntries(form, request.category, part),
      ...(hasH7 ? h7ItemEntries(request, totals, part) : []),
    ]),
  }
}

function partiesOf({ from, to, contacts: { sender = {}, recipient = {} } }: DeclarationRequest): FormParties {
  return {
    sender: { end: 'sender', contact: sender, place: from, placePath: 'from' },
    recipient: { end: 'recipient', contact: recipient, place: to, placePath: 'to' },
  }
}

function splitByDocument(entries: readonly Entry[]): Pick<DeclaredItem, 'fields' | 'h7'> {
  return {
    fields: fieldsOf(entries.filter(({ document }) => document !== 'H7')),
    h7: fieldsOf(entries.filter(({ document }) => document === 'H7')),
  }
}
