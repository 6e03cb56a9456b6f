/** The taxes, fees and low-value rules of a worked case. */
import type { ThresholdRow } from '../../../src/core/customs/data/rows.ts'
import { formatDecimal } from '../../../src/core/quantity.ts'
import { decimalText, timesDecimal } from './decimal.ts'
import type { CaseDraft, LimitDraft } from './draft.ts'
import { amountOf, isRecord, type Ledger, refuse, type Said, textOf, under } from './said.ts'
import type { Take } from './take.ts'

/** What a line may be called that stands under this key: "icmsPorDentro" is "ICMS". */
export function hintOf(key: string): string {
  return key.replace(/(?<=[a-z])[A-Z_].*$|_.*$/, '').toUpperCase()
}

/** A rule on duty or tax with a limit in the case's currency. */
export function addLimit(
  draft: CaseDraft,
  said: Said,
  appliesTo: 'duty' | 'tax',
  kind: ThresholdRow['kind'],
): LimitDraft {
  const limit: LimitDraft = { row: { appliesTo, kind, limitAmount: finest(said, amountOf(said)) } }
  draft.limits.push(limit)
  return limit
}

/** Yes: a relief without limit; an amount: up to that. */
export function takeRelief(...onWhat: readonly ('duty' | 'tax')[]): Take<CaseDraft> {
  return (draft, said) => {
    if (said.value === false) return
    for (const appliesTo of onWhat)
      if (said.value === true) draft.limits.push({ row: { appliesTo, kind: 'relief_up_to' } })
      else addLimit(draft, said, appliesTo, 'relief_up_to')
  }
}

/** Columns of amounts hold six decimals. */
export function finest(said: Said, figure: string): string {
  const decimals = figure.split('.')[1] ?? ''
  if (decimals.length > 6) refuse(said, `${figure} has more than six decimals`)
  return decimals.length > 6 ? '0' : figure
}

const COMPARED = /^(<=|≤|<|up to|>|over|above|=)?\s*(.+)$/i

/** 149, "<=150", "> 150". */
export function takeIntrinsic(draft: CaseDraft, said: Said): void {
  const [, sign = '=', rest = ''] = COMPARED.exec(String(said.value).trim()) ?? []
  const amount = amountOf({ ...said, value: rest })
  const isAbove = /^(?:>|over|above)$/i.test(sign)
  draft.intrinsic = { comparison: isAbove ? '>' : sign === '=' ? '=' : '<=', amount }
}

/** "1 USD = 5.20 BRL", 5.2 for a currency in the key, { USD: 5.2 }, { "USD/BRL": 5.2 }; units of the case's currency. */
export function takeExchangeRates({ ledger }: CaseDraft, said: Said): void {
  if (isRecord(said.value)) {
    for (const [key, value] of Object.entries(said.value)) takeRate(ledger, under(said, key, value), key)
    return
  }
  const [, foreign, digits, own] =
    /^1 ?([A-Z]{3}) ?= ?([\d.,]+) ?([A-Z]{3})$/.exec(String(said.value).trim()) ?? []
  const rate = decimalText(said.value)
  if (foreign !== undefined) takeRate(ledger, { ...said, value: digits }, `${foreign}/${own}`)
  else if (said.currency !== ledger.currency) takeRate(ledger, said, said.currency)
  else if (rate === undefined) refuse(said, `${JSON.stringify(said.value)} is no exchange rate`)
  else ledger.soleRate = rate
}

function takeRate(ledger: Ledger, said: Said, pair: string): void {
  const [, foreign, own = ledger.currency] = /^([A-Z]{3})(?:[/_]?([A-Z]{3}))?$/.exec(pair) ?? []
  const rate = decimalText(said.value)
  if (foreign === undefined || own !== ledger.currency || rate === undefined)
    refuse(said, `must be units of ${ledger.currency} for one of another currency`)
  else ledger.rates.set(foreign, rate)
}

/** Parts per million of which only a share counts; a finer rate than the engine has is a problem. */
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

/** "CIF" or "FOB", by any name. */
export function takeValuation(draft: CaseDraft, said: Said): void {
  const [word = ''] = textOf(said).toLowerCase().split(/[\s_]/)
  const valuation = VALUATIONS[word]
  if (valuation === undefined) refuse(said, `the valuation ${JSON.stringify(said.value)} is not understood`)
  else draft.valuation = valuation
}
