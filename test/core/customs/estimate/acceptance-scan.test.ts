/**
 * Parcels that shops send, to every territory of the shipped data: each of the goods at each value from each origin.
 * Every estimate is compared with the rows of the tables, which this file reads without the code of the estimate.
 * `npm test` takes a sample; TEST_CASES=all takes every parcel.
 */
import { expect, test } from 'vitest'
import { findExchangeRate } from '../../../../src/core/customs/data/exchange-rate.ts'
import { unpackRows } from '../../../../src/core/customs/data/packed-rows.ts'
import type { FeeRow } from '../../../../src/core/customs/data/row-types/fees.ts'
import type { SellerSchemeRow } from '../../../../src/core/customs/data/row-types/seller-schemes.ts'
import { type DutiesEstimate, givenCode } from '../../../../src/core/customs/estimate/estimate.ts'
import { describeLine } from '../../../../src/core/customs/estimate/explain/line.ts'
import { collectorOf } from '../../../../src/core/customs/estimate/import-schemes/collector.ts'
import type { TaxLine } from '../../../../src/core/customs/estimate/tax-line.ts'
import type { DutiesRequest } from '../../../../src/core/customs/request.ts'
import { landOptions } from '../../../../src/core/landed-cost/landed-cost.ts'
import { DELIVERY_TERMS, dueAt } from '../../../../src/core/landed-cost/payment.ts'
import { isInForce } from '../../../../src/core/validity.ts'
import { type DatedEstimate, estimateWith } from '../../../../src/operations/estimate-duties.ts'
import { shippedCustoms } from '../../../../src/reference/customs.ts'
import { shippedTables } from '../../../support/customs/shipped-tables.ts'
import { caseCount } from '../../../support/random/case-count.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'
import { fixedOption } from '../../../support/rates/fixed-option.ts'

const DAY = '2026-11-28'
const TABLES = shippedTables()
const { tables: packed } = shippedCustoms()
const ROWS = {
  territories: unpackRows(packed.territories),
  fees: unpackRows(packed.fees),
  taxes: unpackRows(packed.taxes),
  tradeDefence: unpackRows(packed.tradeDefence),
  sellerSchemes: unpackRows(packed.sellerSchemes),
}
const SEED = Number(process.env['SCAN_SEED'] ?? 1)

const GOODS = {
  't-shirt': '610910',
  shoes: '640419',
  headphones: '851830',
  cream: '330499',
  'food supplement': '210690',
  book: '490199',
  wine: '220421',
  cigarettes: '240220',
  medicine: '300490',
  toy: '950300',
  knife: '821192',
  'electric bicycle': '871160',
}
const OPTION = fixedOption({
  product: { productId: 1, productName: 'Classic', carrierCode: 'ring', carrierName: 'Ring' },
  priceCents: 900,
  lines: [{ kind: 'BASE', item: 'Freight', amountCents: 900 }],
  transit: { minDays: 1, maxDays: 2 },
  chargeable: [],
})
const VALUES = [20, 140, 300, 1500]
const ORIGINS = ['CN', 'DE', 'US']

type Parcel = {
  readonly from: string
  readonly to: Territory
  readonly goods: string
  readonly code: string
  readonly euro: number
}

type Territory = { readonly code: string; readonly country: string; readonly zipcode: string }

/** Each jurisdiction once, with a postal code of it. */
const TERRITORIES: readonly Territory[] = [
  ...new Map(
    ROWS.territories
      .toReversed()
      .map(({ country, postalFrom, jurisdiction }): [string, Territory] => [
        jurisdiction,
        { code: jurisdiction, country, zipcode: postalFrom },
      ]),
  ).values(),
]

function* allParcels(): Generator<Parcel> {
  for (const to of TERRITORIES)
    for (const [goods, code] of Object.entries(GOODS))
      for (const euro of VALUES)
        for (const from of ORIGINS) if (from !== to.country) yield { from, to, goods, code, euro }
}

function requestFor({ from, to, goods, code, euro }: Parcel): DutiesRequest {
  return {
    from: { country: from, zipcode: '', city: '' },
    to: { country: to.country, zipcode: to.zipcode, city: '' },
    items: [{ description: goods, numberOfItems: 1, costSteps: euro * 1_000_000, tariff: code }],
  }
}

function estimateOf(parcel: Parcel): DatedEstimate {
  const find = () => {
    throw new Error('every item has a code')
  }
  return estimateWith({ tables: TABLES, date: DAY, codes: [givenCode(parcel.code)], find })(
    requestFor(parcel),
  )
}

const beginsWithOne = (code: string, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => code.startsWith(prefix))

/** Undefined without an exchange rate. The values of this file are far enough from the limits for floating point. */
function inCurrency(euro: number, currency: string): number | undefined {
  const rate = findExchangeRate(TABLES.exchangeRates, currency, DAY)
  return rate && euro * Number(rate.unitsPerEuro)
}

/** The scheme of the destination whose limit, recipient and goods allow the parcel. */
function schemeOf({ code, euro }: Parcel, { consignment }: DatedEstimate): SellerSchemeRow | undefined {
  const { to, route } = consignment
  if (route.movement !== 'import') return undefined
  const places = [to.code, ...to.taxAreas]
  const row = ROWS.sellerSchemes.find((one) => places.includes(one.jurisdiction) && isInForce(one, DAY))
  if (row === undefined || row.recipient === 'business' || beginsWithOne(code, row.excludedPrefixes))
    return undefined
  const value = inCurrency(euro, row.currency)
  const limit = row.limitAmount === '' ? Number.POSITIVE_INFINITY : Number(row.limitAmount)
  if (value === undefined) return undefined
  return value < limit || (value === limit && !row.belowLimit) ? row : undefined
}

/** Whether a row of `fees` applies to a parcel for a consumer. Rows that name import schemes are left out. */
function isFeeDue({ euro }: Parcel, row: FeeRow): boolean {
  if (!isInForce(row, DAY) || row.recipient === 'business' || row.importSchemes.length > 0) return false
  const value = inCurrency(euro, row.currency)
  if (value === undefined) return true
  return (
    (row.valueAbove === '' || value > Number(row.valueAbove)) &&
    (row.valueUpTo === '' || value <= Number(row.valueUpTo))
  )
}

const withoutRemark = ({ name }: TaxLine): string =>
  name.replace(/ \(not estimated\)$|, part not estimated$/, '')

/** The charges of the tables that apply to the parcel and have no line. */
function missingCharges(parcel: Parcel, { taxes, consignment }: DatedEstimate): readonly string[] {
  const { code, from } = parcel
  const { to, route } = consignment
  const names = taxes.map(withoutRemark)
  const due: string[] = []
  if (route.movement !== 'inside')
    for (const row of ROWS.taxes) {
      const fits = row.recipient !== 'business' && row.jurisdiction === to.code
      const covers = row.codePrefixes.length === 0 || beginsWithOne(code, row.codePrefixes)
      if (!fits || !covers) continue
      const excise = taxes.some(({ kind }) => kind === 'EXCISE')
      if (row.kind === 'EXCISE' ? !excise : !names.includes(row.name)) due.push(row.name)
    }
  if (route.movement !== 'import') return due
  for (const row of ROWS.fees)
    if ([to.code, to.customsAreas[0]].includes(row.jurisdiction) && isFeeDue(parcel, row))
      if (!names.includes(row.name)) due.push(row.name)
  const hasTariff = taxes.some(({ kind, calculation }) => kind === 'DUTY' && !isLowValue(calculation))
  for (const row of ROWS.tradeDefence)
    if (
      hasTariff &&
      row.jurisdiction === (to.tariffOf || to.customsAreas[0]) &&
      isInForce(row, DAY) &&
      code.startsWith(row.codePrefix) &&
      row.originGroup === from &&
      !taxes.some(({ kind, name }) => kind === 'DUTY' && isOfKind(name, row.kind))
    )
      due.push(`${row.kind} ${row.codePrefix}`)
  return due
}

/** Low-value rules and schemes that free from duty replace the duties of the tariff. */
function isLowValue(calculation: TaxLine['calculation']): boolean {
  if (calculation.kind === 'charged') return calculation.rule === 'threshold'
  return calculation.kind === 'notCharged' && calculation.reason === 'schemeRelief'
}

const isOfKind = (name: string, kind: string): boolean =>
  name.toLowerCase().replaceAll('-', ' ').startsWith(kind.replaceAll('_', ' '))

/** Reasons of a known zero: a rule, or a rate of zero. */
const REASONS_OF_ZERO = [
  ...['noTax', 'taxReplaced', 'taxRelief', 'schemeRelief', 'notLevied'],
  ...['feePreference', 'feeExemptOrigin', 'feeBelowMinimum', 'feeByCarrier', 'feeOnOtherGoods'],
]

function silentZero({ taxes, complete, consignment }: DatedEstimate): string {
  if (!complete || consignment.route.movement !== 'import') return ''
  if (!taxes.some(({ kind }) => kind === 'DUTY' || kind === 'COMBINED')) return 'no line of a duty'
  if (!taxes.some(({ kind }) => kind === 'VAT' || kind === 'GST')) return 'no line of a tax'
  for (const line of taxes) {
    const { amountCents, calculation, name } = line
    if (amountCents > 0 || calculation.kind === 'joined') continue
    if (calculation.kind === 'notCharged' && !REASONS_OF_ZERO.includes(calculation.reason))
      return `${name} is zero: ${calculation.reason}`
    const text = describeLine(consignment, line)
    if (
      !/\bno [\w ]*(tax|duty)|free of|not (levied|charged|collected)|lev(?:ies|y) no|outside|what exceeds|no additional duty|\b0%/i.test(
        text,
      )
    )
      return `${name} is zero: ${text}`
  }
  return ''
}

/** The names of schemes as texts have them, and the destinations that they belong to. */
const SCHEME_NAMES: readonly (readonly [name: RegExp, scheme: string])[] = [
  [/\bIOSS\b/, 'IOSS'],
  [/\bVOEC\b/, 'VOEC'],
  [/\bOVR\b/, 'OVR'],
  ...['GB_VAT', 'AU_GST', 'NZ_GST', 'MY_LVG', 'CL_VAT', 'CH_VAT'].map(
    (scheme) => [new RegExp(`\\b${scheme.replace('_', ' ')}\\b`), scheme] as const,
  ),
]

/** The first fault of an estimate; empty if there is none. */
function faultOf(parcel: Parcel, estimate: DatedEstimate): string {
  const { taxes, estimateCents, checkoutCents, consignment } = estimate
  const sum = taxes.reduce((total, { amountCents }) => total + amountCents, 0)
  if (sum !== estimateCents) return `lines add up to ${sum}, the total is ${estimateCents}`
  if (taxes.some(({ amountCents }) => amountCents < 0)) return 'an amount below zero'
  const bySeller = taxes.filter((line) => collectorOf(consignment, line) === 'SELLER_AT_CHECKOUT')
  if (bySeller.reduce((total, { amountCents }) => total + amountCents, 0) !== checkoutCents)
    return `the seller collects other lines than ${checkoutCents}`
  const scheme = schemeOf(parcel, estimate)
  if (bySeller.length > 0 && scheme?.assumed !== true) return 'the seller collects without a scheme'
  if (bySeller.some(({ kind }) => kind !== 'VAT' && kind !== 'GST'))
    return 'the seller collects a duty or a fee'
  if (scheme?.assumed === true && bySeller.length === 0 && !taxes.every(isUntaxed))
    return `the seller does not collect under ${scheme.scheme}`
  const missing = missingCharges(parcel, estimate)
  if (missing.length > 0) return `no line for ${missing.join(', ')}`
  const faults = [
    silentZero(estimate),
    faultOfRange(estimate),
    faultOfTexts(estimate, scheme),
    faultOfPayments(parcel, estimate),
  ]
  return faults.find((fault) => fault !== '') ?? ''
}

const isUntaxed = ({ kind, calculation, computed }: TaxLine): boolean =>
  (kind !== 'VAT' && kind !== 'GST') ||
  !computed ||
  (calculation.kind === 'notCharged' && ['noTax', 'taxReplaced'].includes(calculation.reason))

function faultOfRange(estimate: DatedEstimate): string {
  const { leastCents, likelyCents, mostCents } = estimate.range()
  if (likelyCents !== estimate.estimateCents) return `likely is ${likelyCents}`
  if (leastCents < 0 || leastCents > likelyCents) return `least is ${leastCents}, likely ${likelyCents}`
  if (mostCents !== undefined && mostCents < likelyCents) return `most is ${mostCents}, likely ${likelyCents}`
  const other = estimate.underOtherScheme()
  if (other === undefined) return ''
  if (other.importScheme === 'IOSS' && estimate.consignment.to.customsAreas[0] !== 'EU')
    return 'IOSS outside the EU'
  if (amountsOf(other.estimate) === amountsOf(estimate)) return `${other.importScheme} changes nothing`
  const otherCents = other.estimate.estimateCents
  if (otherCents < leastCents || otherCents > (mostCents ?? otherCents))
    return `${otherCents} under ${other.importScheme} is not between ${leastCents} and ${mostCents}`
  return ''
}

const amountsOf = ({ taxes, checkoutCents }: DutiesEstimate): string =>
  [checkoutCents, ...taxes.map(({ name, amountCents }) => `${name} ${amountCents}`)].join()

/** The payments of a landed cost add up, and under DDP the recipient pays nothing on delivery. */
function faultOfPayments(parcel: Parcel, estimate: DatedEstimate): string {
  const request = requestFor(parcel)
  const estimates = new Map([[OPTION.priceCents, estimate]])
  for (const terms of DELIVERY_TERMS) {
    const [landed] = landOptions([OPTION], request, estimates, terms)
    if (landed === undefined) return 'no landed cost'
    const paid = landed.payments.reduce((sum, { amountCents }) => sum + amountCents, 0)
    if (paid !== landed.totalCents) return `${terms}: payments of ${paid} for ${landed.totalCents}`
    const bySender = landed.payments.filter(({ payer }) => payer === 'SENDER')
    const invoiced = bySender.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const atCheckout = dueAt(landed.payments, 'AT_CHECKOUT')
    const rest = landed.totalCents - parcel.euro * 100 - OPTION.priceCents - estimate.checkoutCents
    if (atCheckout !== landed.totalCents - rest) return `${terms}: ${atCheckout} at the checkout`
    if (invoiced !== (terms === 'DDP' ? rest : 0)) return `${terms}: ${invoiced} to the sender`
  }
  return ''
}

function faultOfTexts(estimate: DatedEstimate, scheme: SellerSchemeRow | undefined): string {
  const { taxes, consignment } = estimate
  const texts = taxes.map((line) => describeLine(consignment, line))
  const { decision } = estimate.range()
  for (const [name, of] of SCHEME_NAMES) {
    const text = [...texts, decision ?? ''].find((one) => name.test(one))
    if (text !== undefined && scheme?.scheme !== of) return `names ${of}: ${text}`
  }
  const collected = texts.find(
    (text, index) => text.includes('The seller collects it') && taxes[index]?.amountCents === 0,
  )
  return collected === undefined ? '' : `names the seller of a tax of zero: ${collected}`
}

const SAMPLE = caseCount(1, 12)

test(`parcels to ${TERRITORIES.length} territories`, () => {
  const dice = diceOf(SEED)
  const faults: string[] = []
  let count = 0
  for (const parcel of allParcels()) {
    if (SAMPLE < 12 && dice.int(1, 12) > SAMPLE) continue
    count += 1
    const fault = faultOf(parcel, estimateOf(parcel))
    const { from, to, goods, euro } = parcel
    if (fault !== '') faults.push(`${from} to ${to.code}, ${goods} of EUR ${euro}: ${fault}`)
  }
  expect(count).toBeGreaterThan(TERRITORIES.length * SAMPLE)
  expect(faults.slice(0, 10)).toEqual([])
}, 600_000)
