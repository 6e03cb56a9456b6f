/**
 * Words of a worked case whose value has words of its own: duties, goods, flat rates, fees and taxes. Decided here:
 * what a value without such words stands for (a rate, an amount), and that a list is as good as one.
 */
import { hintOf } from './charges.ts'
import { decimalText } from './decimal.ts'
import {
  type CaseDraft,
  type DutyDraft,
  type FeeDraft,
  type ItemDraft,
  type LimitDraft,
  openDuty,
  type TaxDraft,
} from './draft.ts'
import { takeExpression } from './duties.ts'
import { addAmountDuty, inValueCurrency, takeFeeAmount, takeFeeRate, takeFlatShare } from './meanings.ts'
import { isRecord, listed, ppmOf, type Said, under, yesOf } from './said.ts'
import { type Section, type Take, takeWords } from './take.ts'

/** Duties: rates, texts of a tariff, or objects. */
export function takeDutiesIn(section: Section<DutyDraft>): Take<CaseDraft> {
  return (draft, said) => {
    const hint = hintOf(said.key)
    for (const one of listed(said))
      takeDuty(section, draft, one, openDuty(draft, hint === 'DUTIES' ? {} : { hint }))
  }
}

function takeDuty(section: Section<DutyDraft>, draft: CaseDraft, said: Said, duty: DutyDraft): void {
  draft.duties.push(duty)
  if (isRecord(said.value)) takeWords(section, duty, { ...said, value: withSpecific(said.value) })
  else takeExpression(duty, said)
}

/** A rate beside a unit is an amount per unit. */
function withSpecific(said: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { rate, unit, quantity, currency, ...others } = said
  if (unit === undefined || said['specific'] !== undefined) return said
  return { ...others, specific: { rate, unit, quantity, ...(currency !== undefined && { currency }) } }
}

/** Claimed or not; a rate, or an object with one, is a preference in place of a higher base duty. */
export function takePreferenceIn(section: Section<DutyDraft>): Take<CaseDraft> {
  return (draft, said) => {
    if (!isRecord(said.value) && !isPercentage(said.value)) draft.claimsPreferences = yesOf(said)
    else takeDuty(section, draft, said, openDuty(draft, { hint: hintOf(said.key), role: 'preference' }))
  }
}

/** Excise is charged like a duty and is in the base of the taxes like one. */
export function takeExciseIn(section: Section<DutyDraft>): Take<CaseDraft> {
  return (draft, said) => {
    for (const one of listed(said))
      if (isRecord(one.value)) takeDuty(section, draft, one, openDuty(draft, { hint: hintOf(said.key) }))
      else addAmountDuty(draft, one)
  }
}

/** A duty of one word, which stands among the inputs themselves. */
export function takeBareDutyIn(section: Section<DutyDraft>): Take<CaseDraft> {
  return (draft, said) =>
    takeDuty(section, draft, { ...said, value: { [said.key]: said.value } }, openDuty(draft))
}

/** Goods of several codes. */
export function takeItemsIn(section: Section<ItemDraft>): Take<CaseDraft> {
  return (draft, said) => {
    for (const one of listed(said)) {
      const item: ItemDraft = { count: 1 }
      takeWords(section, item, inValueCurrency(draft, one))
      draft.items.push(item)
    }
  }
}

/** A rate, an object, or several for consignments up to different values. */
export function takeFlatIn(section: Section<LimitDraft>): Take<CaseDraft> {
  return (draft, said) => {
    const tiers = isRecord(said.value) ? said.value['tiers'] : undefined
    for (const tier of listed(tiers === undefined ? said : under(said, 'tiers', tiers))) {
      const limit: LimitDraft = { hint: hintOf(said.key), row: { appliesTo: 'duty', kind: 'flat_rate' } }
      draft.limits.push(limit)
      if (isRecord(tier.value)) takeWords(section, limit, tier)
      else takeFlatShare(limit, tier)
    }
  }
}

/** Amounts, objects, or amounts by name. */
export function takeFeesIn(section: Section<FeeDraft>): Take<CaseDraft> {
  return (draft, said) => {
    for (const one of listed(said))
      if (isByName(one)) takeNamedFees(section, draft, one)
      else takeFee(section, draft, one, { hint: hintOf(said.key), row: {} })
  }
}

function takeNamedFees(section: Section<FeeDraft>, draft: CaseDraft, said: Said): void {
  for (const [name, value] of Object.entries(Object(said.value)))
    takeFee(section, draft, { ...said, path: `${said.path}.${name}`, value }, { name, hint: '', row: {} })
}

/** { "Entry fee": 12, "Inspection": 3.50 }. */
function isByName({ key, value }: Said): boolean {
  if (key !== 'fees' || !isRecord(value)) return false
  return Object.entries(value).every(
    ([name, one]) => isPercentage(one) && !/^(?:amount|rate|percent|per)/.test(name),
  )
}

function takeFee(section: Section<FeeDraft>, draft: CaseDraft, said: Said, fee: FeeDraft): void {
  draft.fees.push(fee)
  if (isRecord(said.value)) takeWords(section, fee, said)
  else if (/(?:rate|percent|pct)$/i.test(said.key)) takeFeeRate(fee, said)
  else takeFeeAmount(fee, said)
}

/** A rate, an object with one, or several. */
export function takeTaxIn(section: Section<TaxDraft>, isInside: boolean): Take<CaseDraft> {
  return (draft, said) => {
    for (const one of listed(said)) {
      const tax: TaxDraft = { hint: hintOf(said.key), ppm: 0, isInside, upliftPpm: 0 }
      draft.taxes.push(tax)
      if (isRecord(one.value)) takeWords(section, tax, one)
      else tax.ppm = ppmOf(one)
    }
  }
}

/** A percentage standing alone: a number, or a text of one. */
function isPercentage(value: unknown): boolean {
  return decimalText(typeof value === 'string' ? value.trim().replace(/\s*%$/, '') : value) !== undefined
}
