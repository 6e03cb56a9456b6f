/** What single words of a worked case do to its draft, where that takes more than to keep the value. */
import type { FeeRow, ThresholdRow } from '../../../src/core/customs/data/rows.ts'
import { addLimit, finest, hintOf } from './charges.ts'
import { timesDecimal } from './decimal.ts'
import { type CaseDraft, centsOf, type DutyDraft, type FeeDraft, type LimitDraft, openDuty } from './draft.ts'
import { amountText, countGoods, takePercent } from './duties.ts'
import { amountOf, isRecord, ppmOf, refuse, type Said, shareOf, textOf, under, yesOf } from './said.ts'
import type { Take } from './take.ts'

/** Says nothing of the result. */
export function ignore(): void {}

const KINDS = ['additive', 'cap_total', 'floor_total', 'replace_base'] as const

/** "cap_total" and its like; any other word describes the duty and changes nothing. */
export function takeKind(duty: DutyDraft, said: Said): void {
  const kind = KINDS.find((known) => known === textOf(said))
  if (kind !== undefined) duty.kind = kind
  if (/^preferen/i.test(textOf(said))) duty.role = 'preference'
}

/** A percentage of the duties before this one. */
export function takeShareOfDuty(duty: DutyDraft, said: Said): void {
  duty.basis = 'duty'
  if (said.value !== true) takePercent(duty, said)
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

/** What a percentage is of. */
export function takeBasis(duty: DutyDraft, said: Said): void {
  const basis = BASES[textOf(said).toLowerCase()]
  if (basis === undefined) refuse(said, `the basis ${JSON.stringify(said.value)} is not understood`)
  else duty.basis = basis
}

/** Charged in the place of the base duty. */
export function takeReplacing(duty: DutyDraft, said: Said): void {
  if (yesOf(said)) duty.kind = 'replace_base'
}

/** Charged where it is lower than the base duty. */
export function takePreferential(duty: DutyDraft, said: Said): void {
  if (yesOf(said)) duty.role = 'preference'
}

/** An amount in a column of the row of a fee. */
export function toFee(column: FeeAmount): Take<FeeDraft> {
  return (fee, said) => {
    setFee(fee, { [column]: finest(said, amountOf(said)) })
  }
}

type FeeAmount = 'minimum' | 'maximum' | 'notLeviedBelow' | 'valueAbove' | 'valueUpTo'

/** The same for a fee whose bounds stand beside its rate ("mpfMin"). */
export function toFeeOfKey(column: FeeAmount): Take<CaseDraft> {
  return (draft, said) => toFee(column)(feeOfKey(draft, said), said)
}

function feeOfKey(draft: CaseDraft, said: Said): FeeDraft {
  const hint = hintOf(said.key)
  const known = draft.fees.find((fee) => fee.hint === hint)
  if (known !== undefined) return known
  const fee: FeeDraft = { hint, row: {} }
  draft.fees.push(fee)
  return fee
}

/** A fee that is a share of the customs value. */
export function takeFeeRate(fee: FeeDraft, said: Said): void {
  setFee(fee, { kind: 'share_of_value', ratePpm: ppmOf(said) })
}

/** A fee that is an amount: per code where it says so, otherwise per consignment. */
export function takeFeeAmount(fee: FeeDraft, said: Said): void {
  setFee(fee, { kind: fee.row.kind ?? 'per_consignment', amount: finest(said, amountOf(said)) })
}

/** A fee per code; its amount stands here or beside. */
export function takePerLine(fee: FeeDraft, said: Said): void {
  if (said.value === false) return
  setFee(fee, { kind: 'per_line' })
  if (said.value !== true) takeFeeAmount(fee, said)
}

/** A fee that is taxed like the goods. */
export function takeInTaxBase(fee: FeeDraft, said: Said): void {
  setFee(fee, { inTaxBase: yesOf(said) })
}

function setFee(fee: FeeDraft, row: Partial<FeeRow>): void {
  fee.row = { ...fee.row, ...row }
}

/** An amount in a column of the row of a low-value rule. */
export function toLimit(column: LimitAmount): Take<LimitDraft> {
  return (limit, said) => {
    setLimit(limit, { [column]: finest(said, amountOf(said)) })
  }
}

type LimitAmount = 'limitAmount' | 'deductAmount'

/** The same for every flat rate of the case. */
export function toEachFlat(column: LimitAmount): Take<CaseDraft> {
  return (draft, said) => {
    const flats = draft.limits.filter((limit) => limit.row.kind === 'flat_rate')
    if (flats.length === 0) refuse(said, 'there is no flat rate that this could be of')
    for (const flat of flats) toLimit(column)(flat, said)
  }
}

/** The share of the value that a flat rate is. */
export function takeFlatShare(limit: LimitDraft, said: Said): void {
  setLimit(limit, { ratePpm: ppmOf(said) })
}

/** A flat rate for duty and taxes together. */
export function takeReplacesTaxes(limit: LimitDraft, said: Said): void {
  setLimit(limit, { replacesTaxes: yesOf(said) })
}

function setLimit(limit: LimitDraft, row: Partial<ThresholdRow>): void {
  limit.row = { ...limit.row, ...row }
}

/** The digits of a code, at most ten. */
export function codeOf(said: Said): string {
  const digits = textOf(said).replace(/[.\s]/g, '')
  if (/^\d{6,12}$/.test(digits)) return digits.slice(0, 10)
  refuse(said, `${JSON.stringify(said.value)} is no code of 6 to 12 digits`)
  return '000000'
}

/** The same words with their amount in the currency of the goods. */
export function inValueCurrency({ valueCurrency }: CaseDraft, said: Said): Said {
  if (valueCurrency === undefined || said.currency !== said.ledger.currency) return said
  return { ...said, currency: valueCurrency }
}

/** The value of the goods. */
export function takeGoods(draft: CaseDraft, said: Said): void {
  const goods = amountOf(inValueCurrency(draft, said))
  if ((draft.goods ?? goods) !== goods) refuse(said, `a second value of the goods beside ${draft.goods}`)
  draft.goods = goods
}

/** A customs value: that of the goods when nothing else is said, otherwise a figure the engine has to meet. */
export function takeCustomsValue(draft: CaseDraft, said: Said): void {
  const value = amountOf(inValueCurrency(draft, said))
  if (draft.goods === undefined && draft.items.length === 0) draft.goods = value
  else draft.statedValue = value
}

/** The share of the price that counts as the value. */
export function takeValueShare(draft: CaseDraft, said: Said): void {
  if (draft.goods === undefined) refuse(said, 'there is no price that this could be a share of')
  else draft.goods = timesDecimal(draft.goods, shareOf(said))
}

/** Freight to the border; several words for it add up. */
export function takeFreight(draft: CaseDraft, said: Said): void {
  draft.shippingCents = (draft.shippingCents ?? 0) + centsOf(inValueCurrency(draft, said))
}

/** Insurance to the border. */
export function takeInsurance(draft: CaseDraft, said: Said): void {
  draft.insuranceCents = (draft.insuranceCents ?? 0) + centsOf(inValueCurrency(draft, said))
}

/** Net weight in kilograms. */
export function takeKilograms(draft: CaseDraft, said: Said): void {
  countGoods(draft, said, 'kg')
}

/** Volume in litres. */
export function takeLitres(draft: CaseDraft, said: Said): void {
  countGoods(draft, said, 'l')
}

/** Sold to a consumer or not. */
export function takeConsumer(draft: CaseDraft, said: Said): void {
  draft.recipient = yesOf(said) ? 'individual' : 'business'
}

/** Sold to a business or not. */
export function takeBusiness(draft: CaseDraft, said: Said): void {
  draft.recipient = yesOf(said) ? 'business' : 'individual'
}

/** "consumer", "business"… */
export function takeRecipient(draft: CaseDraft, said: Said): void {
  const word = textOf(said).toLowerCase()
  if (/^(?:individual|consumer|private|b2c)/.test(word)) draft.recipient = 'individual'
  else if (/^(?:business|company|trader|b2b)/.test(word)) draft.recipient = 'business'
  else refuse(said, `the recipient ${JSON.stringify(said.value)} is not understood`)
}

/** What limits are compared with. */
export function takeLimitBasis(draft: CaseDraft, said: Said): void {
  const word = textOf(said).toLowerCase()
  if (/^(?:goods|intrinsic|fob|price)/.test(word)) draft.limitBasis = 'goods'
  else if (/^(?:customs|cif)/.test(word)) draft.limitBasis = 'customs_value'
  else refuse(said, `the basis ${JSON.stringify(said.value)} is not understood`)
}

/** A duty that is no more than an amount. */
export function addAmountDuty(draft: CaseDraft, said: Said): void {
  const text = amountText(draft, said)
  if (text !== undefined) draft.duties.push(openDuty(draft, { hint: hintOf(said.key), specifics: [text] }))
}

/** The amount of a duty that is waived; where the case has the duty itself, the engine works it out. */
export function addWaivedDuty(draft: CaseDraft, said: Said): void {
  if (draft.duties.length === 0) addAmountDuty(draft, said)
}

/** A surcharge on the duties before it. */
export function addShareOfDuty(draft: CaseDraft, said: Said): void {
  draft.duties.push(openDuty(draft, { hint: hintOf(said.key), basis: 'duty', ppm: ppmOf(said) }))
}

/** A name for the line of the taxes. */
export function takeTaxName(draft: CaseDraft, said: Said): void {
  for (const tax of draft.taxes) tax.name = textOf(said)
}

/** A rule with a limit that is no relief. */
export function takeLimit(appliesTo: 'duty' | 'tax', kind: ThresholdRow['kind']): Take<CaseDraft> {
  return (draft, said) => {
    addLimit(draft, said, appliesTo, kind)
  }
}

/** A rule that charges an amount for each code. */
export function takeFlatPerItem(draft: CaseDraft, said: Said): void {
  const flatAmount = finest(said, amountOf(said))
  draft.limits.push({
    row: { appliesTo: 'duty', kind: 'flat_per_item', flatAmount, recipient: 'individual' },
  })
}

/** The limit of that rule. */
export function takeFlatLimit(draft: CaseDraft, said: Said): void {
  const flat = draft.limits.find((limit) => limit.row.kind === 'flat_per_item')
  if (flat === undefined) refuse(said, 'there is no amount per item that this could be of')
  else setLimit(flat, { limitAmount: finest(said, amountOf(said)) })
}

/** A limit whose excess alone counts, or { limit, rate }. */
export function takeExcess(...onWhat: readonly ('duty' | 'tax')[]): Take<CaseDraft> {
  return (draft, said) => {
    for (const appliesTo of onWhat) addExcess(draft, said, appliesTo)
  }
}

function addExcess(draft: CaseDraft, said: Said, appliesTo: 'duty' | 'tax'): void {
  if (!isRecord(said.value)) {
    addLimit(draft, said, appliesTo, 'taxed_excess')
    return
  }
  const { limit, over, rate, ...others } = said.value
  for (const key of Object.keys(others)) refuse(under(said, key, others[key]), 'this key is not understood')
  const rule = addLimit(draft, under(said, 'limit', limit ?? over), appliesTo, 'taxed_excess')
  if (rate !== undefined) takeFlatShare(rule, under(said, 'rate', rate))
}
