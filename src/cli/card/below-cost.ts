/**
 * Prices below the cost, for the commands that change a card, a contract, margins, fuel or exchange rates: which they
 * are, and the refusal unless `--below-cost` is given. See docs/rate-cards.md#prices-below-cost.
 */
import { Option } from 'commander'
import type { Kysely, Transaction } from 'kysely'
import type { ExchangeRates } from '../../core/customs/data/exchange-rate.ts'
import { formatCents } from '../../core/money.ts'
import {
  accountsWithTerms,
  type BelowCostReport,
  findPricesBelowCost,
} from '../../core/rate-card-review/cost/below-cost.ts'
import type { ProductRule } from '../../core/rate-card-review/sample/rule-cases.ts'
import type { RateBook } from '../../core/rating/book/rate-book.ts'
import { kilogramsText } from '../../core/rating/explain/figure-text.ts'
import type { PriceCell } from '../../core/rating/price-cell.ts'
import type { Service } from '../../core/rating/sender-service.ts'
import { type DangerousGoods, hasSlots, type ServiceInputs } from '../../core/rating/service-inputs.ts'
import { loadCompiledCustoms } from '../../store/customs/customs.ts'
import type { Database } from '../../store/database/database.ts'
import { listContracts, listTurnovers } from '../../store/rate-cards/contracts.ts'
import { listMargins } from '../../store/rate-cards/margins.ts'
import { hasCostCards, loadRateBook, previewRateBook } from '../../store/rate-cards/rate-book.ts'
import { currentDay, LISTED_CHANGES } from '../terminal/arguments.ts'
import { Refusal } from '../terminal/errors.ts'
import { announce, counted, type Output, print, table } from '../terminal/output.ts'

/** How many days are checked on which prices can change. */
const MAX_DAYS = 6
/** How many products or surcharges a note names. */
const NAMED_PRODUCTS = 10

export type BelowCostOptions = {
  readonly belowCost?: boolean
  readonly json?: boolean
  readonly changes?: number
  /** The prices are listed, and not refused. */
  readonly dryRun?: boolean
}

export function belowCostOption(): Option {
  return new Option('--below-cost', 'accept prices below the cost, which are listed')
}

/** What changes. Without `accountId`, the prices of all accounts with terms of their own and of everyone else. */
export type PriceChange = {
  readonly before: RateBook
  readonly after: RateBook
  readonly accountId?: string
  readonly days: readonly string[]
  /** The bounds of new discounts or margins. */
  readonly cells?: readonly PriceCell[]
}

const NOTHING_BELOW: BelowCostReport = {
  cells: [],
  found: 0,
  withoutCost: [],
  uncovered: [],
  isComplete: true,
}

/** Without cost cards, nothing is priced. */
export async function pricesBelowCost(
  db: Kysely<Database>,
  { before, after, accountId, days, cells = [] }: PriceChange,
): Promise<BelowCostReport> {
  if (after.costCards.length === 0) return NOTHING_BELOW
  const known = await listContracts(db, accountId)
  return findPricesBelowCost({
    before,
    after,
    days,
    accounts: accountId === undefined ? accountsWithTerms(after) : [accountId],
    cells: [...cells, ...known.flatMap(({ discounts }) => discounts ?? []), ...(await listMargins(db))],
    exchangeRates: await exchangeRatesFor(after, db),
  })
}

/** A change of rate cards or of their fuel, in a transaction of its own. */
export type VersionChange = {
  readonly change: (trx: Transaction<Database>) => Promise<unknown>
  /** The first day that it can concern, and the first one that it no longer does. */
  readonly from: string
  readonly to?: string | undefined
  /** Days on which it changes prices, besides those on which terms begin or end. */
  readonly days?: readonly string[]
  readonly consequence: string
}

/** Refuses a change of rate cards, or returns warnings, like `refuseBelowCost`. Nothing is read without cost cards. */
export async function checkVersionChange(
  db: Kysely<Database>,
  { change, from, to, days: changed = [], consequence }: VersionChange,
  options: BelowCostOptions,
  output: Output,
): Promise<readonly string[]> {
  if (!(await hasCostCards(db))) return []
  announce(output, options.json, 'Comparing prices with the cost')
  const before = await loadRateBook(db)
  const after = await previewRateBook(db, change)
  const agreed = [...(await listContracts(db)), ...(await listTurnovers(db)), ...(await listMargins(db))]
  const cards = [...after.cards, ...after.contractCards.values(), ...after.costCards].flat()
  const first = from < currentDay() ? currentDay() : from
  const later = [...agreed, ...cards]
    .flatMap((row) => [row.validFrom, ('validTo' in row ? row.validTo : undefined) ?? row.validFrom])
    .filter((day) => day > first && (to === undefined || day < to))
  const others = changed.filter((day) => day > first).sort()
  const days = [...new Set([first, ...others, ...later.sort()])]
  const report = await pricesBelowCost(db, { before, after, days: days.slice(0, MAX_DAYS) })
  const isComplete = report.isComplete && days.length <= MAX_DAYS
  return refuseBelowCost({ ...report, isComplete }, options, output, consequence)
}

/** What exchange rates of the customs data become. */
export type RateChange = {
  /** The rates after the change; called only if a card needs one. */
  readonly ratesAfter: () => Promise<ExchangeRates>
  readonly consequence: string
}

/** Refuses new exchange rates as `refuseBelowCost` does, for today's prices. Without cost cards, nothing is read. */
export async function checkRateChange(
  db: Kysely<Database>,
  { ratesAfter, consequence }: RateChange,
  options: BelowCostOptions,
  output: Output,
): Promise<void> {
  if (!(await hasCostCards(db))) return
  const book = await loadRateBook(db)
  const ratesBefore = await exchangeRatesFor(book, db)
  if (ratesBefore.size === 0) return
  announce(output, options.json, 'Comparing prices with the cost')
  const report = findPricesBelowCost({
    before: book,
    after: book,
    days: [currentDay()],
    accounts: accountsWithTerms(book),
    cells: [
      ...(await listContracts(db)).flatMap(({ discounts }) => discounts ?? []),
      ...(await listMargins(db)),
    ],
    exchangeRates: await ratesAfter(),
    exchangeRatesBefore: ratesBefore,
  })
  refuseBelowCost(report, options, output, consequence)
}

/** Reads the customs data only if a rate card, or `currency` of a request, needs a rate. */
export async function exchangeRatesFor(
  book: RateBook,
  db: Kysely<Database>,
  currency = 'EUR',
): Promise<ExchangeRates> {
  const cards = [...book.cards, ...book.contractCards.values(), ...book.costCards].flat()
  const isForeign =
    currency !== 'EUR' || cards.some(({ groups }) => (groups[0]?.priceTerms?.currency ?? 'EUR') !== 'EUR')
  return isForeign ? (await loadCompiledCustoms(db)).exchangeRates : new Map()
}

/**
 * Prints the prices below the cost. Throws a Refusal if there are any, unless `--below-cost` was given. Its message
 * begins with `consequence`, such as "nothing was written". Returns warnings about prices that were not compared.
 */
export function refuseBelowCost(
  report: BelowCostReport,
  options: BelowCostOptions,
  output: Output,
  consequence = 'nothing was written',
): readonly string[] {
  print(output, options.json, belowCostLines(report, options.changes ?? LISTED_CHANGES))
  if (report.found > 0 && options.belowCost !== true && options.dryRun !== true)
    throw new Refusal(
      `${consequence}: ${counted(report.found, 'price')} would be below the cost; add --below-cost to accept them`,
    )
  return report.isComplete ? [] : ['not all prices were compared with the cost']
}

/** At most `limit` prices, those that lose most first. */
export function belowCostLines(
  { cells, found, withoutCost, uncovered, isComplete }: BelowCostReport,
  limit: number,
): string[] {
  const rows = cells
    .slice(0, limit)
    .map((cell) => [
      cell.accountId ?? 'everyone',
      `${cell.productId} ${cell.productName}`,
      String(cell.zone),
      cell.weightGrams === 0 ? counted(cell.units, 'document') : kilogramsText(cell.weightGrams),
      extrasText(cell),
      `${cell.from} to ${cell.to}`,
      cell.day,
      ...[cell.priceCents, cell.costCents, cell.priceCents - cell.costCents].map(formatCents),
    ])
  const figures = ['ZONE', 'WEIGHT', 'PRICE EUR', 'COST EUR', 'MARGIN']
  const heading = [
    'FOR',
    'PRODUCT',
    'ZONE',
    'WEIGHT',
    'WITH',
    'ROUTE',
    'DAY',
    'PRICE EUR',
    'COST EUR',
    'MARGIN',
  ]
  const more = found - rows.length
  const shown = rows.some((row) => row[EXTRAS] !== '') ? (row: readonly string[]) => row : withoutExtras
  return [
    ...(found === 0 ? [] : [`${counted(found, 'price')} below the cost:`]),
    ...(rows.length === 0 ? [] : table(shown(heading), rows.map(shown), figures)),
    ...(found > 0 && more > 0
      ? [
          `… and ${counted(more, 'more price', 'more prices')} (--changes ${Math.min(found, cells.length)} lists more)`,
        ]
      : []),
    ...(withoutCost.length === 0
      ? []
      : [`warning: the cost is not known for all routes and weights of ${productsText(withoutCost)}`]),
    ...(uncovered.length === 0
      ? []
      : [`warning: not compared with the cost, because no sample has them: ${rulesText(uncovered)}`]),
    ...(isComplete
      ? []
      : [
          'warning: not all prices were compared with the cost: there are too many prices or days, or no sample fits a size class',
        ]),
  ]
}

/** The position of the column with surcharges, services and insurance, which few prices have. */
const EXTRAS = 4

function withoutExtras(row: readonly string[]): readonly string[] {
  return row.toSpliced(EXTRAS, 1)
}

/**
 * "surcharge RESIDENTIAL", "SATURDAY SIGNATURE", "TIME_SLOT evening", "CASH_ON_DELIVERY of 100.00 EUR", "insurance of
 * 500.00" or several.
 */
function extrasText({
  services = [],
  serviceInputs = {},
  insuredValueCents,
  surcharges = [],
}: BelowCostReport['cells'][number]): string {
  return [
    ...(surcharges.length === 0 ? [] : [`surcharge ${surcharges.join(', ')}`]),
    ...services.map((service) => serviceText(service, serviceInputs)),
    ...(insuredValueCents === undefined ? [] : [`insurance of ${formatCents(insuredValueCents)}`]),
  ].join(' ')
}

function serviceText(
  service: Service,
  { slots, cashOnDelivery, dangerousGoods = [] }: ServiceInputs,
): string {
  if (service === 'CASH_ON_DELIVERY' && cashOnDelivery !== undefined)
    return `${service} of ${formatCents(cashOnDelivery.hundredths)} ${cashOnDelivery.currency}`
  if (service === 'DANGEROUS_GOODS') return [service, ...dangerousGoods.map(goodsText)].join(' ')
  return hasSlots(service) && slots?.[service] !== undefined ? `${service} ${slots[service]}` : service
}

function goodsText({ unNumber, hazardClass, packingGroup, limitedQuantity }: DangerousGoods): string {
  const facts = [hazardClass, packingGroup, limitedQuantity ? 'limited quantity' : undefined]
  return [unNumber, ...facts.filter((fact) => fact !== undefined)].join(' ')
}

/** "ISLAND_INTL of product 1202, PEAK of product 1201 and 3 more". */
export function rulesText(rules: readonly ProductRule[]): string {
  const named = rules.slice(0, NAMED_PRODUCTS).map(({ productId, code }) => `${code} of product ${productId}`)
  const more = rules.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function productsText(ids: readonly number[]): string {
  const more = ids.length - NAMED_PRODUCTS
  const named = ids.slice(0, NAMED_PRODUCTS).join(', ')
  return `${ids.length === 1 ? 'product' : 'products'} ${named}${more > 0 ? ` and ${more} more` : ''}`
}
