/** Texts for schemes under which the seller collects the tax at the checkout. See docs/import-schemes.md. */
import type { Consignment } from '../consignment.ts'
import type { SchemeChoice } from '../import-schemes/scheme-choice.ts'
import type { DutyReasons } from '../tax-line.ts'
import type { Explanation } from './explanation.ts'
import { describeDataSet, sentences } from './text.ts'

/** No duty, because the goods are sold under a scheme. */
export const SCHEME_RELIEF: Explanation<DutyReasons['schemeRelief']> = {
  describe: ({ scheme }, { consignment }) =>
    sentences(
      `No duty: goods under ${schemeText(scheme)} are free of duty.`,
      describeChoice(consignment, scheme),
    ),
  reason: ({ scheme: { scheme } }) => `goods under ${scheme.row.scheme.replace('_', ' ')} are free of duty`,
  source: ({ scheme: { scheme } }) => ({
    dataSet: scheme.row.dataSet,
    measureType: scheme.row.scheme,
    codePrefix: '',
    rateText: '',
    validFrom: scheme.row.validFrom,
    validTo: scheme.row.validTo,
    confidence: scheme.row.confidence,
  }),
}

/** Who collects a tax on goods under a scheme; empty for other goods. */
export function describeCollection(consignment: Consignment, scheme: SchemeChoice | undefined): string {
  if (scheme === undefined) return ''
  return sentences(
    `The seller collects it at the checkout under ${schemeText(scheme)}.`,
    describeChoice(consignment, scheme),
  )
}

/** "VOEC (VAT on e-commerce, a scheme of Norway)" */
export function schemeText({ scheme: { row } }: Pick<SchemeChoice, 'scheme'>): string {
  return `${row.scheme.replace('_', ' ')} (${row.name})`
}

function describeChoice(consignment: Consignment, { scheme: { row }, basis }: SchemeChoice): string {
  return sentences(
    basis === 'ASSUMED' ? 'A seller that is registered for it is assumed.' : '',
    row.note,
    describeDataSet(consignment, row.dataSet, row.confidence),
  )
}
