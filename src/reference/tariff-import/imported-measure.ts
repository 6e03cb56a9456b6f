/** Makes the measure rows of imported tariffs. */
import type { MeasureRow } from '../../core/customs/data/row-types/measures.ts'
import type { DutyFields } from './cell-text.ts'

/** The ad valorem duties of several lines, in parts per million. */
export type DutyRange = { readonly lowest: number; readonly highest: number; readonly count: number }

type MeasureTerms = Pick<
  MeasureRow,
  'measureType' | 'originGroup' | 'excludedOrigins' | 'agreement' | 'confidence' | 'note'
> & { readonly range: DutyRange | undefined }

/** The unit values that a line covers: above the first amount, and up to the second. Empty: no bound. */
type UnitValueBounds = {
  readonly above: string
  readonly upTo: string
  readonly currency: string
  readonly per: string
}

const ANY_UNIT_VALUE: UnitValueBounds = { above: '', upTo: '', currency: '', per: '' }

/**
 * The row of a duty on the value of the goods that is added to other duties. Lists all fields, because objects made by
 * spreading take several times the memory.
 */
export function importedMeasure(
  { dataSet, jurisdiction, codePrefix }: Pick<MeasureRow, 'dataSet' | 'jurisdiction' | 'codePrefix'>,
  { adValoremPpm, specific, minimum, maximum, condition, text }: DutyFields,
  { validFrom, validTo }: Pick<MeasureRow, 'validFrom' | 'validTo'>,
  { measureType, originGroup, excludedOrigins, range, agreement, confidence, note }: MeasureTerms,
  unitValue: UnitValueBounds = ANY_UNIT_VALUE,
): MeasureRow {
  return {
    dataSet,
    jurisdiction,
    codePrefix,
    measureType,
    kind: 'additive',
    originGroup,
    excludedOrigins,
    scopeList: '',
    exemptList: '',
    basis: 'value',
    against: [],
    adValoremPpm,
    specific,
    minimum,
    maximum,
    condition,
    text,
    level: 'line',
    goods: '',
    lowestPpm: range?.lowest ?? null,
    highestPpm: range?.highest ?? null,
    lineCount: range?.count ?? null,
    unitValueAbove: unitValue.above,
    unitValueUpTo: unitValue.upTo,
    unitValueCurrency: unitValue.currency,
    unitValuePer: unitValue.per,
    validFrom,
    validTo,
    agreement,
    confidence,
    note,
  }
}
