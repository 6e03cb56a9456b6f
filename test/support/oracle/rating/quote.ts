/**
 * Oracle for quotes: a second implementation, written from the documentation. It searches plain rows without index or
 * cache. Tests compare the engine with it. It shares only types with the engine.
 * Rules: docs/rate-cards.md; docs/rate-card-files.md.
 */

import type { RateCardHead } from '../../../../src/core/rating/card-version.ts'
import type { ContractRow, TurnoverRow } from '../../../../src/core/rating/contract.ts'
import type { MarginRow } from '../../../../src/core/rating/margin.ts'
import type {
  CapitalRow,
  CarrierRow,
  FuelRate,
  ProductTerms,
  RateCardContent,
} from '../../../../src/core/rating/rate-card.ts'
import type { RatesRequest } from '../../../../src/core/rating/request.ts'
import {
  type OracleAgreement,
  oracleFreightChanges,
  oracleMargin,
  oracleSale,
  oracleSurchargeChange,
  oracleTurnover,
} from './agreed.ts'
import {
  countedSurcharges,
  insuranceLine,
  lineOfSurcharge,
  type OracleLine,
  surchargesInForce,
} from './charges.ts'
import {
  inGrams,
  type OracleProduct,
  type OracleWeight,
  oracleFreight,
  oracleShipmentGrams,
  oracleWeight,
} from './freight.ts'
import { oracleDays, oracleRoute, oracleZone } from './lane.ts'
import { oracleLimit } from './limits.ts'
import { oracleServices } from './services.ts'

export type OracleCard = RateCardHead & RateCardContent

/** The sources of a rate book, as plain rows. */
export type OracleSources = {
  readonly carriers: readonly CarrierRow[]
  readonly cards: readonly OracleCard[]
  readonly fuel: readonly FuelRate[]
  readonly capitals: readonly CapitalRow[]
  readonly contracts: readonly ContractRow[]
  readonly turnovers?: readonly TurnoverRow[]
  readonly margins?: readonly MarginRow[]
}

/** `card` is the version: 'code@number'. */
export type OracleOption = {
  readonly productId: number
  readonly carrierCode: string
  readonly priceCents: number
  readonly listPriceCents?: number
  readonly lines: readonly OracleLine[]
  readonly minDays: number
  readonly maxDays: number
  readonly chargeable: readonly OracleWeight[]
  readonly card: string
}

export type OracleDecline = { readonly productId: number; readonly code: string }

/** Options are sorted by price, then by product id; declined products by product id. */
export type OracleQuote = {
  readonly options: readonly OracleOption[]
  readonly declined: readonly OracleDecline[]
}

/** Quotes a request for a day ('YYYY-MM-DD') and an account, if given. */
export function oracleQuote(
  sources: OracleSources,
  request: RatesRequest,
  date: string,
  accountId?: string,
): OracleQuote {
  const options: OracleOption[] = []
  const declined: OracleDecline[] = []
  for (const productId of [...productIds(sources)].sort((a, b) => a - b)) {
    const result = quoteProduct(sources, request, date, productId, accountId)
    if (typeof result === 'string') declined.push({ productId, code: result })
    else if (result !== undefined) options.push(result)
  }
  options.sort((a, b) => a.priceCents - b.priceCents || a.productId - b.productId)
  return { options, declined }
}

function productIds({ cards }: OracleSources): ReadonlySet<number> {
  return new Set(cards.flatMap(({ products }) => products.map(({ productId }) => productId)))
}

const covers = (
  { validFrom, validTo }: { readonly validFrom: string; readonly validTo?: string },
  date: string,
): boolean => validFrom <= date && (validTo === undefined || date < validTo)

/** For each code, the newest version that is valid on the day. */
function cardsOn({ cards }: OracleSources, date: string): readonly OracleCard[] {
  const valid = cards.filter((card) => covers(card, date))
  return valid.filter(
    (card) => !valid.some(({ code, versionNo }) => code === card.code && versionNo > card.versionNo),
  )
}

type OracleContract = Required<Pick<ContractRow, 'fuelBps' | 'hidden' | 'cardCode'>> & {
  readonly agreement: OracleAgreement
}

/** Each term of the narrowest contract row that states it; of equally narrow rows the newest. */
function applicableContract(
  { contracts, turnovers = [] }: OracleSources,
  { productId, carrierCode }: ProductTerms,
  date: string,
  accountId: string | undefined,
): OracleContract | undefined {
  const width = (row: ContractRow): number =>
    row.productId !== undefined ? 0 : row.carrierCode !== undefined ? 1 : 2
  const rows = contracts
    .filter((row) => row.accountId === accountId && covers(row, date))
    .filter((row) => row.productId === undefined || row.productId === productId)
    .filter((row) => row.carrierCode === undefined || row.carrierCode === carrierCode)
    .sort((a, b) => width(a) - width(b) || (a.validFrom < b.validFrom ? 1 : -1))
  if (rows.length === 0) return undefined
  const stated = <Term>(term: (row: ContractRow) => Term | undefined): Term | undefined =>
    rows.map(term).find((value) => value !== undefined)
  return {
    agreement: { rows, turnoverCents: oracleTurnover(turnovers, accountId, carrierCode, date) },
    fuelBps: stated(({ fuelBps }) => fuelBps) ?? 0,
    hidden: stated(({ hidden }) => hidden) ?? false,
    cardCode: stated(({ cardCode }) => cardCode) ?? null,
  }
}

/** An option, a decline code, or undefined if the product is not sold to this account. */
function quoteProduct(
  sources: OracleSources,
  request: RatesRequest,
  date: string,
  productId: number,
  accountId: string | undefined,
): OracleOption | string | undefined {
  const cards = cardsOn(sources, date)
  const termsIn = (card: OracleCard): ProductTerms | undefined =>
    card.products.find((terms) => terms.productId === productId)
  const general = cards.find((card) => card.audience === 'everyone' && termsIn(card) !== undefined)
  // The carrier of a product is the same in all cards.
  const anyTerms = cards.map(termsIn).find((terms) => terms !== undefined)
  if (anyTerms === undefined) return undefined
  const contract = applicableContract(sources, anyTerms, date, accountId)
  const agreed = cards.find(
    (card) => card.audience === 'contract' && card.code === contract?.cardCode && termsIn(card) !== undefined,
  )
  const card = agreed ?? general
  const terms = card && termsIn(card)
  const sale = quoteSale(sources, request, date, productId, accountId, card !== undefined)
  if (card === undefined || terms === undefined)
    return contract?.hidden === true && sale !== undefined ? 'NOT_ON_ACCOUNT' : sale
  if (contract?.hidden === true) return 'NOT_ON_ACCOUNT'
  if (sale !== undefined) return sale
  const option = priceProduct(sources, card, terms, request, date, contract)
  if (typeof option === 'string' || contract === undefined || general === undefined) return option
  if (!changesPrices(contract) && agreed === undefined) return option
  const listed = priceProduct(sources, general, termsIn(general)!, request, date, undefined)
  return typeof listed === 'string' ? option : { ...option, listPriceCents: listed.priceCents }
}

/** False if no price can change, whatever the zone and the weight. */
function changesPrices({ agreement: { rows, turnoverCents }, fuelBps }: OracleContract): boolean {
  const minimum = rows.find(({ minimumCents }) => minimumCents !== undefined)?.minimumCents ?? 0
  if (fuelBps !== 0 || minimum > 0) return true
  for (const { discounts = [], freightBps } of rows) {
    const freight = discounts.some((row) => row.appliesTo === 'freight' && row.turnoverCents <= turnoverCents)
    if (freight) return true
    if (freightBps === undefined) continue
    if (freightBps !== 0) return true
    break
  }
  return rows.some(({ discounts = [] }) => discounts.some(({ appliesTo }) => appliesTo !== 'freight'))
}

/** The option of a cost card; a decline code if the product is sold at a margin, but not for this request. */
function quoteSale(
  sources: OracleSources,
  request: RatesRequest,
  date: string,
  productId: number,
  accountId: string | undefined,
  isInCard: boolean,
): OracleOption | string | undefined {
  const { margins = [] } = sources
  const costCards = cardsOn(sources, date).filter(({ audience }) => audience === 'cost')
  const card = costCards.find(({ products }) => products.some((terms) => terms.productId === productId))
  const terms = card?.products.find((other) => other.productId === productId)
  if (card === undefined || terms === undefined) return undefined
  const concerned = margins
    .filter((row) => (row.accountId === undefined ? !isInCard : row.accountId === accountId))
    .filter((row) => row.productId === undefined || row.productId === productId)
    .filter((row) => row.carrierCode === undefined || row.carrierCode === terms.carrierCode)
  // A product is mentioned if a margin for it exists, on whatever day.
  if (concerned.length === 0) return undefined
  const zone = oracleZone(card, terms, oracleRoute(card, terms, sources.capitals, request, date))
  const product = withFloors(card, terms)
  const grams = inGrams(product, oracleShipmentGrams(product, request.parcels))
  const margin =
    zone === undefined ? undefined : oracleMargin(concerned, date, zone, grams, accountId, isInCard)
  if (margin === undefined) return isInCard ? undefined : 'ROUTE_NOT_SERVED'
  const cost = priceProduct(sources, card, terms, request, date, undefined)
  if (typeof cost === 'string') return cost
  const priceCents = oracleSale(margin, cost.priceCents)
  return { ...cost, priceCents, lines: [{ item: 'Freight', amountCents: priceCents }] }
}

function withFloors(card: OracleCard, terms: ProductTerms): OracleProduct {
  const { productId, carrierCode } = terms
  const floors = card.minimumWeights.filter(
    (row) => row.carrierCode === carrierCode && (row.products?.includes(productId) ?? true),
  )
  return { ...terms, floors }
}

function priceProduct(
  sources: OracleSources,
  card: OracleCard,
  listed: ProductTerms,
  request: RatesRequest,
  date: string,
  contract: OracleContract | undefined,
): OracleOption | string {
  const terms = withFloors(card, listed)
  const { parcels, insuredValueCents } = request
  const insurance = card.insurance.find(({ carrierCode }) => carrierCode === terms.carrierCode)
  const limit = oracleLimit(terms, insurance, request)
  if (limit !== undefined) return limit
  const route = oracleRoute(card, terms, sources.capitals, request, date)
  const zone = oracleZone(card, terms, route)
  if (zone === undefined) return 'ROUTE_NOT_SERVED'
  const isPriced = card.prices.some((row) => row.productId === terms.productId && row.zone === zone)
  if (!isPriced) return 'ROUTE_NOT_SERVED'
  const services = oracleServices(card.services, terms, zone, request)
  if (services === undefined) return 'SERVICE_NOT_OFFERED'
  const freight = oracleFreight(card, terms, zone, parcels)
  if (typeof freight === 'string') return freight

  const lines: OracleLine[] = [{ item: 'Freight', amountCents: freight }]
  if (contract !== undefined)
    lines.push(...oracleFreightChanges(contract.agreement, card, terms, zone, parcels))
  const adjustedCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0)

  const surcharges = countedSurcharges(surchargesInForce(card.surcharges, terms, date), route)
  const charges = [...surcharges, ...services]
  const base = { terms, parcels, date, fuel: sources.fuel, fuelBps: contract?.fuelBps ?? 0 }
  let fuelableCents = adjustedCents
  for (const phase of ['accessorial', 'percent', 'fixed']) {
    const percentOfCents = phase === 'accessorial' ? adjustedCents : fuelableCents
    for (const charge of charges.filter(({ surcharge }) => surcharge.phase === phase)) {
      const line = lineOfSurcharge(charge, { ...base, percentOfCents })
      const { code, fuelable } = charge.surcharge
      const changed = contract && oracleSurchargeChange(contract.agreement, terms, zone, parcels, code, line)
      const added = changed === undefined ? [line] : [line, changed]
      lines.push(...added)
      if (phase === 'accessorial' && fuelable)
        fuelableCents += added.reduce((sum, { amountCents }) => sum + amountCents, 0)
    }
  }
  if (insuredValueCents !== undefined && insurance !== undefined)
    lines.push(insuranceLine(insurance, card.insuranceBands, terms, parcels, insuredValueCents))
  return {
    productId: terms.productId,
    carrierCode: terms.carrierCode,
    priceCents: lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
    lines,
    ...oracleDays(card, terms, route, zone),
    chargeable: parcels.map((unit) => oracleWeight(terms, unit)),
    card: `${card.code}@${card.versionNo}`,
  }
}
