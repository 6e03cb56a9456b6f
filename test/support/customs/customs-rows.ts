/** Builders of customs rows for tests: plain defaults, and the fields that a test is about. */

import type { ExchangeRateRow } from '../../../src/core/customs/data/row-types/exchange-rates.ts'
import type { ClearanceFeeRow, FeeRow } from '../../../src/core/customs/data/row-types/fees.ts'
import type {
  ConditionalDutyRow,
  MeasureRow,
  MeasureTypeRow,
} from '../../../src/core/customs/data/row-types/measures.ts'
import type { JurisdictionRow } from '../../../src/core/customs/data/row-types/places.ts'
import type { SellerSchemeRow } from '../../../src/core/customs/data/row-types/seller-schemes.ts'
import type { ExciseRateRow, TaxRateRow, TaxRow } from '../../../src/core/customs/data/row-types/taxes.ts'
import type { ThresholdRow } from '../../../src/core/customs/data/row-types/thresholds.ts'
import type { CustomsRows } from '../../../src/core/customs/data/rows.ts'
import { BASE_MEASURE_TYPE } from '../../../src/core/customs/tariff/tariff.ts'

const DATED = { dataSet: 'test', validFrom: null, validTo: null }

/** A jurisdiction with its own customs and tax area, in euro, with CIF values. */
export function jurisdiction(code: string, rest: Partial<JurisdictionRow> = {}): JurisdictionRow {
  return {
    dataSet: 'test',
    code,
    name: code,
    currency: 'EUR',
    customsAreas: [code],
    tariffOf: '',
    taxAreas: [code],
    valuation: 'CIF',
    roundingUnit: '',
    roundingMode: 'half_up',
    valueUnit: '',
    reliefs: 'considered',
    note: '',
    ...rest,
  }
}

/** A base measure of area "AA": percent, or an amount per quantity. */
export function measure(
  codePrefix: string,
  rate: number | string,
  rest: Partial<MeasureRow> = {},
): MeasureRow {
  return {
    ...DATED,
    jurisdiction: 'AA',
    codePrefix,
    measureType: BASE_MEASURE_TYPE,
    kind: 'additive',
    originGroup: 'ALL',
    excludedOrigins: [],
    scopeList: '',
    exemptList: '',
    basis: 'value',
    against: [],
    adValoremPpm: typeof rate === 'number' ? Math.round(rate * 10_000) : null,
    specific: typeof rate === 'string' ? rate : '',
    minimum: '',
    maximum: '',
    condition: '',
    text: '',
    level: 'line',
    goods: '',
    lowestPpm: null,
    highestPpm: null,
    lineCount: null,
    unitValueAbove: '',
    unitValueUpTo: '',
    unitValueCurrency: '',
    unitValuePer: '',
    agreement: '',
    confidence: 'high',
    note: '',
    ...rest,
  }
}

/** The average rate of a group of goods, 5% to 20%. */
export function average(
  codePrefix: string,
  rate: number,
  goods: string,
  rest: Partial<MeasureRow> = {},
): MeasureRow {
  return measure(codePrefix, rate, {
    ...{ level: 'average', goods, lowestPpm: 50_000, highestPpm: 200_000, lineCount: 112 },
    ...rest,
  })
}

/** The base type, with the name it has in the shipped data. */
export const BASE_TYPE: MeasureTypeRow = {
  dataSet: 'test',
  measureType: BASE_MEASURE_TYPE,
  name: 'Most-favoured-nation duty',
  role: 'base',
  notWith: [],
}

export function measureType(
  code: string,
  role: MeasureTypeRow['role'],
  rest: Partial<MeasureTypeRow> = {},
): MeasureTypeRow {
  return { dataSet: 'test', measureType: code, name: code, role, notWith: [], ...rest }
}

/** A tax of jurisdiction "AA" that is levied. */
export function tax(code: string, rest: Partial<TaxRow> = {}): TaxRow {
  return {
    dataSet: 'test',
    jurisdiction: 'AA',
    tax: code,
    name: code,
    kind: 'VAT',
    status: 'levied',
    base: 'value_and_duty',
    includesFreight: false,
    upliftPpm: 0,
    ratesOf: 'AA',
    reason: '',
    note: '',
    notePrefixes: [],
    codePrefixes: [],
    recipient: 'any',
    ...rest,
  }
}

/** A rate of a tax of jurisdiction "AA", in percent. */
export function taxRate(code: string, percent: number, rest: Partial<TaxRateRow> = {}): TaxRateRow {
  return {
    ...DATED,
    jurisdiction: 'AA',
    tax: code,
    codePrefix: '',
    ratePpm: Math.round(percent * 10_000),
    kind: 'standard',
    confidence: 'high',
    note: '',
    ...rest,
  }
}

/** A rule of area "AA" on duty, in euro. */
export function threshold(kind: ThresholdRow['kind'], rest: Partial<ThresholdRow> = {}): ThresholdRow {
  return {
    ...DATED,
    jurisdiction: 'AA',
    appliesTo: 'duty',
    kind,
    limitAmount: '',
    valueBasis: 'goods',
    currency: 'EUR',
    flatAmount: '',
    deductAmount: '',
    ratePpm: null,
    itemDigits: null,
    recipient: 'any',
    sentFrom: [],
    importSchemes: [],
    includedPrefixes: [],
    excludedPrefixes: [],
    yieldsToPreference: false,
    replacesTaxes: false,
    reason: 'a rule',
    enabled: true,
    confidence: 'high',
    ...rest,
  }
}

/** A fee of jurisdiction "AA", in euro. */
export function fee(kind: FeeRow['kind'], rest: Partial<FeeRow> = {}): FeeRow {
  return {
    ...DATED,
    jurisdiction: 'AA',
    fee: 'fee',
    name: 'Fee',
    kind,
    status: 'levied',
    currency: 'EUR',
    amount: '',
    ratePpm: null,
    minimum: '',
    maximum: '',
    notLeviedBelow: '',
    valueAbove: '',
    valueUpTo: '',
    itemDigits: null,
    recipient: 'any',
    importSchemes: [],
    paidByCarrier: false,
    inTaxBase: false,
    waivedByPreference: false,
    exemptOrigins: [],
    reason: '',
    enabled: true,
    confidence: 'high',
    ...rest,
  }
}

/** A scheme for consumers without a limit, which is assumed. */
export function sellerScheme(code: string, rest: Partial<SellerSchemeRow> = {}): SellerSchemeRow {
  return {
    dataSet: 'test',
    jurisdiction: code,
    scheme: `${code}_TAX`,
    name: `the scheme of ${code}`,
    ...{ limitAmount: '', currency: '', limitOn: 'consignment', belowLimit: false, excludedPrefixes: [] },
    ...{ recipient: 'individual', freesFromDuty: false, assumed: true, validFrom: null, validTo: null },
    ...{ source: '', readOn: null, confidence: 'high', note: '' },
    ...rest,
  }
}

/** A duty of area "AA" by additional code, for all goods. */
export function conditionalDuty(
  rest: Partial<ConditionalDutyRow> & Pick<ConditionalDutyRow, 'measureType'>,
): ConditionalDutyRow {
  return {
    ...DATED,
    jurisdiction: 'AA',
    codePrefix: '',
    dependsOn: 'additional_code',
    originGroup: 'ALL',
    excludedOrigins: [],
    additionalCode: '',
    orderNumber: '',
    adValoremPpm: null,
    specific: '',
    minimum: '',
    maximum: '',
    text: '',
    agreement: '',
    confidence: 'high',
    note: '',
    ...rest,
  }
}

/** A rate of an excise of jurisdiction "AA" per quantity. */
export function exciseRate(specific: string, rest: Partial<ExciseRateRow> = {}): ExciseRateRow {
  return {
    ...DATED,
    jurisdiction: 'AA',
    excise: 'spirits',
    name: 'Excise on spirits',
    codePrefix: '2208',
    strengthAbovePpm: null,
    strengthUpToPpm: null,
    retailPricePpm: null,
    adValoremPpm: null,
    specific,
    minimum: '',
    text: '',
    confidence: 'high',
    note: '',
    ...rest,
  }
}

/** A clearance fee of "parcel-co" for every destination. */
export function clearanceFee(
  kind: ClearanceFeeRow['kind'],
  rest: Partial<ClearanceFeeRow> = {},
): ClearanceFeeRow {
  return {
    ...DATED,
    carrier: 'parcel-co',
    product: '',
    fee: 'clearance',
    name: 'Clearance fee',
    kind,
    destinations: [],
    sentFrom: [],
    valueAbove: '',
    valueUpTo: '',
    recipient: 'any',
    currency: 'EUR',
    amount: '',
    ratePpm: null,
    minimum: '',
    maximum: '',
    onlyIfCharged: false,
    enabled: true,
    confidence: 'high',
    note: '',
    ...rest,
  }
}

/** Units of a currency for one euro. */
export function exchangeRate(
  currency: string,
  unitsPerEuro: string,
  validFrom = '2026-01-01',
): ExchangeRateRow {
  return { dataSet: 'test', currency, unitsPerEuro, validFrom, confidence: 'high', note: '' }
}

/** One destination "AA" without tariff or tax, and the sender "BB". `rest` adds or replaces tables. */
export function customsRows(rest: Partial<CustomsRows> = {}): CustomsRows {
  return {
    dataSets: [
      { name: 'test', title: 'Test data', source: 'test', date: '2026-01-01', cycleDays: null, layer: 0 },
    ],
    jurisdictions: [jurisdiction('AA'), jurisdiction('BB')],
    territories: [],
    originGroups: [],
    codeLists: [],
    hsSuccessors: [],
    taxes: [],
    taxRates: [],
    measureTypes: [BASE_TYPE],
    measures: [],
    thresholds: [],
    fees: [],
    conditionalDuties: [],
    tradeDefence: [],
    exciseRates: [],
    clearanceFees: [],
    sellerSchemes: [],
    restrictions: [],
    exchangeRates: [],
    ...rest,
  }
}
