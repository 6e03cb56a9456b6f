/** The table of schemes under which the seller collects the import tax at the checkout. See docs/import-schemes.md. */
import { codePrefixes, currency, day, name, type RowOf, text, word } from '../field.ts'
import {
  confidence,
  jurisdiction,
  namedRecipient,
  no,
  note,
  optionalAmount,
  optionalText,
  recipient,
  table,
  validity,
  words,
  yes,
} from './table.ts'

/** Dated schemes of a jurisdiction or of a tax area. The first row in force for the recipient applies. */
export const sellerSchemes = table({
  rowName: 'seller_scheme',
  fields: {
    /** A jurisdiction, or a tax area with all its jurisdictions. */
    jurisdiction,
    /** "IOSS", "VOEC". Accounts have registrations for it. */
    scheme: name(),
    /** "the import one-stop shop of the EU" */
    name: text({ maxLength: 120 }),
    /** The highest value of goods under the scheme. Empty: no limit. */
    limitAmount: optionalAmount,
    currency: currency({ whenEmpty: '' }),
    /** The limit is compared with the value of all goods, or with that of one item. Both are without freight. */
    limitOn: word(['consignment', 'item'], { whenEmpty: 'consignment' }),
    /** The value must be below the limit. Otherwise it may be equal. */
    belowLimit: no,
    /** Goods that the scheme does not cover. */
    excludedPrefixes: codePrefixes(),
    recipient,
    /** Goods under the scheme are free of import duty. */
    freesFromDuty: no,
    /** The scheme is assumed if neither the request nor the account says otherwise. */
    assumed: yes,
    ...validity,
    /** The law, or the page that the row was read from. */
    source: optionalText,
    /** The day on which the source was read. */
    readOn: day({ whenEmpty: null, fileDefault: true }),
    confidence,
    note,
  },
  key: ['jurisdiction', 'scheme', 'recipient', 'validFrom'],
  scope: ['jurisdiction'],
  owner: 'jurisdiction',
  label: ({ scheme, recipient }) => words(scheme, namedRecipient(recipient)),
})

export type SellerSchemeRow = RowOf<typeof sellerSchemes.fields>
