/** Applies keys with a plain value that is not just stored. */
import type { FeeRow } from '../../../src/core/customs/data/tables/fees.ts'
import type { ThresholdRow } from '../../../src/core/customs/data/tables/thresholds.ts'
import { formatDecimal } from '../../../src/core/quantity.ts'
import { type CaseDraft, centsOf, type DutyDraft, type FeeDraft, type LimitDraft, openDuty } from './draft.ts'
import { amountText, countGoods, takePercent } from './duties.ts'
import {
  amountOf,
  child,
  decimalText,
  type Entry,
  isRecord,
  type Ledger,
  ppmOf,
  reject,
  shareOf,
  textOf,
  timesDecimal,
  yesOf,
} from './entry.ts'
import type { Apply } from './matching.ts'

/** For keys that do not affect the result. */
export function ignore(): void {}

const KINDS = ['additive', 'cap_total', 'floor_total', 'replace_base'] as const

/** Recognises "cap_total" and similar kinds. Other words are descriptions and have no effect. */
export function takeKind(duty: DutyDraft, entry: Entry): void {
  const kind = KINDS.find((known) => known === textOf(entry))
  if (kind !== undefined) duty.kind = kind
  if (/^preferen/i.test(textOf(entry))) duty.role = 'preference'
}

export function takeShareOfDuty(duty: DutyDraft, entry: Entry): void {
  duty.basis = 'duty'
  if (entry.value !== true) takePercent(duty, entry)
}

const BASES: Readonly<Record<string, DutyDraft['basis']>> = {
  value: 'value',
  customs_value: 'value',
  cif: 'value',
  fob: 'value',
  goods: 'value',
  duty: 'duty',
  duties: 'duty',
  base_duty: 'duty',
}

export function takeBasis(duty: DutyDraft, entry: Entry): void {
  const basis = BASES[textOf(entry).toLowerCase()]
  if (basis === undefined) reject(entry, `the basis ${JSON.stringify(entry.value)} is not understood`)
  else duty.basis = basis
}

export function takeReplacing(duty: DutyDraft, entry: Entry): void {
  if (yesOf(entry)) duty.kind = 'replace_base'
}

export function takePreferential(duty: DutyDraft, entry: Entry): void {
  if (yesOf(entry)) duty.role = 'preference'
}

/** Sets an amount of a fee. */
export function toFee(column: FeeAmount): Apply<FeeDraft> {
  return (fee, entry) => {
    setFee(fee, { [column]: finest(entry, amountOf(entry)) })
  }
}

type FeeAmount = 'minimum' | 'maximum' | 'notLeviedBelow' | 'valueAbove' | 'valueUpTo'

/** Sets an amount of the last fee, for keys such as "mpfMin". */
export function toFeeOfKey(column: FeeAmount): Apply<CaseDraft> {
  return (draft, entry) => toFee(column)(feeOfKey(draft, entry), entry)
}

function feeOfKey(draft: CaseDraft, entry: Entry): FeeDraft {
  const hint = hintOf(entry.key)
  const known = draft.fees.find((fee) => fee.hint === hint)
  if (known !== undefined) return known
  const fee: FeeDraft = { hint, row: {} }
  draft.fees.push(fee)
  return fee
}

export function takeFeeRate(fee: FeeDraft, entry: Entry): void {
  setFee(fee, { kind: 'share_of_value', ratePpm: ppmOf(entry) })
}

/** A fixed fee, per code if the case says so, otherwise per consignment. */
export function takeFeeAmount(fee: FeeDraft, entry: Entry): void {
  setFee(fee, { kind: fee.row.kind ?? 'per_consignment', amount: finest(entry, amountOf(entry)) })
}

/** A fee per code. The value is its amount, or true if `amount` gives it. */
export function takePerLine(fee: FeeDraft, entry: Entry): void {
  if (entry.value === false) return
  setFee(fee, { kind: 'per_line' })
  if (entry.value !== true) takeFeeAmount(fee, entry)
}

export function takeInTaxBase(fee: FeeDraft, entry: Entry): void {
  setFee(fee, { inTaxBase: yesOf(entry) })
}

function setFee(fee: FeeDraft, row: Partial<FeeRow>): void {
  fee.row = { ...fee.row, ...row }
}

/** Sets an amount of a low-value rule. */
export function toLimit(column: LimitAmount): Apply<LimitDraft> {
  return (limit, entry) => {
    setLimit(limit, { [column]: finest(entry, amountOf(entry)) })
  }
}

type LimitAmount = 'limitAmount' | 'deductAmount'

/** Sets an amount of every flat rate of the case. */
export function toEachFlat(column: LimitAmount): Apply<CaseDraft> {
  return (draft, entry) => {
    const flats = draft.limits.filter((limit) => limit.row.kind === 'flat_rate')
    if (flats.length === 0) reject(entry, 'there is no flat rate that this could be of')
    for (const flat of flats) toLimit(column)(flat, entry)
  }
}

export function takeFlatShare(limit: LimitDraft, entry: Entry): void {
  setLimit(limit, { ratePpm: ppmOf(entry) })
}

export function takeReplacesTaxes(limit: LimitDraft, entry: Entry): void {
  setLimit(limit, { replacesTaxes: yesOf(entry) })
}

function setLimit(limit: LimitDraft, row: Partial<ThresholdRow>): void {
  limit.row = { ...limit.row, ...row }
}

/** The digits of a code, at most ten. */
export function codeOf(entry: Entry): string {
  const digits = textOf(entry).replace(/[.\s]/g, '')
  if (/^\d{6,12}$/.test(digits)) return digits.slice(0, 10)
  reject(entry, `${JSON.stringify(entry.value)} is no code of 6 to 12 digits`)
  return '000000'
}

/** The entry, with the currency of the goods as its default. */
export function inValueCurrency({ valueCurrency }: CaseDraft, entry: Entry): Entry {
  if (valueCurrency === undefined || entry.currency !== entry.ledger.currency) return entry
  return { ...entry, currency: valueCurrency }
}

export function takeGoods(draft: CaseDraft, entry: Entry): void {
  const goods = amountOf(inValueCurrency(draft, entry))
  if ((draft.goods ?? goods) !== goods) reject(entry, `a second value of the goods beside ${draft.goods}`)
  draft.goods = goods
}

/** The customs value: the value of the goods if nothing else is given, otherwise a figure to compare with the engine's. */
export function takeCustomsValue(draft: CaseDraft, entry: Entry): void {
  const value = amountOf(inValueCurrency(draft, entry))
  if (draft.goods === undefined && draft.items.length === 0) draft.goods = value
  else draft.statedValue = value
}

export function takeValueShare(draft: CaseDraft, entry: Entry): void {
  if (draft.goods === undefined) reject(entry, 'there is no price that this could be a share of')
  else draft.goods = timesDecimal(draft.goods, shareOf(entry))
}

/** Freight to the border. Several keys add up. */
export function takeFreight(draft: CaseDraft, entry: Entry): void {
  draft.shippingCents = (draft.shippingCents ?? 0) + centsOf(inValueCurrency(draft, entry))
}

export function takeInsurance(draft: CaseDraft, entry: Entry): void {
  draft.insuranceCents = (draft.insuranceCents ?? 0) + centsOf(inValueCurrency(draft, entry))
}

export function takeKilograms(draft: CaseDraft, entry: Entry): void {
  countGoods(draft, entry, 'kg')
}

export function takeLitres(draft: CaseDraft, entry: Entry): void {
  countGoods(draft, entry, 'l')
}

export function takeConsumer(draft: CaseDraft, entry: Entry): void {
  draft.recipient = yesOf(entry) ? 'individual' : 'business'
}

export function takeBusiness(draft: CaseDraft, entry: Entry): void {
  draft.recipient = yesOf(entry) ? 'business' : 'individual'
}

/** "consumer", "business"… */
export function takeRecipient(draft: CaseDraft, entry: Entry): void {
  const word = textOf(entry).toLowerCase()
  if (/^(?:individual|consumer|private|b2c)/.test(word)) draft.recipient = 'individual'
  else if (/^(?:business|company|trader|b2b)/.test(word)) draft.recipient = 'business'
  else reject(entry, `the recipient ${JSON.stringify(entry.value)} is not understood`)
}

export function takeLimitBasis(draft: CaseDraft, entry: Entry): void {
  const word = textOf(entry).toLowerCase()
  if (/^(?:goods|intrinsic|fob|price)/.test(word)) draft.limitBasis = 'goods'
  else if (/^(?:customs|cif)/.test(word)) draft.limitBasis = 'customs_value'
  else reject(entry, `the basis ${JSON.stringify(entry.value)} is not understood`)
}

export function addAmountDuty(draft: CaseDraft, entry: Entry): void {
  const text = amountText(draft, entry)
  if (text !== undefined) draft.duties.push(openDuty(draft, { hint: hintOf(entry.key), specifics: [text] }))
}

/** The amount of a waived duty. Not needed if the case has the duty's rate. */
export function addWaivedDuty(draft: CaseDraft, entry: Entry): void {
  if (draft.duties.length === 0) addAmountDuty(draft, entry)
}

export function addShareOfDuty(draft: CaseDraft, entry: Entry): void {
  draft.duties.push(openDuty(draft, { hint: hintOf(entry.key), basis: 'duty', ppm: ppmOf(entry) }))
}

export function takeTaxName(draft: CaseDraft, entry: Entry): void {
  for (const tax of draft.taxes) tax.name = textOf(entry)
}

export function takeLimit(appliesTo: 'duty' | 'tax', kind: ThresholdRow['kind']): Apply<CaseDraft> {
  return (draft, entry) => {
    addLimit(draft, entry, appliesTo, kind)
  }
}

export function takeFlatPerItem(draft: CaseDraft, entry: Entry): void {
  const flatAmount = finest(entry, amountOf(entry))
  draft.limits.push({
    row: { appliesTo: 'duty', kind: 'flat_per_item', flatAmount, recipient: 'individual' },
  })
}

export function takeFlatLimit(draft: CaseDraft, entry: Entry): void {
  const flat = draft.limits.find((limit) => limit.row.kind === 'flat_per_item')
  if (flat === undefined) reject(entry, 'there is no amount per item that this could be of')
  else setLimit(flat, { limitAmount: finest(entry, amountOf(entry)) })
}

/** A limit above which only the excess counts, or `{ limit, rate }`. */
export function takeExcess(...onWhat: readonly ('duty' | 'tax')[]): Apply<CaseDraft> {
  return (draft, entry) => {
    for (const appliesTo of onWhat) addExcess(draft, entry, appliesTo)
  }
}

function addExcess(draft: CaseDraft, entry: Entry, appliesTo: 'duty' | 'tax'): void {
  if (!isRecord(entry.value)) {
    addLimit(draft, entry, appliesTo, 'taxed_excess')
    return
  }
  const { limit, over, rate, ...others } = entry.value
  for (const key of Object.keys(others)) reject(child(entry, key, others[key]), 'this key is not understood')
  const rule = addLimit(draft, child(entry, 'limit', limit ?? over), appliesTo, 'taxed_excess')
  if (rate !== undefined) takeFlatShare(rule, child(entry, 'rate', rate))
}

/** The likely name of the line for a key: "ICMS" for "icmsPorDentro". */
export function hintOf(key: string): string {
  return key.replace(/(?<=[a-z])[A-Z_].*$|_.*$/, '').toUpperCase()
}

export function addLimit(
  draft: CaseDraft,
  entry: Entry,
  appliesTo: 'duty' | 'tax',
  kind: ThresholdRow['kind'],
): LimitDraft {
  const limit: LimitDraft = { row: { appliesTo, kind, limitAmount: finest(entry, amountOf(entry)) } }
  draft.limits.push(limit)
  return limit
}

/** `true` is a relief without limit; an amount is its limit. */
export function takeRelief(...onWhat: readonly ('duty' | 'tax')[]): Apply<CaseDraft> {
  return (draft, entry) => {
    if (entry.value === false) return
    for (const appliesTo of onWhat)
      if (entry.value === true) draft.limits.push({ row: { appliesTo, kind: 'relief_up_to' } })
      else addLimit(draft, entry, appliesTo, 'relief_up_to')
  }
}

/** Rejects more than six decimals, which the columns of amounts cannot hold. */
export function finest(entry: Entry, figure: string): string {
  const decimals = figure.split('.')[1] ?? ''
  if (decimals.length > 6) reject(entry, `${figure} has more than six decimals`)
  return decimals.length > 6 ? '0' : figure
}

const COMPARED = /^(<=|≤|<|up to|>|over|above|=)?\s*(.+)$/i

/** Accepts 149, "<=150" and "> 150". */
export function takeIntrinsic(draft: CaseDraft, entry: Entry): void {
  const [, sign = '=', rest = ''] = COMPARED.exec(String(entry.value).trim()) ?? []
  const amount = amountOf({ ...entry, value: rest })
  const isAbove = /^(?:>|over|above)$/i.test(sign)
  draft.intrinsic = { comparison: isAbove ? '>' : sign === '=' ? '=' : '<=', amount }
}

/** Accepts "1 USD = 5.20 BRL", 5.2 with the currency in the key, { USD: 5.2 } and { "USD/BRL": 5.2 }. */
export function takeExchangeRates({ ledger }: CaseDraft, entry: Entry): void {
  if (isRecord(entry.value)) {
    for (const [key, value] of Object.entries(entry.value)) takeRate(ledger, child(entry, key, value), key)
    return
  }
  const [, foreign, digits, currency] =
    /^1 ?([A-Z]{3}) ?= ?([\d.,]+) ?([A-Z]{3})$/.exec(String(entry.value).trim()) ?? []
  const rate = decimalText(entry.value)
  if (foreign !== undefined) takeRate(ledger, { ...entry, value: digits }, `${foreign}/${currency}`)
  else if (entry.currency !== ledger.currency) takeRate(ledger, entry, entry.currency)
  else if (rate === undefined) reject(entry, `${JSON.stringify(entry.value)} is no exchange rate`)
  else ledger.soleRate = rate
}

function takeRate(ledger: Ledger, entry: Entry, pair: string): void {
  const [, foreign, currency = ledger.currency] = /^([A-Z]{3})(?:[/_]?([A-Z]{3}))?$/.exec(pair) ?? []
  const rate = decimalText(entry.value)
  if (foreign === undefined || currency !== ledger.currency || rate === undefined)
    reject(entry, `must be units of ${ledger.currency} for one of another currency`)
  else ledger.rates.set(foreign, rate)
}

/** The share of a rate, in parts per million. A result with more decimals than the engine has is a problem. */
export function sharedPpm(ledger: Ledger, ppm: number, share: string): number {
  const product = timesDecimal(String(ppm), share)
  if (!product.includes('.')) return Number(product)
  ledger.problems.push(`${formatDecimal(ppm, 4)}% × ${share} has more than four decimals`)
  return 0
}

const VALUATIONS: Readonly<Record<string, 'CIF' | 'FOB'>> = {
  cif: 'CIF',
  cip: 'CIF',
  landed: 'CIF',
  fob: 'FOB',
  fca: 'FOB',
  exw: 'FOB',
  transaction: 'FOB',
}

export function takeValuation(draft: CaseDraft, entry: Entry): void {
  const [word = ''] = textOf(entry).toLowerCase().split(/[\s_]/)
  const valuation = VALUATIONS[word]
  if (valuation === undefined) reject(entry, `the valuation ${JSON.stringify(entry.value)} is not understood`)
  else draft.valuation = valuation
}
