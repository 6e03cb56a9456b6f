/** Texts for trade defence duties whose rates are not loaded. */
import { ALL_ORIGINS } from '../../../tariff/measure.ts'
import type { Consignment } from '../../consignment.ts'
import type { DutyReasons } from '../../tax-line.ts'
import type { Explanation } from '../explanation.ts'
import { describeDataSet, type LineSource, sentences } from '../text.ts'

export const TRADE_DEFENCE: Explanation<DutyReasons['tradeDefence']> = {
  describe: (facts, { consignment }) => describeTradeDefence(consignment, facts),
  reason: () => 'may apply to these goods, rate not loaded',
  source: tradeDefenceSource,
}

function describeTradeDefence(consignment: Consignment, { lot, rows }: DutyReasons['tradeDefence']): string {
  const [first] = rows
  const goods = distinct(rows.map((row) => row.goods)).join('; ')
  const sources = distinct(rows.flatMap((row) => (row.source === '' ? [] : [row.source])))
  const sendingCountry =
    lot.origin === '' ? 'No origin is given, so the sending country counts as the origin.' : ''
  return sentences(
    `May apply to goods of origin ${lot.origin || consignment.sendingCountry}: ${goods}.`,
    sendingCountry,
    'The rate is not loaded, and usually depends on the producer: ask the seller who made the goods, and a customs broker for the rate.',
    sources.length === 0 ? '' : `Source: ${sources.join('; ')}.`,
    ...distinct(rows.map((row) => row.note)),
    first === undefined ? '' : describeDataSet(consignment, first.dataSet, first.confidence),
  )
}

/** The line has no amount, so its reliability is low, however well the measure is known. */
function tradeDefenceSource({ rows }: DutyReasons['tradeDefence']): LineSource | undefined {
  const [first] = rows
  if (first === undefined) return undefined
  const { dataSet, kind, codePrefix, originGroup, source, validFrom, validTo } = first
  return {
    dataSet,
    measureType: kind,
    codePrefix,
    ...(originGroup !== ALL_ORIGINS && { origin: originGroup }),
    ...(source !== '' && { agreement: source }),
    rateText: '',
    validFrom,
    validTo,
    confidence: 'low',
  }
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
