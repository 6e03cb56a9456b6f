/** The published rule behind a line in the schema's shape: what is empty in the data is null there. */
import type { Confidence as CoreConfidence } from '../../core/customs/reference/measure-rows.ts'
import type { DataSetRow } from '../../core/customs/reference/reference-rows.ts'
import type { LineSource, RateRange } from '../../core/customs/tax-line.ts'
import type { Confidence, ResolversParentTypes } from '../generated.ts'

const CONFIDENCES: Readonly<Record<CoreConfidence, Confidence>> = {
  high: 'HIGH',
  medium: 'MEDIUM',
  low: 'LOW',
}

/** Core's word for goods of any origin. */
const ALL_ORIGINS = 'ALL'

/** A source for `TaxLine.measure`; `dataSets` are those that the estimate was worked out with. */
export function presentSource(
  source: LineSource,
  dataSets: ReadonlyMap<string, DataSetRow>,
): ResolversParentTypes['MeasureSource'] {
  const { measureType, codePrefix, origin, agreement, rateText, range, validFrom, validTo } = source
  const dataSet = dataSets.get(source.dataSet)
  return {
    type: measureType,
    codePrefix: orNull(codePrefix),
    origin: origin === ALL_ORIGINS ? null : orNull(origin),
    agreement: orNull(agreement),
    rate: orNull(rateText),
    range: range === undefined ? null : presentRange(range),
    validFrom,
    validTo,
    confidence: CONFIDENCES[source.confidence],
    dataSet: dataSet === undefined ? null : presentDataSet(dataSet),
  }
}

/** Lines that all have one rate have no range. */
function presentRange({
  lowestPercent,
  highestPercent,
}: RateRange): ResolversParentTypes['RateRange'] | null {
  return lowestPercent === highestPercent ? null : { lowest: lowestPercent, highest: highestPercent }
}

function presentDataSet({ name, title, source, date }: DataSetRow): ResolversParentTypes['DataSet'] {
  return { name, title, source, date }
}

function orNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text
}
