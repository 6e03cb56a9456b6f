/**
 * The summary of a line: one sentence for the buyer with the amount, the kind of charge and the reason that decides.
 * The description (line.ts) has everything else. See docs/customs-data.md#explained-estimates.
 */
import { formatCents } from '../../../money.ts'
import type { TaxKind } from '../../data/row-types/taxes.ts'
import type { Consignment } from '../consignment.ts'
import { notEstimated, type TaxLine } from '../tax-line.ts'
import { lineReason } from './line.ts'

export const MAX_SUMMARY_LENGTH = 100

const KINDS: Readonly<Record<TaxKind, string>> = {
  DUTY: 'duty',
  VAT: 'tax',
  GST: 'tax',
  EXCISE: 'excise',
  COMBINED: 'duty and tax',
  FEE: 'fee',
}

const KNOWN_NAMES: ReadonlyMap<string, string> = new Map([
  ['Value added tax', 'VAT'],
  ['Goods and services tax', 'GST'],
])

/** Names that say no more than the kind of the charge. */
const PLAIN_NAMES = [
  'Import duty',
  'Flat-rate customs duty',
  'Preferential duty',
  'Most-favoured-nation duty',
  'Excise duty',
  'Import tax',
]

/** "EUR 9.00 VAT: 9% of EUR 100.00", "No duty: consignments up to GBP 135 are free". At most `MAX_SUMMARY_LENGTH`. */
export function summarizeLine(consignment: Consignment, line: TaxLine): string {
  const beginning = beginningOf(line)
  const reason = lineReason(consignment, line)
  const name = nameOf(line)
  const full = name === '' ? `${beginning}: ${reason}` : `${beginning}: ${name}, ${reason}`
  return full.length <= MAX_SUMMARY_LENGTH ? full : shortened(`${beginning}: ${name === '' ? reason : name}`)
}

/** "EUR 9.00 VAT" */
function beginningOf({ kind, name, amountCents, computed }: TaxLine): string {
  const kindText = KNOWN_NAMES.get(estimatedName(name)) ?? KINDS[kind]
  if (!computed && amountCents === 0) return `${capitalized(kindText)} not estimated`
  return amountCents === 0 ? `No ${kindText}` : `EUR ${formatCents(amountCents)} ${kindText}`
}

/** The name of a charge that its kind does not tell; otherwise empty. */
function nameOf({ name }: TaxLine): string {
  const estimated = estimatedName(name)
  return KNOWN_NAMES.has(estimated) || PLAIN_NAMES.includes(estimated) ? '' : estimated
}

const NOT_ESTIMATED = notEstimated('')

function estimatedName(name: string): string {
  return name.endsWith(NOT_ESTIMATED) ? name.slice(0, -NOT_ESTIMATED.length) : name
}

function capitalized(text: string): string {
  return `${text[0]?.toUpperCase()}${text.slice(1)}`
}

/** Ends at a word if there is one. */
function shortened(text: string): string {
  if (text.length <= MAX_SUMMARY_LENGTH) return text
  const end = text.lastIndexOf(' ', MAX_SUMMARY_LENGTH - 1)
  return `${text.slice(0, end < 0 ? MAX_SUMMARY_LENGTH - 1 : end)}…`
}
