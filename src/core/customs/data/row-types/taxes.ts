/** The tables of taxes on import: VAT, GST and others with their rates, and excise duties. */
import { codePrefixes, duty, name, percent, type RowOf, text, word } from '../field.ts'
import {
  anyPrefix,
  confidence,
  jurisdiction,
  no,
  note,
  optionalName,
  optionalPercent,
  optionalText,
  recipient,
  table,
  validity,
  words,
} from './table.ts'

/** Taxes on import. */
export const taxes = table({
  rowName: 'tax',
  fields: {
    jurisdiction,
    tax: name(),
    name: text(),
    kind: word(['DUTY', 'VAT', 'GST', 'EXCISE', 'FEE']),
    /** `levied` by the rate rows; `none`: not levied; `not_estimated`: levied at rates that are not loaded. */
    status: word(['levied', 'none', 'not_estimated']),
    /** `inside`: the tax is part of its own base. */
    base: word(['value_and_duty', 'inside'], { whenEmpty: 'value_and_duty' }),
    /** Freight and insurance are in the base even if they are not in the customs value. */
    includesFreight: no,
    /** Share of the customs value that is added to the base. */
    upliftPpm: percent({ whenEmpty: 0 }),
    /** The jurisdiction whose rate rows apply. */
    ratesOf: optionalName,
    /** Why the amount is zero, for a tax that is not levied or not estimated. */
    reason: optionalText,
    note,
    /** The note applies to these codes. Empty: to all. */
    notePrefixes: codePrefixes(),
    /** The tax applies to these codes. Empty: to all. */
    codePrefixes: codePrefixes(),
    /** The tax is charged on goods for this recipient. */
    recipient,
  },
  key: ['jurisdiction', 'tax'],
  scope: ['jurisdiction'],
  owner: 'jurisdiction',
  label: ({ tax }) => tax,
})

/** Rates of a tax. */
export const taxRates = table({
  rowName: 'tax_rate',
  fields: {
    jurisdiction,
    tax: name({ whenEmpty: 'VAT' }),
    codePrefix: anyPrefix,
    ratePpm: percent(),
    /** "standard", or the goods the rate is for in a word or two: "food", "books". */
    kind: text({ whenEmpty: 'standard', maxLength: 80 }),
    ...validity,
    confidence,
    note,
  },
  key: ['jurisdiction', 'tax', 'codePrefix', 'validFrom'],
  scope: ['jurisdiction', 'tax'],
  owner: 'jurisdiction',
  label: ({ tax, codePrefix }) => words(tax, codePrefix),
})

/** Dated rates of excise duties. Goods are subject to every excise that has a rate for their code. */
export const exciseRates = table({
  rowName: 'excise_rate',
  fields: {
    jurisdiction,
    /** "spirits", "cigarettes". Of one excise, the rows with the longest matching prefix apply. */
    excise: name(),
    /** The name of its lines: "Excise duty on spirits". */
    name: text(),
    codePrefix: anyPrefix,
    /** Alcohol by volume: the rate applies above the first and up to the second. Null: no bound. */
    strengthAbovePpm: optionalPercent,
    strengthUpToPpm: optionalPercent,
    /** Share of the retail price in the destination. It is never calculated, because no request contains that price. */
    retailPricePpm: optionalPercent,
    /** Share of the customs value and the import duty. */
    adValoremPpm: optionalPercent,
    specific: duty({ whenEmpty: '' }),
    /** The least amount of the whole excise. */
    minimum: duty({ whenEmpty: '' }),
    /** The published text, if the other columns cannot hold all of it. */
    text: note,
    ...validity,
    confidence,
    note,
  },
  key: ['jurisdiction', 'excise', 'codePrefix', 'strengthAbovePpm', 'validFrom'],
  scope: ['jurisdiction'],
  owner: 'jurisdiction',
  label: ({ excise, codePrefix, strengthAbovePpm }) =>
    words(excise, codePrefix, strengthAbovePpm === null ? '' : `above ${strengthAbovePpm / 10_000}% vol`),
})

export type TaxRow = RowOf<typeof taxes.fields>
export type TaxRateRow = RowOf<typeof taxRates.fields>
export type ExciseRateRow = RowOf<typeof exciseRates.fields>

/** `COMBINED`: duty and taxes in one rate, which only low-value rules charge. */
export type TaxKind = TaxRow['kind'] | 'COMBINED'
