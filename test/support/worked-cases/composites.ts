/**
 * Applies keys whose value is an object or a list: duties, goods, flat rates, fees and taxes. A bare value is a rate or
 * an amount, and a single value counts as a list of one.
 */

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
import { child, decimalText, type Entry, entriesOf, isRecord, ppmOf, yesOf } from './entry.ts'
import { type Apply, applyWords, type Section } from './matching.ts'
import {
  addAmountDuty,
  hintOf,
  inValueCurrency,
  takeFeeAmount,
  takeFeeRate,
  takeFlatShare,
} from './setters.ts'

/** Applies duties: rates, tariff texts, or objects. */
export function takeDutiesIn(section: Section<DutyDraft>): Apply<CaseDraft> {
  return (draft, entry) => {
    const hint = hintOf(entry.key)
    for (const one of entriesOf(entry))
      takeDuty(section, draft, one, openDuty(draft, hint === 'DUTIES' ? {} : { hint }))
  }
}

function takeDuty(section: Section<DutyDraft>, draft: CaseDraft, entry: Entry, duty: DutyDraft): void {
  draft.duties.push(duty)
  if (isRecord(entry.value)) applyWords(section, duty, { ...entry, value: withSpecific(entry.value) })
  else takeExpression(duty, entry)
}

/** Turns `{ rate, unit, quantity }` at the top level of a duty into its `specific` part. */
function withSpecific(entry: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { rate, unit, quantity, currency, ...others } = entry
  if (unit === undefined || entry['specific'] !== undefined) return entry
  return { ...others, specific: { rate, unit, quantity, ...(currency !== undefined && { currency }) } }
}

/** A boolean says whether preferences are claimed. A rate, or an object with one, is a preferential duty. */
export function takePreferenceIn(section: Section<DutyDraft>): Apply<CaseDraft> {
  return (draft, entry) => {
    if (!isRecord(entry.value) && !isPercentage(entry.value)) draft.claimsPreferences = yesOf(entry)
    else takeDuty(section, draft, entry, openDuty(draft, { hint: hintOf(entry.key), role: 'preference' }))
  }
}

/** Excise is charged like a duty, and taxes apply to it. */
export function takeExciseIn(section: Section<DutyDraft>): Apply<CaseDraft> {
  return (draft, entry) => {
    for (const one of entriesOf(entry))
      if (isRecord(one.value)) takeDuty(section, draft, one, openDuty(draft, { hint: hintOf(entry.key) }))
      else addAmountDuty(draft, one)
  }
}

/** Applies a duty that is one key of the inputs, such as `specific`. */
export function takeBareDutyIn(section: Section<DutyDraft>): Apply<CaseDraft> {
  return (draft, entry) =>
    takeDuty(section, draft, { ...entry, value: { [entry.key]: entry.value } }, openDuty(draft))
}

export function takeItemsIn(section: Section<ItemDraft>): Apply<CaseDraft> {
  return (draft, entry) => {
    for (const one of entriesOf(entry)) {
      const item: ItemDraft = { count: 1 }
      applyWords(section, item, inValueCurrency(draft, one))
      draft.items.push(item)
    }
  }
}

/** Applies a flat rate: a rate, an object, or `{ tiers: [...] }` for different values of the consignment. */
export function takeFlatIn(section: Section<LimitDraft>): Apply<CaseDraft> {
  return (draft, entry) => {
    const tiers = isRecord(entry.value) ? entry.value['tiers'] : undefined
    for (const tier of entriesOf(tiers === undefined ? entry : child(entry, 'tiers', tiers))) {
      const limit: LimitDraft = { hint: hintOf(entry.key), row: { appliesTo: 'duty', kind: 'flat_rate' } }
      draft.limits.push(limit)
      if (isRecord(tier.value)) applyWords(section, limit, tier)
      else takeFlatShare(limit, tier)
    }
  }
}

/** Applies fees: amounts, objects, or amounts by name. */
export function takeFeesIn(section: Section<FeeDraft>): Apply<CaseDraft> {
  return (draft, entry) => {
    for (const one of entriesOf(entry))
      if (isByName(one)) takeNamedFees(section, draft, one)
      else takeFee(section, draft, one, { hint: hintOf(entry.key), row: {} })
  }
}

function takeNamedFees(section: Section<FeeDraft>, draft: CaseDraft, entry: Entry): void {
  for (const [name, value] of Object.entries(Object(entry.value)))
    takeFee(section, draft, { ...entry, path: `${entry.path}.${name}`, value }, { name, hint: '', row: {} })
}

/** { "Entry fee": 12, "Inspection": 3.50 }. */
function isByName({ key, value }: Entry): boolean {
  if (key !== 'fees' || !isRecord(value)) return false
  return Object.entries(value).every(
    ([name, one]) => isPercentage(one) && !/^(?:amount|rate|percent|per)/.test(name),
  )
}

function takeFee(section: Section<FeeDraft>, draft: CaseDraft, entry: Entry, fee: FeeDraft): void {
  draft.fees.push(fee)
  if (isRecord(entry.value)) applyWords(section, fee, entry)
  else if (/(?:rate|percent|pct)$/i.test(entry.key)) takeFeeRate(fee, entry)
  else takeFeeAmount(fee, entry)
}

/** Applies taxes: a rate, an object with a rate, or a list of them. */
export function takeTaxIn(section: Section<TaxDraft>, isInside: boolean): Apply<CaseDraft> {
  return (draft, entry) => {
    for (const one of entriesOf(entry)) {
      const tax: TaxDraft = { hint: hintOf(entry.key), ppm: 0, isInside, upliftPpm: 0 }
      draft.taxes.push(tax)
      if (isRecord(one.value)) applyWords(section, tax, one)
      else tax.ppm = ppmOf(one)
    }
  }
}

function isPercentage(value: unknown): boolean {
  return decimalText(typeof value === 'string' ? value.trim().replace(/\s*%$/, '') : value) !== undefined
}
