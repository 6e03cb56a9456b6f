/**
 * The keys of worked cases, each with its meaning and the function that applies it. A key has one spelling and at most a
 * few synonyms. Keys are applied from top to bottom. Nothing is computed here.
 */

import {
  takeBareDutyIn,
  takeDutiesIn,
  takeExciseIn,
  takeFeesIn,
  takeFlatIn,
  takeItemsIn,
  takePreferenceIn,
  takeTaxIn,
} from './composites.ts'
import type { CaseDraft, DutyDraft, FeeDraft, ItemDraft, LimitDraft, TaxDraft } from './draft.ts'
import * as duty from './duties.ts'
import { amountOf, countOf, type Entry, ppmOf, shareOf, textOf, yesOf } from './entry.ts'
import { applyWords, type Section, store } from './matching.ts'
import * as rounding from './rounding.ts'
import * as means from './setters.ts'
import { takeExchangeRates, takeIntrinsic, takeRelief, takeValuation } from './setters.ts'

/** An entry of `duties`. */
const DUTY: Section<DutyDraft> = {
  words: [
    ['name', 'the name of its line', store('name', textOf)],
    ['kind', 'how it joins the others, where the word is one of ours', means.takeKind],
    ['adValorem', 'a share of the customs value, or a text of a tariff', duty.takeExpression],
    ['shareOfDuty', 'a share of the duties before it', means.takeShareOfDuty],
    ['specific', '{ rate, unit, quantity }, or several', duty.takeSpecific],
    ['expression', 'a rate in the words of a tariff', duty.takeExpression],
    ['amount', 'an amount, whatever the goods', duty.takeAmount],
    ['min', 'at least this amount or rate', duty.takeMinimum],
    ['max', 'at most this amount or rate', duty.takeMaximum],
    ['quantity', 'how much there is, by unit', duty.takeQuantity],
    ['capTotal', 'tops the duties that count up to this rate', duty.takeCap],
    ['floorTotal', 'tops all duties before it up to this rate', duty.takeFloor],
    ['given', 'the duties that count towards the cap', duty.takeGiven],
    ['replacesBase', 'the base duty is not charged, this is', means.takeReplacing],
    ['basis', 'a share of the value, or of the duties before it', means.takeBasis],
    ['preferential', 'a preference, in place of a higher base duty', means.takePreferential],
    ['hidden', 'worked out, not compared', store('isHidden', yesOf)],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: {
    kind: 'type',
    adValorem: 'percent rate',
    expression: 'text',
    amount: 'fixed',
    min: 'minimum',
    max: 'maximum',
    quantity: 'qty',
    note: 'notes description source',
  },
}

/** A tax given as an object. */
const TAX: Section<TaxDraft> = {
  words: [
    ['name', 'the name of its line', store('name', textOf)],
    ['rate', 'its rate', store('ppm', ppmOf)],
    ['inside', 'the tax itself is in its base', store('isInside', yesOf)],
    ['includesFreight', 'freight is in its base under FOB', store('includesFreight', yesOf)],
    ['uplift', 'what its base adds to the customs value', store('upliftPpm', ppmOf)],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: {
    rate: 'percent adValorem',
    inside: 'porDentro',
    note: 'notes description',
  },
}

/** A fee given as an object. */
const FEE: Section<FeeDraft> = {
  words: [
    ['name', 'the name of its line', store('name', textOf)],
    ['rate', 'a share of the customs value', means.takeFeeRate],
    ['amount', 'an amount per consignment', means.takeFeeAmount],
    ['perLine', 'an amount per code', means.takePerLine],
    ['min', 'at least this', means.toFee('minimum')],
    ['max', 'at most this', means.toFee('maximum')],
    ['notLeviedBelow', 'not levied when it comes to less', means.toFee('notLeviedBelow')],
    ['above', 'for goods of a higher value only', means.toFee('valueAbove')],
    ['upTo', 'for goods up to this value only', means.toFee('valueUpTo')],
    ['inTaxBase', 'in the base of the taxes', means.takeInTaxBase],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: {
    rate: 'percent adValorem',
    amount: 'fixed',
    min: 'minimum',
    max: 'maximum',
    inTaxBase: 'inVatBase inGstBase',
    note: 'notes description',
  },
}

/** A flat rate that replaces the tariff, given as an object. */
const FLAT: Section<LimitDraft> = {
  words: [
    ['name', 'the name of its line', store('name', textOf)],
    ['rate', 'a share of the customs value', means.takeFlatShare],
    ['deduct', 'taken off, once per consignment', means.toLimit('deductAmount')],
    ['upTo', 'for consignments up to this value', means.toLimit('limitAmount')],
    ['replacesTaxes', 'it stands for the taxes as well', means.takeReplacesTaxes],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: {
    rate: 'percent',
    deduct: 'deduction',
    upTo: 'limit',
    replacesTaxes: 'replacesVat',
    note: 'notes description',
  },
}

/** An entry of `items`: goods of one code. */
const ITEM: Section<ItemDraft> = {
  words: [
    ['hs', 'its code', store('code', means.codeOf)],
    ['qty', 'how many pieces', store('count', countOf)],
    ['price', 'the value of one piece', store('price', amountOf)],
    ['value', 'the value of all pieces together', store('value', amountOf)],
    ['origin', 'its country of origin', store('origin', textOf)],
    ['duty', 'its rate of duty', store('dutyPpm', ppmOf)],
    ['vat', 'its rate of tax', store('taxPpm', ppmOf)],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: {
    hs: 'hs6 hs8 hs10 code',
    qty: 'quantity',
    price: 'unitPrice',
    value: 'goods',
    duty: 'adValorem',
    vat: 'gst tax',
    note: 'notes description',
  },
}

/** The keys of `inputs`. */
const CASE: Section<CaseDraft> = {
  words: [
    ['fx', 'units of the case’s currency for one of another', takeExchangeRates],
    ['goodsCurrency', 'the currency of goods, freight and insurance', store('valueCurrency', textOf)],
    ['rounding', 'how lines, or values, are rounded, in words', rounding.takeRounding],
    ['roundTo', 'lines are multiples of this, half up', rounding.takeRoundTo],
    ['truncateTo', 'lines are cut down to a multiple of this', rounding.takeCutTo],
    ['truncateValueTo', 'values are cut down to a multiple of this', rounding.takeValueCutTo],

    ['goods', 'the value of the goods', means.takeGoods],
    ['valueFactor', 'the share of the price that is the value', means.takeValueShare],
    ['freight', 'freight to the border', means.takeFreight],
    ['insurance', 'insurance to the border', means.takeInsurance],
    ['valuation', 'freight is in the customs value (CIF) or not (FOB)', takeValuation],
    ['items', 'goods of several codes', takeItemsIn(ITEM)],
    ['customsValue', 'the customs value, freight and all', means.takeCustomsValue],
    ['intrinsic', 'the value of the goods, or its limit ("<=150")', takeIntrinsic],
    ['vatBase', 'the base of the tax', store('taxedValue', amountOf)],
    ['hs', 'the code of the goods', store('code', means.codeOf)],
    ['quantity', 'how much there is, by unit; a number counts pieces', duty.takeQuantities],
    ['weight', 'net weight, kg', means.takeKilograms],
    ['litres', 'volume, l', means.takeLitres],
    ['b2c', 'sold to a consumer', means.takeConsumer],
    ['b2b', 'sold to a business', means.takeBusiness],
    ['recipient', 'who receives the goods', means.takeRecipient],
    ['limitBasis', 'what limits are compared with: goods, or customs value', means.takeLimitBasis],

    ['duties', 'duties as they join each other; the first is the base', takeDutiesIn(DUTY)],
    ['duty', 'a duty', takeDutiesIn(DUTY)],
    ['specific', 'a duty: { rate, unit, quantity }', takeBareDutyIn(DUTY)],
    ['expression', 'a duty in the words of a tariff', takeBareDutyIn(DUTY)],
    ['dutyAmount', 'a duty that is known as an amount', means.addAmountDuty],
    ['dutyComputedBeforeWaiver', 'the duty that is waived, where no rate is given', means.addWaivedDuty],
    ['preference', 'a preference: claimed or not, or its rate', takePreferenceIn(DUTY)],
    ['sws', 'a share of the duties before it', means.addShareOfDuty],
    ['excise', 'excise: an amount, or { rate, unit, quantity }', takeExciseIn(DUTY)],

    ['deMinimis', 'nothing is due up to this value', takeRelief('duty', 'tax')],
    ['deMinimisDuty', 'no duty up to this value', takeRelief('duty')],
    ['deMinimisVat', 'no tax up to this value', takeRelief('tax')],
    ['flatDutyPerItem', 'an amount for each code, in place of the tariff', means.takeFlatPerItem],
    ['flatDutyLimit', 'the value up to which that holds', means.takeFlatLimit],
    ['flatRate', 'a share of the value, in place of the tariff', takeFlatIn(FLAT)],
    ['flatRateLimit', 'the value up to which that holds', means.toEachFlat('limitAmount')],
    ['deduct', 'taken off a flat rate', means.toEachFlat('deductAmount')],
    ['dutyOnExcessOver', 'duty on what exceeds this value', means.takeExcess('duty')],
    ['vatOnExcessOver', 'tax on what exceeds this value', means.takeExcess('tax')],
    ['onExcessOver', 'duty and tax on what exceeds this value', means.takeExcess('duty', 'tax')],
    ['dutyWaivedBelow', 'duty that comes to less is not levied', means.takeLimit('duty', 'not_levied_below')],
    ['dutyWaivedUpTo', 'nor is duty up to this', means.takeLimit('duty', 'not_levied_up_to')],
    ['taxNotLeviedBelow', 'tax that comes to less is not levied', means.takeLimit('tax', 'not_levied_below')],
    ['taxNotLeviedUpTo', 'nor is tax up to this', means.takeLimit('tax', 'not_levied_up_to')],

    ['mpf', 'a processing fee: an amount, or { rate, min, max }', takeFeesIn(FEE)],
    ['mpfMin', 'its minimum', means.toFeeOfKey('minimum')],
    ['mpfMax', 'its maximum', means.toFeeOfKey('maximum')],
    ['fees', 'fees: amounts, or { name, amount | rate, min, max }', takeFeesIn(FEE)],
    ['vatOnFees', 'fees are in the base of the taxes', store('hasFeesInTaxBase', yesOf)],

    ['vat', 'a tax on value, duty and fees', takeTaxIn(TAX, false)],
    ['icmsPorDentro', 'a tax that is in its own base', takeTaxIn(TAX, true)],
    ['vatName', 'the name of its line', means.takeTaxName],
    ['vatIncludesFreight', 'freight is in the base of the tax under FOB', store('includesFreight', yesOf)],
    ['uplift', 'what the base of the tax adds to the customs value', store('upliftPpm', ppmOf)],
    ['taxShare', 'the share of the tax that is charged', store('taxShare', shareOf)],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: {
    fx: 'exchangeRate',
    goods: 'price goodsValue',
    valueFactor: 'personalUseFactor',
    freight: 'shipping',
    items: 'lines',
    customsValue: 'cif',
    intrinsic: 'intrinsicValue',
    vatBase: 'gstBase taxBase',
    hs: 'hs6 hs8 hs10 code',
    quantity: 'qty',
    weight: 'kg',
    limitBasis: 'deMinimisBasis',
    duty: 'dutyRate bcd',
    dutyAmount: 'flatDuty',
    preference: 'preferenceClaimed',
    excise: 'exciseAmount',
    deMinimisVat: 'deMinimisGst deMinimisTax',
    flatRate: 'ii globalRate',
    deduct: 'deduction',
    vatOnExcessOver: 'gstOnExcessOver taxOnExcessOver',
    taxNotLeviedBelow: 'vatNotLeviedBelow gstNotLeviedBelow',
    taxNotLeviedUpTo: 'vatNotLeviedUpTo gstNotLeviedUpTo',
    mpf: 'hmf',
    mpfMin: 'hmfMin',
    mpfMax: 'hmfMax',
    fees: 'fee *Fee',
    vatOnFees: 'vatOnFee gstOnFees',
    vat: 'gst hst pst qst igst tax consumptionTax',
    icmsPorDentro: 'icms',
    vatIncludesFreight: 'gstIncludesFreight',
    note: 'notes description',
  },
}

/** Applies the inputs of a case. Problems are added to its ledger. */
export function applyInputs(draft: CaseDraft, inputs: Entry): void {
  applyWords(CASE, draft, inputs)
}
