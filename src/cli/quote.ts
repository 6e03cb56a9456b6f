/**
 * `waybill quote`: the prices of a parcel as an account gets them, with the cost and the margin, which only operators
 * may see. With `--product`, also how the price and the cost are calculated. See
 * docs/rate-cards.md#prices-with-their-cost.
 */
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { PlaceInput } from '../core/input.ts'
import { formatCents, mulDivHalfUp } from '../core/money.ts'
import { describeDecline } from '../core/rating/book/limits.ts'
import { costsOn } from '../core/rating/book/rate-book.ts'
import { versionText } from '../core/rating/card-version.ts'
import { explainLine } from '../core/rating/explain/explain.ts'
import { percentText } from '../core/rating/explain/figure-text.ts'
import { quote, type RateOption, type RateQuote } from '../core/rating/quote.ts'
import type { ProductTerms } from '../core/rating/rate-card.ts'
import {
  checkRatesRequest,
  PACKAGINGS,
  PARCEL_TYPES,
  type RatesRequest,
  SHAPES,
} from '../core/rating/request.ts'
import { costOptionOf } from '../core/rating/sale.ts'
import { SLOT_SERVICES } from '../core/rating/service-inputs.ts'
import { refuseUnknownAccount } from '../store/rate-cards/contracts.ts'
import { loadRateBook } from '../store/rate-cards/rate-book.ts'
import { exchangeRatesFor } from './card/below-cost.ts'
import { code, count, currentDay, day, plainText, productId } from './terminal/arguments.ts'
import type { WithDatabase } from './terminal/database.ts'
import { Refusal, UsageError } from './terminal/errors.ts'
import { type Output, report, table } from './terminal/output.ts'

type QuoteOptions = {
  readonly kg?: string
  readonly size?: readonly [string, string, string]
  readonly type: string
  readonly count: number
  readonly stackable?: boolean
  readonly shape?: string
  readonly packaging?: string
  readonly freightClass?: string
  readonly individual?: boolean
  readonly insured?: string
  readonly service?: readonly string[]
  readonly slot?: string
  readonly cod?: CollectedInput
  readonly un?: readonly string[]
  readonly account?: string
  readonly product?: ProductTerms['productId']
  readonly asOf?: string
  readonly json?: boolean
}

export function quoteCommand(command: Command, withDatabase: WithDatabase, output: Output): void {
  command
    .description('price a parcel as an account gets it, with the cost and the margin')
    .argument('<from>', 'country, and postal code or city: NL, NL:1012 or NL:Amsterdam', place)
    .argument('<to>', 'in the same form', place)
    .option('--kg <weight>', 'weight of a unit in kilograms')
    .option('--size <cm>', 'sides of a unit, such as 40x30x20', size)
    .option('--type <type>', `type of the units: ${PARCEL_TYPES.join(', ')}`, 'NONDOC')
    .option('--count <number>', 'number of equal units', count, 1)
    .option('--stackable', 'the pallets can be stacked; without it, they cannot')
    .addOption(new Option('--shape <shape>', 'shape of the units').choices([...SHAPES]))
    .addOption(new Option('--packaging <packaging>', 'what the units are packed in').choices([...PACKAGINGS]))
    .option('--freight-class <class>', 'freight class of the goods, such as 77.5')
    .option('--individual', 'the recipient is an individual')
    .option('--insured <value>', 'value to insure, in euro')
    .option('--service <name...>', 'services, such as SATURDAY')
    .option('--slot <slot>', 'slot of TIME_SLOT or APPOINTMENT, such as 08:00-10:00')
    .option('--cod <amount>', 'collect an amount on delivery: 250.00, or 1000.00:PLN', collectedAmount)
    .option('--un <number...>', 'send dangerous goods with these UN numbers, such as UN3480')
    .option('--account <id>', 'the account that asks; by default, one without terms of its own', code)
    .option('--product <id>', 'explain the price and the cost of this product', productId)
    .option('--as-of <day>', 'the day to price for; by default today', day)
    .option('--json', 'print JSON')
    .action((from: PlaceInput, to: PlaceInput, options: QuoteOptions) =>
      price(requestOf(from, to, options), options, withDatabase, output),
    )
}

function place(text: string): PlaceInput {
  const [country = '', ...rest] = text.split(':')
  const part = plainText(rest.length === 0 ? country : rest.join(':'))
  if (rest.length === 0) return { country }
  return /\d/.test(part) ? { country, zipcode: part } : { country, city: part }
}

function size(text: string): readonly [string, string, string] {
  const [, length, width, height] = /^([\d.]{1,9})x([\d.]{1,9})x([\d.]{1,9})$/.exec(text) ?? []
  if (length === undefined || width === undefined || height === undefined)
    throw new InvalidArgumentError('Expected three sides in centimetres such as 40x30x20.')
  return [length, width, height]
}

type CollectedInput = { readonly amount: string; readonly currency: string }

function collectedAmount(text: string): CollectedInput {
  const [amount = '', currency = 'EUR', ...rest] = text.split(':')
  if (rest.length > 0) throw new InvalidArgumentError('Expected an amount such as 250.00 or 1000.00:PLN.')
  return { amount, currency }
}

/** The chosen services with their inputs. `--cod` and `--un` choose their services. */
function servicesOf({ service = [], slot, cod, un }: QuoteOptions): readonly object[] {
  const names = [...service]
  if (cod !== undefined) names.push('CASH_ON_DELIVERY')
  if (un !== undefined) names.push('DANGEROUS_GOODS')
  const slotted = names.filter((name) => SLOT_SERVICES.some((other) => other === name))
  if (slot !== undefined && slotted.length === 0)
    throw new UsageError(`--slot needs --service ${SLOT_SERVICES.join(' or ')}`)
  return [...new Set(names)].map((name) => ({
    service: name,
    ...(slotted.includes(name) && { slot }),
    ...(name === 'CASH_ON_DELIVERY' && { cashOnDelivery: cod }),
    ...(name === 'DANGEROUS_GOODS' && { dangerousGoods: un?.map((unNumber) => ({ unNumber })) }),
  }))
}

/** The arguments by the fields of a request that they fill. All others have the name of their field. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  weight: '--kg',
  exactWeight: '--kg',
  length: '--size',
  width: '--size',
  height: '--size',
  type: '--type',
  count: '--count',
  shape: '--shape',
  packaging: '--packaging',
  freightClass: '--freight-class',
  totalValue: '--insured',
  services: '--service',
  slot: '--slot',
  cashOnDelivery: '--cod',
  dangerousGoods: '--un',
}

/** Throws a UsageError that lists all faults. */
function requestOf(from: PlaceInput, to: PlaceInput, options: QuoteOptions): RatesRequest {
  const { kg, size: sides, type, stackable, individual, insured } = options
  const [length, width, height] = sides ?? []
  const request = checkRatesRequest({
    from,
    to,
    parcels: [
      {
        type,
        exactWeight: kg,
        length,
        width,
        height,
        count: options.count,
        shape: options.shape,
        packaging: options.packaging,
        freightClass: options.freightClass,
        ...(type === 'PALLET' && { stackable: stackable === true }),
      },
    ],
    recipientType: individual === true ? 'individual' : 'business',
    ...(insured !== undefined && { insured: true, totalValue: Number(insured) }),
    services: servicesOf(options),
  })
  if ('kind' in request) {
    const faults = request.fields.map(({ path, message }) => `${argumentOf(path)} ${message}`)
    throw new UsageError([...new Set(faults)].join('; '))
  }
  return request
}

function argumentOf(path: readonly (string | number)[]): string {
  const names = path.map((part) => ARGUMENTS[part]).filter((name) => name !== undefined)
  return names.at(-1) ?? path.join('.')
}

/** The currency of the amount to collect. */
function collectedIn({ serviceInputs }: RatesRequest): string {
  return serviceInputs?.cashOnDelivery?.currency ?? 'EUR'
}

/** A price as an operator sees it. Amounts in euro without VAT. */
type PricedOption = {
  readonly product: number
  readonly name: string
  readonly card: string
  readonly priceCents: number
  /** Null if no cost card has the product for the request. */
  readonly costCents: number | null
  readonly marginCents: number | null
}

async function price(
  request: RatesRequest,
  options: QuoteOptions,
  withDatabase: WithDatabase,
  output: Output,
): Promise<void> {
  const { account, asOf = currentDay(), product } = options
  const { book, quoted } = await withDatabase(async ({ db }) => {
    if (account !== undefined) await refuseUnknownAccount(db, account)
    const loaded = await loadRateBook(db)
    const rateSource = { exchangeRates: await exchangeRatesFor(loaded, db, collectedIn(request)) }
    return { book: loaded, quoted: quote(loaded, request, asOf, account, rateSource) }
  })
  const hasCosts = costsOn(book, asOf).size > 0
  if (product !== undefined) return explain(quoted, product, hasCosts, options, output)
  const priced = quoted.options.map(pricedOption)
  report(output, options.json, { options: priced, declined: quoted.declined.map(declinedValue) }, [
    ...(priced.length === 0 ? ['No product is offered.'] : optionLines(priced, hasCosts)),
    ...declinedLines(quoted),
  ])
}

function pricedOption(option: RateOption): PricedOption {
  const { product, card, priceCents } = option
  const costCents = costOptionOf(option)?.priceCents ?? null
  return {
    product: product.productId,
    name: product.productName,
    card: versionText(card),
    priceCents,
    costCents,
    marginCents: costCents === null ? null : priceCents - costCents,
  }
}

function optionLines(options: readonly PricedOption[], hasCosts: boolean): string[] {
  const rows = options.map(({ product, name, card, priceCents, costCents, marginCents }) => [
    `${product} ${name}`,
    card,
    formatCents(priceCents),
    ...(hasCosts ? [centsText(costCents), centsText(marginCents), shareText(marginCents, costCents)] : []),
  ])
  const costs = ['COST EUR', 'MARGIN EUR', 'MARGIN']
  const heading = ['PRODUCT', 'CARD', 'PRICE EUR', ...(hasCosts ? costs : [])]
  return table(heading, rows, ['PRICE EUR', ...costs])
}

function centsText(cents: number | null): string {
  return cents === null ? 'not known' : formatCents(cents)
}

/** The margin in percent of the cost. */
function shareText(marginCents: number | null, costCents: number | null): string {
  if (marginCents === null || costCents === null || costCents <= 0) return ''
  return percentText(mulDivHalfUp(marginCents, 10_000, costCents))
}

function declinedValue({ product, decline }: RateQuote['declined'][number]) {
  return { product: product.productId, code: decline.code, message: describeDecline(decline).message }
}

/** Without the products for other types of units. */
function declinedLines({ declined }: RateQuote): string[] {
  return declined
    .filter(({ decline }) => decline.code !== 'TYPE_NOT_CARRIED')
    .map(
      ({ product, decline }) =>
        `Not offered: ${product.productId} ${product.productName}: ${describeDecline(decline).message}`,
    )
}

/** Throws a Refusal if the product is not offered. */
function explain(
  quoted: RateQuote,
  productId: number,
  hasCosts: boolean,
  options: QuoteOptions,
  output: Output,
): void {
  const option = quoted.options.find(({ product }) => product.productId === productId)
  if (option === undefined) {
    const declined = quoted.declined.find(({ product }) => product.productId === productId)
    const reason = declined === undefined ? '' : `: ${describeDecline(declined.decline).message}`
    throw new Refusal(`product ${productId} is not offered${reason}`)
  }
  const cost = costOptionOf(option)
  const priced = pricedOption(option)
  report(
    output,
    options.json,
    { ...priced, lines: lineValues(option), costLines: cost === undefined ? null : lineValues(cost) },
    [
      ...optionLines([priced], hasCosts),
      'Price:',
      ...lineTexts(option),
      ...(cost === undefined ? [] : [`Cost, by ${versionText(cost.card)}:`, ...lineTexts(cost)]),
    ],
  )
}

function lineValues(option: RateOption) {
  return option.lines.map(({ item, amountCents }, index) => ({
    item,
    amountCents,
    formula: explainLine(option, index).formula,
  }))
}

function lineTexts(option: RateOption): string[] {
  const rows = lineValues(option).map(({ item, amountCents, formula }) => [
    `  ${item}`,
    formatCents(amountCents),
    formula,
  ])
  return table(['  LINE', 'EUR', 'CALCULATION'], rows, ['EUR'])
}
