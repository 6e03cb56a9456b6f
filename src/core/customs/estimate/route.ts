/**
 * The rules of a route on a day: everything about an import that depends on neither the goods nor their values. Routes
 * are cached beside the tables, because most requests are for few routes. Tables never change after
 * compilation, so a route is never stale.
 */
import { decimal } from '../../quantity.ts'
import { isInForce } from '../../validity.ts'
import type { CompiledCustoms, Fee, SellerScheme, Tax, TaxRate, Threshold } from '../compiled-customs.ts'
import { EURO, type ExchangeRate, findExchangeRate, toEuro } from '../data/exchange-rate.ts'
import type { JurisdictionRow } from '../data/row-types/places.ts'
import type { ThresholdRow } from '../data/row-types/thresholds.ts'
import { customsAreaOf, type Movement, movementBetween, tariffAreaOf } from '../data/territory.ts'
import { type Exact, exactOf } from '../exact.ts'
import { type AreaCodes, limitCodeCache, openAreaCodes } from '../tariff/code-facts.ts'
import type { ExciseRate } from '../tariff/excise-rate.ts'

export type Route = {
  readonly tables: CompiledCustoms
  readonly date: string
  readonly to: JurisdictionRow
  readonly from: JurisdictionRow
  /** Used as the origin of items without one, for additional duties. */
  readonly sendingCountry: string
  readonly movement: Movement
  readonly rounding: Rounding | undefined
  /** For the sending country. */
  readonly codes: AreaCodes
  readonly rules: Readonly<Record<ThresholdRow['appliesTo'], readonly RouteRule[]>>
  /** Rules that are not verified. They change no amount. */
  readonly unverified: Readonly<Record<ThresholdRow['appliesTo'], readonly RouteRule[]>>
  /** The rules that depend on the import scheme, those on duty first. */
  readonly schemeRules: readonly RouteRule[]
  /** The fees that depend on the import scheme. */
  readonly schemeFees: readonly RouteFee[]
  /** The schemes under which sellers collect the import tax. Empty if both places are in one customs area. */
  readonly sellerSchemes: readonly RouteScheme[]
  /** Those of the customs area first, then those of the jurisdiction. */
  readonly fees: readonly RouteFee[]
  /** In the order of their lines. */
  readonly taxes: readonly Tax[]
  readonly dueTaxes: Readonly<Record<Recipient, DueTaxCache>>
}

export type Recipient = 'individual' | 'business'

/** A low-value rule that applies to the route. It may not apply to the recipient, the value or the import scheme. */
export type RouteRule = { readonly threshold: Threshold; readonly rate: ExchangeRate | undefined }

/** The scheme of a route on a day. */
export type RouteScheme = {
  readonly scheme: SellerScheme
  /** Of the limit. Undefined if its currency has no exchange rate. */
  readonly rate: ExchangeRate | undefined
}

/** A fee on the route. It may not apply to the recipient or the value. */
export type RouteFee = { readonly fee: Fee; readonly rate: ExchangeRate | undefined }

/** The taxes on goods of one code, in the order of their lines. */
export type DueTaxes = { readonly list: readonly DueTax[]; readonly hasExcise: boolean }

/** `shared`: the distinct taxes without excise duties. */
export type DueTaxCache = { readonly byCode: Map<string, DueTaxes>; readonly shared: DueTaxes[] }

export type DueTax = {
  readonly tax: Tax
  /** Undefined if no rate is in force for the code. */
  readonly rate: TaxRate | undefined
  /** See `excisesOn`. Empty for other taxes. */
  readonly excises: readonly (readonly ExciseRate[])[]
}

/** How a jurisdiction rounds in its own currency. Units are converted to euro, so amounts need no conversion. */
export type Rounding = {
  /** Amounts due are multiples of this. Undefined: they are rounded to cents. */
  readonly unit: Exact | undefined
  /** Whether amounts due are rounded down instead of to the nearest multiple. */
  readonly isRoundedDown: boolean
  /** The value that a rate applies to is rounded down to a multiple of this. Undefined: it is exact. */
  readonly valueUnit: Exact | undefined
}

/** By day, destination and sender. */
const ROUTES = new WeakMap<CompiledCustoms, Map<string, Route>>()

/**
 * The route between two jurisdictions on a day ('YYYY-MM-DD'). Call it once per estimate: if the cache of codes is
 * full, it empties the caches.
 */
export function openRoute(
  tables: CompiledCustoms,
  from: JurisdictionRow,
  to: JurisdictionRow,
  sendingCountry: string,
  date: string,
): Route {
  if (limitCodeCache(tables.codes)) ROUTES.delete(tables)
  const routes = ROUTES.get(tables) ?? new Map<string, Route>()
  ROUTES.set(tables, routes)
  const key = `${date} ${to.code} ${from.code} ${sendingCountry}`
  const known = routes.get(key)
  if (known !== undefined) return known
  const route = compileRoute({ tables, from, to, sendingCountry, date })
  routes.set(key, route)
  tables.codes.size += 1
  return route
}

type RoutePlaces = Pick<Route, 'tables' | 'from' | 'to' | 'sendingCountry' | 'date'>

function compileRoute(places: RoutePlaces): Route {
  const { tables, from, to, sendingCountry, date } = places
  const { thresholds, unverifiedThresholds } = tables
  const onDuty = rulesOn(places, thresholds, 'duty')
  const onTax = rulesOn(places, thresholds, 'tax')
  const fees = feesOn(places)
  const movement = movementBetween(from, to)
  return {
    tables,
    date,
    to,
    from,
    sendingCountry,
    movement,
    rounding: roundingOf(tables, to, date),
    codes: openCodes(tables, to, date, sendingCountry),
    rules: { duty: onDuty, tax: onTax },
    unverified: {
      duty: rulesOn(places, unverifiedThresholds, 'duty'),
      tax: rulesOn(places, unverifiedThresholds, 'tax'),
    },
    schemeRules: [...onDuty, ...onTax].filter(({ threshold }) => threshold.row.importSchemes.length > 0),
    schemeFees: fees.filter(({ fee }) => fee.row.importSchemes.length > 0),
    sellerSchemes: movement === 'import' ? schemesOn(places) : [],
    fees,
    taxes: tables.taxes.get(to.code) ?? [],
    dueTaxes: { individual: emptyCache(), business: emptyCache() },
  }
}

function emptyCache(): DueTaxCache {
  return { byCode: new Map(), shared: [] }
}

function rulesOn(
  places: RoutePlaces,
  thresholds: CompiledCustoms['thresholds'],
  appliesTo: ThresholdRow['appliesTo'],
): readonly RouteRule[] {
  const { to, date } = places
  const code = appliesTo === 'duty' ? customsAreaOf(to) : to.code
  const rules: RouteRule[] = []
  for (const threshold of thresholds.get(`${code} ${appliesTo}`) ?? []) {
    const { row } = threshold
    if (!isInForce(row, date) || !isSentFrom(places, row.sentFrom)) continue
    const amounts = [row.limitAmount, row.flatAmount, row.deductAmount]
    rules.push({ threshold, rate: rateFor(places, row.currency, amounts) })
  }
  return rules
}

/** The schemes in force: of the jurisdiction, then of its tax areas. */
function schemesOn(places: RoutePlaces): readonly RouteScheme[] {
  const { tables, to, date } = places
  return [to.code, ...to.taxAreas]
    .flatMap((place) => tables.sellerSchemes.get(place) ?? [])
    .filter(({ row }) => isInForce(row, date))
    .map((scheme) => ({
      scheme,
      rate: rateFor(places, scheme.row.currency, [scheme.row.limitAmount]),
    }))
}

/** Undefined if the currency has no exchange rate. A rule or a fee without amounts needs none. */
function rateFor(
  { tables, date }: RoutePlaces,
  currency: string,
  amounts: readonly string[],
): ExchangeRate | undefined {
  const rate = findExchangeRate(tables.exchangeRates, currency, date)
  return rate === undefined && amounts.every((amount) => amount === '') ? EURO : rate
}

/**
 * True if the goods are sent from one of the named countries, customs areas or groups; always true if none is named.
 */
export function isSentFrom(
  { tables, from, sendingCountry }: Pick<Route, 'tables' | 'from' | 'sendingCountry'>,
  named: readonly string[],
): boolean {
  if (named.length === 0) return true
  const groups = tables.originGroups.get(sendingCountry)
  return named.some(
    (place) => place === sendingCountry || from.customsAreas.includes(place) || groups?.has(place) === true,
  )
}

function feesOn(places: RoutePlaces): readonly RouteFee[] {
  const { tables, to, date } = places
  const area = customsAreaOf(to)
  const fees = (area === to.code ? [] : (tables.fees.get(area) ?? [])).concat(tables.fees.get(to.code) ?? [])
  return fees
    .filter(({ row }) => isInForce(row, date))
    .map((fee) => {
      const { currency, amount, minimum, maximum, notLeviedBelow, valueAbove, valueUpTo } = fee.row
      const amounts = [amount, minimum, maximum, notLeviedBelow, valueAbove, valueUpTo]
      return { fee, rate: rateFor(places, currency, amounts) }
    })
}

/** The codes of the destination's tariff, for goods of an origin. */
export function codesFor({ tables, to, date, codes }: Route, origin: string): AreaCodes {
  return codes.origin === origin ? codes : openCodes(tables, to, date, origin)
}

function openCodes(tables: CompiledCustoms, to: JurisdictionRow, date: string, origin: string): AreaCodes {
  const area = tariffAreaOf(to)
  return openAreaCodes(tables.codes, area, date, origin, () => ({
    tariff: tables.tariffs.get(area),
    tariffs: tables.tariffs,
    averages: tables.averages.get(area),
    hsSuccessors: tables.hsSuccessors,
    preferences: tables.preferences.get(area),
    additional: tables.additional.get(area),
    conditional: tables.conditional.get(area),
    tradeDefence: tables.tradeDefence.get(area),
  }))
}

/**
 * Undefined if the jurisdiction has no units of its own, or if its currency has no exchange rate. Lines are then
 * rounded to cents only.
 */
function roundingOf(tables: CompiledCustoms, to: JurisdictionRow, date: string): Rounding | undefined {
  if (to.roundingUnit === '' && to.valueUnit === '') return undefined
  const rate = findExchangeRate(tables.exchangeRates, to.currency, date)
  if (rate === undefined) return undefined
  return {
    unit: unitOf(to.roundingUnit, rate),
    isRoundedDown: to.roundingMode === 'down',
    valueUnit: unitOf(to.valueUnit, rate),
  }
}

function unitOf(text: string, rate: ExchangeRate): Exact | undefined {
  return text === '' ? undefined : toEuro(exactOf(decimal(text, 6), 6), rate)
}
