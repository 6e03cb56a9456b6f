/** Texts for duties that are not charged because a rate, a quantity or a tariff is missing. */
import { tariffAreaOf } from '../../../data/territory.ts'
import { formatEuro } from '../../../exact.ts'
import { formatPercent } from '../../../tariff/duty-text.ts'
import { isRateKnown } from '../../../tariff/measure.ts'
import type { Consignment } from '../../consignment.ts'
import { quotasFor } from '../../duty/additional-code.ts'
import { measureBasis } from '../../duty/basis.ts'
import type { Goods, Lot } from '../../goods.ts'
import type { DutyReasons, ExactLine, MeasureFacts } from '../../tax-line.ts'
import type { ReasonTexts } from '../explanation.ts'
import { openUncounted } from '../open-point.ts'
import { SCHEME_RELIEF } from '../seller-scheme.ts'
import { describeDataSet, describeMissingRates, reliefRemark, sentences } from '../text.ts'
import { describeUnverified } from '../threshold.ts'
import { CODE_RANGE } from './additional-code.ts'
import {
  averageText,
  baseText,
  currenciesOf,
  describeOrigin,
  describeUnclaimedPreferences,
  OF_MEASURE,
} from './duty.ts'
import { missingReason } from './duty-reason.ts'
import { confidenceOf, describeChoice, describeIndividualRates, rateRange } from './rate-choice.ts'
import { TRADE_DEFENCE } from './trade-defence.ts'

export const DUTY_REASONS: ReasonTexts<DutyReasons> = {
  missingPart: {
    ...OF_MEASURE,
    describe: (facts, { consignment }) => describeMissingPart(consignment, facts),
    reason: missingReason,
    basis: (facts) => (isRateKnown(facts.measure) ? measureBasis(facts) : 'NOT_LOADED'),
  },
  uncounted: {
    ...OF_MEASURE,
    describe: (facts, { consignment, line }) => describeUncounted(consignment, facts, line),
    reason: ({ amount }) => `averages are excluded (${formatEuro(amount)} on average)`,
    open: openUncounted,
    basis: () => 'GROUP_AVERAGE',
  },
  noMeasure: {
    describe: ({ goods, lot }, { consignment }) => describeNoMeasure(consignment, goods, lot),
    reason: ({ goods }, { consignment }) =>
      consignment.tables.tariffs.has(tariffAreaOf(consignment.to))
        ? `the tariff has no duty for code ${goods.harmonizedCode}`
        : 'no tariff is loaded for the destination',
    source: () => undefined,
    range: ({ lot }) => lot.facts.averageRange && rateRange(lot, lot.facts.averageRange),
    quotas: ({ lot }) => quotasFor(lot),
  },
  codeRange: CODE_RANGE,
  schemeRelief: SCHEME_RELIEF,
  tradeDefence: TRADE_DEFENCE,
}

function describeMissingPart(
  consignment: Consignment,
  { goods, lot, measure, missing }: MeasureFacts,
): string {
  const { row, rateText } = measure
  return sentences(
    row.condition === 'not_loaded'
      ? describeNotLoaded(rateText)
      : `The rate is ${rateText}; ${missing} cannot be calculated from this request.`,
    describeMissingRates(consignment, currenciesOf(measure)),
    describeChoice(lot, measure),
    describeOrigin(consignment, lot, measure),
    row.note,
    describeDataSet(consignment, row.dataSet, row.confidence),
    ...goods.remarks,
  )
}

function describeNotLoaded(rateText: string): string {
  return rateText === ''
    ? 'The rate of these goods is not loaded.'
    : `The rate is ${rateText}. The duty cannot be calculated from the loaded data.`
}

/** An average that is not part of the estimate. */
function describeUncounted(
  consignment: Consignment,
  { goods, lot, measure, amount }: DutyReasons['uncounted'],
  line: ExactLine,
): string {
  const { row } = measure
  const base = baseText(consignment, lot, measure, line)
  const percent = formatPercent(row.adValoremPpm ?? 0)
  return sentences(
    `Not counted: averages are excluded from this estimate.`,
    `${averageText(consignment, row)}: ${percent} of the ${base}, which is ${formatEuro(amount)}.`,
    describeIndividualRates(row),
    row.note,
    describeDataSet(consignment, row.dataSet, confidenceOf(lot, measure)),
    describeUnclaimedPreferences(consignment, lot),
    ...goods.remarks,
  )
}

function describeNoMeasure(consignment: Consignment, goods: Goods, lot: Lot): string {
  const { tables, to, sendingCountry } = consignment
  const origin = lot.origin === '' ? sendingCountry : lot.origin
  return sentences(
    tables.tariffs.has(tariffAreaOf(to))
      ? `The tariff loaded for ${to.name} has no duty for code ${goods.harmonizedCode} and origin ${origin}.`
      : `No tariff is loaded for ${to.name}.`,
    describeAverageRange(consignment, lot),
    describeUnclaimedPreferences(consignment, lot),
    reliefRemark(to),
    describeUnverified(consignment, 'duty', goods.harmonizedCode),
    to.note,
    ...goods.remarks,
  )
}

/** The range of the averages of a country, for goods without a rate. */
function describeAverageRange(consignment: Consignment, { facts: { averageRange } }: Lot): string {
  if (averageRange === undefined) return ''
  const { goods, lowestPpm, highestPpm, note, dataSet } = averageRange.row
  const range = `between ${formatPercent(lowestPpm ?? 0)} and ${formatPercent(highestPpm ?? 0)}`
  return sentences(
    `The average duty on ${goods} in ${consignment.to.name} is ${range}.`,
    note,
    describeDataSet(consignment, dataSet, 'low'),
  )
}
