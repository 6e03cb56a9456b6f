/**
 * The vocabulary of worked cases: every key that an input may have, what it means, and what becomes of its value.
 * Decided here: nothing is worked out; a value is put where the engine will find it. The words of a section are taken
 * from top to bottom, and other spellings of them stand below it.
 */
import { takeExchangeRates, takeIntrinsic, takeRelief, takeValuation } from './charges.ts'
import type { CaseDraft, DutyDraft, FeeDraft, ItemDraft, LimitDraft, TaxDraft } from './draft.ts'
import * as duty from './duties.ts'
import * as means from './meanings.ts'
import {
  takeBareDutyIn,
  takeDutiesIn,
  takeExciseIn,
  takeFeesIn,
  takeFlatIn,
  takeItemsIn,
  takePreferenceIn,
  takeTaxIn,
} from './nested.ts'
import * as rounding from './rounding.ts'
import { amountOf, countOf, ppmOf, type Said, shareOf, textOf, yesOf } from './said.ts'
import { keep, type Section, takeWords } from './take.ts'

/** A duty: an entry of `duties`. */
const DUTY: Section<DutyDraft> = {
  words: [
    ['name', 'the name of its line', keep('name', textOf)],
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
    ['hidden', 'worked out, not compared', keep('isHidden', yesOf)],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: {
    kind: 'type measureType role',
    adValorem: 'percent rate dutyRate value',
    shareOfDuty: 'percentOfDuty onDuty rateOnDuty surchargeOnDuty',
    specific: 'specifics components',
    expression: 'text dutyExpression duty',
    amount: 'fixed fixedAmount flatAmount dutyAmount',
    min: 'minimum floor',
    max: 'maximum cap',
    quantity: 'quantities qty',
    capTotal: 'totalCap capTotalRate allInCap',
    floorTotal: 'totalFloor floorTotalRate allInFloor',
    given: 'against counted counts',
    replacesBase: 'replaceBase replacesBaseDuty insteadOfBase',
    basis: 'base on',
    preferential: 'preference isPreference',
    note: 'notes description legalBasis source',
  },
}

/** A tax that is more than a rate. */
const TAX: Section<TaxDraft> = {
  words: [
    ['name', 'the name of its line', keep('name', textOf)],
    ['rate', 'its rate', keep('ppm', ppmOf)],
    ['inside', 'the tax itself is in its base', keep('isInside', yesOf)],
    ['includesFreight', 'freight is in its base under FOB', keep('includesFreight', yesOf)],
    ['uplift', 'what its base adds to the customs value', keep('upliftPpm', ppmOf)],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: { rate: 'percent adValorem', inside: 'porDentro', note: 'notes description kind' },
}

/** A fee that is more than an amount. */
const FEE: Section<FeeDraft> = {
  words: [
    ['name', 'the name of its line', keep('name', textOf)],
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
    amount: 'fixed value perConsignment',
    perLine: 'perItem',
    min: 'minimum',
    max: 'maximum',
    notLeviedBelow: 'waivedBelow',
    above: 'valueAbove over',
    upTo: 'valueUpTo',
    inTaxBase: 'inVatBase inGstBase taxable vatable taxed',
    note: 'notes description kind',
  },
}

/** A flat rate in place of the tariff that is more than a rate. */
const FLAT: Section<LimitDraft> = {
  words: [
    ['name', 'the name of its line', keep('name', textOf)],
    ['rate', 'a share of the customs value', means.takeFlatShare],
    ['deduct', 'taken off, once per consignment', means.toLimit('deductAmount')],
    ['upTo', 'for consignments up to this value', means.toLimit('limitAmount')],
    ['replacesTaxes', 'it stands for the taxes as well', means.takeReplacesTaxes],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: {
    rate: 'percent adValorem',
    deduct: 'deduction minus less',
    upTo: 'limit valueUpTo max',
    replacesTaxes: 'replacesVat includesVat includesTaxes',
    note: 'notes description',
  },
}

/** Goods of one code: an entry of `items`. */
const ITEM: Section<ItemDraft> = {
  words: [
    ['hs', 'its code', keep('code', means.codeOf)],
    ['qty', 'how many pieces', keep('count', countOf)],
    ['price', 'the value of one piece', keep('price', amountOf)],
    ['value', 'the value of all pieces together', keep('value', amountOf)],
    ['origin', 'its country of origin', keep('origin', textOf)],
    ['duty', 'its rate of duty', keep('dutyPpm', ppmOf)],
    ['vat', 'its rate of tax', keep('taxPpm', ppmOf)],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: {
    hs: 'hs6 hs8 hs10 hsCode code commodityCode tariff',
    qty: 'quantity count number pieces',
    price: 'unitPrice unitValue priceEach',
    value: 'goods goodsValue lineValue total',
    origin: 'originCountry',
    duty: 'adValorem dutyRate',
    vat: 'gst tax taxRate vatRate',
    note: 'notes description name',
  },
}

/** A case: the keys of `inputs`. */
const CASE: Section<CaseDraft> = {
  words: [
    ['fx', 'units of the case’s currency for one of another', takeExchangeRates],
    ['goodsCurrency', 'the currency of goods, freight and insurance', keep('valueCurrency', textOf)],
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
    ['vatBase', 'the base of the tax', keep('taxedValue', amountOf)],
    ['hs', 'the code of the goods', keep('code', means.codeOf)],
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
    ['vatOnFees', 'fees are in the base of the taxes', keep('hasFeesInTaxBase', yesOf)],

    ['vat', 'a tax on value, duty and fees', takeTaxIn(TAX, false)],
    ['icmsPorDentro', 'a tax that is in its own base', takeTaxIn(TAX, true)],
    ['vatName', 'the name of its line', means.takeTaxName],
    ['vatIncludesFreight', 'freight is in the base of the tax under FOB', keep('includesFreight', yesOf)],
    ['uplift', 'what the base of the tax adds to the customs value', keep('upliftPpm', ppmOf)],
    ['taxShare', 'the share of the tax that is charged', keep('taxShare', shareOf)],
    ['note', 'nothing', means.ignore],
  ],
  synonyms: {
    fx: 'fxRate exchangeRate exchangeRates rateOfExchange',
    goodsCurrency: 'valueCurrency invoiceCurrency',
    rounding: 'roundingRule',
    roundTo: 'roundToNearest roundingUnit',
    truncateTo: 'truncateAmountTo truncateDutyTo truncateTaxTo truncateVatTo floorTo',
    truncateValueTo: 'truncateValue truncateBaseTo truncateTaxBaseTo valueStep valueUnit floorValueTo',
    goods: 'goodsValue price itemValue itemPrice fob fobValue exw invoiceValue',
    valueFactor: 'valueShare dutiableShare personalUseFactor retailFactor priceFactor',
    freight: 'shipping shippingCost postage transport delivery freightCost',
    insurance: 'insuranceCost',
    valuation: 'valuationBasis incoterm dutyBasis',
    items: 'lines',
    customsValue: 'valueForDuty cif cifValue dutiableValue',
    intrinsic: 'intrinsicValue',
    vatBase: 'gstBase taxBase taxableValue taxableAmount',
    hs: 'hs6 hs8 hs10 hsCode code commodityCode commodity tariffCode',
    quantity: 'quantities qty',
    weight: 'weightKg netWeight netWeightKg kg',
    litres: 'liters volumeLitres volumeL',
    b2c: 'consumer isB2c',
    b2b: 'isB2b',
    recipient: 'recipientType',
    limitBasis: 'valueBasis deMinimisBasis thresholdBasis',
    duty: 'dutyRate adValorem customsDuty importDuty bcd mfn',
    expression: 'dutyExpression',
    dutyAmount: 'flatDuty flatDutyPerConsignment',
    dutyComputedBeforeWaiver: 'dutyBeforeWaiver',
    preference: 'preferentialDuty preferenceClaimed',
    sws: 'socialWelfareSurcharge surchargeOnDuty dutySurcharge',
    excise: 'exciseAmount exciseDuty',
    deMinimisDuty: 'dutyDeMinimis dutyFreeUpTo dutyReliefUpTo dutyRelief dutyThreshold',
    deMinimisVat:
      'deMinimisGst deMinimisTax vatDeMinimis vatFreeUpTo taxFreeUpTo vatReliefUpTo vatThreshold gstThreshold taxThreshold',
    flatDutyPerItem: 'dutyPerItem',
    flatDutyLimit: 'flatDutyUpTo',
    flatRate: 'ii flatDutyRate globalRate simplifiedRate singleRate',
    flatRateLimit: 'flatRateUpTo iiLimit iiUpTo',
    deduct: 'deduction iiDeduct',
    dutyOnExcessOver: 'dutyOnExcess',
    vatOnExcessOver: 'vatOnExcess taxOnExcessOver gstOnExcessOver',
    onExcessOver: 'excessOver',
    dutyWaivedBelow: 'dutyNotLeviedBelow minimumDuty',
    dutyWaivedUpTo: 'dutyNotLeviedUpTo',
    taxNotLeviedBelow: 'vatNotLeviedBelow gstNotLeviedBelow taxWaivedBelow vatWaivedBelow gstWaivedBelow',
    taxNotLeviedUpTo: 'vatNotLeviedUpTo gstNotLeviedUpTo taxWaivedUpTo vatWaivedUpTo gstWaivedUpTo',
    mpf: 'hmf',
    mpfMin: 'hmfMin',
    mpfMax: 'hmfMax',
    fees: 'fee *Fee *Levy *Charge',
    vatOnFees: 'vatOnFee gstOnFee gstOnFees feesInVatBase feesInTaxBase vatIncludesFee vatIncludesFees',
    vat: 'gst hst pst qst igst iva mwst tva btw moms mva kdv ust jct consumptionTax salesTax importVat tax taxes icmsPorFora',
    icmsPorDentro: 'icms icmsInside vatInside taxInside *PorDentro',
    vatName: 'taxName gstName',
    vatIncludesFreight: 'gstIncludesFreight taxIncludesFreight freightInVatBase',
    uplift: 'vatUplift atvUplift',
    taxShare: 'taxFactor crossBorderShare crossBorderFactor',
    note: 'notes description comment product',
  },
}

/** Takes the inputs of a case; what is not understood is noted in its ledger. */
export function takeInputs(draft: CaseDraft, inputs: Said): void {
  takeWords(CASE, draft, inputs)
}
