/**
 * Checks the services of a card: price, products, restrictions, and the services that each requires and excludes. A row
 * that no shipment can use is a fault. Rules: docs/rate-card-files.md#services.
 */
import { ExpressionFault } from '../../expressions/expression-fault.ts'
import { namesIn, type Syntax, visit } from '../../expressions/syntax.ts'
import { groupBy } from '../../group-by.ts'
import { isCountryCode } from '../../place.ts'
import { compileRuleAmount, compileRuleCondition } from '../../rating/book/rule.ts'
import type { RuleVocabularies } from '../../rating/book/rule-vocabulary.ts'
import { kilogramsText } from '../../rating/explain/figure-text.ts'
import type { RateCardContent, RateCardImport, ServiceRow } from '../../rating/rate-card.ts'
import type { Service } from '../../rating/sender-service.ts'
import { isUnNumber, SLOT_SERVICES } from '../../rating/service-inputs.ts'
import { checkCharge, checkProductIds } from './accessorials.ts'
import { type CardIndex, productsFor, productText, zonesOf } from './card-index.ts'
import { checkExpressions, rowVocabularies } from './expressions.ts'
import type { Reports } from './findings.ts'
import { CARD_LIMITS } from './sizes.ts'

export function checkServices({ services }: RateCardContent, card: CardIndex, reports: Reports): void {
  services.forEach((row, index) => {
    checkExpressions('services', row, index, () => rowVocabularies(row, card), reports)
    checkCharge('services', row, index, card, reports)
    checkPlaces(row, index, card, reports)
    checkWeights(row, index, reports)
    checkInputs(row, index, reports)
    warnOfInputFigures(row, index, card, reports)
    checkProductIds('services', row, index, card, reports)
  })
  const listed = services.map((row, index) => ({ row, index }))
  // checkSizes reports more.
  for (const rows of groupBy(listed, ({ row }) => row.carrierCode).values()) {
    checkSlots(rows, reports)
    if (rows.length <= CARD_LIMITS.servicesOfCarrier) checkCombinations(rows, card, reports)
  }
}

/** The services that connectors pass on with a booking, by connector. Connectors that do not book are missing. */
export type BookedServices = ReadonlyMap<string, ReadonlySet<Service>>

/** A draft with a service that the connector does not pass on cannot be booked. Reported once for each service. */
export function warnOfUnbookable(
  { content, carriers }: Pick<RateCardImport, 'content' | 'carriers'>,
  booked: BookedServices,
  { warn }: Reports,
): void {
  const connectors = new Map(carriers.map(({ code, connector }) => [code, connector]))
  const reported = new Set<string>()
  content.services.forEach(({ carrierCode, service }, index) => {
    const connector = connectors.get(carrierCode) ?? ''
    const key = `${carrierCode} ${service}`
    if (booked.get(connector)?.has(service) !== false || reported.has(key)) return
    reported.add(key)
    const expected = `a service that the connector ${connector} passes on; drafts with it cannot be booked through it`
    warn('services', 'not booked', { index, field: 'service', expected, found: service })
  })
}

function checkPlaces(row: ServiceRow, index: number, card: CardIndex, { fault }: Reports): void {
  for (const field of ['fromCountries', 'toCountries'] as const) {
    const unknown = (row[field] ?? []).filter((code) => !isCountryCode(code))
    if (unknown.length === 0) continue
    fault('services', field, {
      index,
      field,
      expected: 'ISO 3166-1 country codes',
      found: unknown.join(', '),
    })
  }
  const products = productsFor(row, card)
  const zones = zonesOf(products, card)
  const unknown = (row.zones ?? []).filter((zone) => !zones.has(zone))
  if (unknown.length === 0 || products.length === 0) return
  const expected = 'zones that a lane of the zone charts of its products leads to'
  fault('services', 'zones', { index, field: 'zones', expected, found: unknown.join(', ') })
}

function checkWeights(
  { minShipmentGrams = 0, maxShipmentGrams }: ServiceRow,
  index: number,
  { fault }: Reports,
): void {
  if (maxShipmentGrams === undefined || maxShipmentGrams >= minShipmentGrams) return
  const expected = `at least the lowest weight, ${kilogramsText(minShipmentGrams)}`
  const found = kilogramsText(maxShipmentGrams)
  fault('services', 'weights', { index, field: 'maxShipmentGrams', expected, found })
}

/** The fee of cash on delivery is rarely a share of the freight. */
function checkInputs(
  { service, method, unNumbers = [], refusedUnNumbers = [] }: ServiceRow,
  index: number,
  { fault, warn }: Reports,
): void {
  const both = unNumbers.filter((number) => refusedUnNumbers.includes(number)).join(', ')
  const expected = 'UN numbers that un_numbers does not have'
  if (both !== '') fault('services', 'refused', { index, field: 'refusedUnNumbers', expected, found: both })
  if (service !== 'CASH_ON_DELIVERY' || method !== 'pct') return
  const formula = 'a formula: 1.5% * cod_amount of the amount to collect, or 1.5% * freight'
  warn('services', 'percentage of freight', { index, field: 'method', expected: formula, found: 'pct' })
}

/** The fee of cash on delivery as a share of the amount: published lists have 0.3% to 5%. */
const [LOWEST_SHARE, HIGHEST_SHARE] = [0.1, 10]

/** Percentages of the amount to collect that are probably mistyped, and UN numbers that the row does not accept. */
function warnOfInputFigures(row: ServiceRow, index: number, card: CardIndex, { warn }: Reports): void {
  const { service, condition, formula, unNumbers, refusedUnNumbers } = row
  const [words] = rowVocabularies(row, card)
  if (words === undefined || (condition === undefined && formula === undefined)) return
  const compiled = compiledRules(row, words)
  for (const [field, syntax] of compiled) {
    const names = namesIn(syntax)
    if (service === 'CASH_ON_DELIVERY' && field === 'formula' && names.has('cod_amount'))
      visit(syntax, (part) => {
        if (part.kind !== 'number' || part.unit !== '%') return
        if (Number(part.text) >= LOWEST_SHARE && Number(part.text) <= HIGHEST_SHARE) return
        const expected = `a percentage from ${LOWEST_SHARE} to ${HIGHEST_SHARE} of the amount to collect`
        warn('services', 'share of amount', { index, field, expected, found: `${part.text}%` })
      })
    if (service !== 'DANGEROUS_GOODS') continue
    const others = [...names].filter(
      (name) =>
        isUnNumber(name) &&
        (unNumbers?.includes(name) === false || refusedUnNumbers?.includes(name) === true),
    )
    const expected = 'UN numbers that the row accepts'
    if (others.length > 0)
      warn('services', 'number not accepted', { index, field, expected, found: others.join(', ') })
  }
}

/** Without faulty expressions, which `checkExpressions` reports. */
function compiledRules(
  { condition, formula, per }: ServiceRow,
  words: RuleVocabularies,
): readonly (readonly ['condition' | 'formula', Syntax])[] {
  try {
    return [
      ...(condition === undefined
        ? []
        : [['condition', compileRuleCondition(condition, words).syntax] as const]),
      ...(formula === undefined ? [] : [['formula', compileRuleAmount(formula, per, words).syntax] as const]),
    ]
  } catch (error) {
    if (error instanceof ExpressionFault) return []
    throw error
  }
}

/** `rows` are those of a carrier. */
function checkSlots(rows: readonly ListedService[], { fault }: Reports): void {
  for (const service of SLOT_SERVICES) {
    const slots = new Set<string>()
    for (const { row, index } of rows) {
      if (row.service !== service || row.slot === undefined) continue
      slots.add(row.slot)
      if (slots.size <= CARD_LIMITS.slotsOfService) continue
      const expected = `at most ${CARD_LIMITS.slotsOfService} slots of ${service} with a carrier`
      fault('services', 'slots', { index, field: 'slot', expected, found: row.slot })
      break
    }
  }
}

type ListedService = { readonly row: ServiceRow; readonly index: number }

/** `rows` are those of a carrier. */
function checkCombinations(rows: readonly ListedService[], card: CardIndex, { fault }: Reports): void {
  for (const { row, index } of rows) {
    const { service, requires, excludes } = row
    for (const field of ['requires', 'excludes'] as const)
      if (row[field].includes(service))
        fault('services', `${field} itself`, { index, field, expected: 'other services', found: service })
    const both = requires.filter((other) => excludes.includes(other)).join(', ')
    const expected = 'services that the row does not require'
    if (both !== '') fault('services', 'both', { index, field: 'excludes', expected, found: both })
  }
  const offers = offersOf(rows, card)
  for (const service of rows) checkUse(service, offers, fault)
}

/** The rows of a product, by service. Products with the same rows are one offer. */
type Offer = {
  /** The first of the products. */
  readonly product: string
  readonly rows: ReadonlySet<ListedService>
  readonly byService: ReadonlyMap<Service, readonly ListedService[]>
}

function offersOf(rows: readonly ListedService[], card: CardIndex): readonly Offer[] {
  const offers = new Map<string, Offer>()
  for (const terms of card.products.values()) {
    if (terms.carrierCode !== rows[0]!.row.carrierCode) continue
    const own = rows.filter(({ row }) => row.products?.includes(terms.productId) ?? true)
    const key = own.map(({ index }) => index).join()
    if (offers.has(key)) continue
    offers.set(key, {
      product: productText(terms),
      rows: new Set(own),
      byService: groupBy(own, ({ row }) => row.service),
    })
  }
  return [...offers.values()]
}

/** A row is at fault if none of its products can use it. The reasons are those of the first product. */
function checkUse(service: ListedService, offers: readonly Offer[], fault: Reports['fault']): void {
  let first: readonly Misuse[] | undefined
  for (const offer of offers) {
    if (!offer.rows.has(service)) continue
    const found = misusesOf(service, offer)
    if (found.length === 0) return
    first ??= found
  }
  const { index } = service
  for (const { rule, field, expected, found } of first ?? [])
    fault('services', rule, { index, field, expected, found })
}

type Misuse = {
  readonly rule: 'unused' | 'requires'
  readonly field: 'service' | 'requires'
  readonly expected: string
  readonly found: string
}

/** What keeps a product from using a row. Empty if nothing does, or if other checks report it. */
function misusesOf({ row, index }: ListedService, { product, byService }: Offer): readonly Misuse[] {
  const { service, requires } = row
  const misuses: Misuse[] = []
  const sameSlot = byService.get(service)!.filter((other) => other.row.slot === row.slot)
  const earlier = sameSlot.find((other) => isUnrestricted(other.row))
  if (earlier !== undefined && earlier.index < index) {
    const expected = 'an earlier row that does not fit every shipment'
    misuses.push({ rule: 'unused', field: 'service', expected, found: `${service} of ${product}` })
  }
  for (const other of requires) {
    const expected = other === service ? undefined : expectedOf(product, service, byService.get(other) ?? [])
    if (expected !== undefined) misuses.push({ rule: 'requires', field: 'requires', expected, found: other })
  }
  return misuses
}

/** Why the service cannot require another one, which has these rows; undefined if it can. */
function expectedOf(
  product: string,
  service: Service,
  required: readonly ListedService[],
): string | undefined {
  if (required.length === 0) return `services that ${product} offers`
  if (required.every(({ row }) => row.excludes.includes(service)))
    return `services of ${product} that do not exclude ${service}`
  return required.every(({ row }) => row.requires.includes(service))
    ? `services of ${product} that do not require ${service}`
    : undefined
}

function isUnrestricted(row: ServiceRow): boolean {
  return (
    row.fromCountries === undefined &&
    row.toCountries === undefined &&
    row.zones === undefined &&
    row.minShipmentGrams === undefined &&
    row.maxShipmentGrams === undefined &&
    row.maxUnitGrams === undefined &&
    row.maxCollectedCents === undefined &&
    row.unNumbers === undefined &&
    row.refusedUnNumbers === undefined &&
    row.condition === undefined
  )
}
