/** What a declaration states, and what it still needs. */
import type { Contact } from '../../contact.ts'
import type { Place } from '../../place.ts'
import type { FieldPath } from '../../problem.ts'

export const DOCUMENTS = ['CN22', 'CN23', 'H7'] as const
export type DocumentName = (typeof DOCUMENTS)[number]

/** A box of a form, or a data element. */
export type Entry = {
  readonly document: DocumentName
  /** The number of the box on the form, or of the data element. Absent if it has none. */
  readonly number?: string
  /** As printed on the form. */
  readonly name: string
  /** The request field that holds the value. */
  readonly path: FieldPath
  /** Undefined if the request does not give it. */
  readonly value: string | undefined
  /** An optional entry is never reported as missing. */
  readonly need: 'required' | 'recommended' | 'optional'
  /** Why it is needed: an English sentence. Empty if it is optional or always given. */
  readonly requiredBy: string
}

export type Field = Pick<Entry, 'number' | 'name'> & { readonly value: string }

/** A value that is missing. */
export type Gap = Pick<Entry, 'document' | 'number' | 'name' | 'path' | 'requiredBy'> & {
  /** False if the declaration is accepted without it, but may take longer. */
  readonly required: boolean
}

export function fieldsOf(entries: readonly Entry[]): readonly Field[] {
  return entries.flatMap(({ number, name, value }) =>
    value === undefined ? [] : [{ ...(number !== undefined && { number }), name, value }],
  )
}

export function gapsOf(entries: readonly Entry[]): readonly Gap[] {
  return entries.flatMap(({ document, number, name, path, value, need, requiredBy }) =>
    value !== undefined || need === 'optional'
      ? []
      : [
          {
            document,
            name,
            path,
            requiredBy,
            ...(number !== undefined && { number }),
            required: need === 'required',
          },
        ],
  )
}

/** Both ends of a route, with the names of their fields. */
export type Party = {
  readonly end: 'sender' | 'recipient'
  readonly contact: Contact
  readonly place: Place
  /** The field of the request with `place`. */
  readonly placePath: 'from' | 'to'
}

/** The name and address, as the entries of a document. A postal code is recommended: some countries have none. */
export function partyEntries(
  { end, contact, place, placePath }: Party,
  entry: Pick<Entry, 'document' | 'requiredBy'> & { readonly number?: string; readonly prefix: string },
): readonly Entry[] {
  const { prefix, ...rest } = entry
  const { name, company, street } = contact
  const required = { ...rest, need: 'required' } as const
  return [
    {
      ...required,
      name: `${prefix}: name`,
      path: [end, 'name'],
      // A company without a contact person is addressed by its name.
      value: name ?? company,
    },
    {
      ...rest,
      need: 'optional',
      name: `${prefix}: business`,
      path: [end, 'company'],
      value: name === undefined ? undefined : company,
    },
    { ...required, name: `${prefix}: street`, path: [end, 'street'], value: street },
    {
      ...rest,
      need: 'recommended',
      name: `${prefix}: postcode`,
      path: [placePath, 'zipcode'],
      value: place.zipcode,
    },
    { ...required, name: `${prefix}: city`, path: [placePath, 'city'], value: place.city },
    { ...required, name: `${prefix}: country`, path: [placePath, 'country'], value: place.country },
  ]
}
