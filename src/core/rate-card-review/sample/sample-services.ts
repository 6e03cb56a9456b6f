/**
 * The services that sample parcels are priced with: each service of a product, together with those that it requires,
 * and with the inputs at which its price can change. These inputs are all slots, the amounts of cash on delivery that
 * expressions compare with, and the UN numbers, classes and packing groups that rows and expressions name.
 */
import { visit } from '../../expressions/syntax.ts'
import { parseDecimal } from '../../quantity.ts'
import type { ProductGroup } from '../../rating/book/book-card.ts'
import { offersOf, type ServiceOffer } from '../../rating/book/service-offer.ts'
import { decimalPlaces } from '../../rating/currency/currency-decimals.ts'
import type { RatesRequest } from '../../rating/request.ts'
import { type Service, servicesIn } from '../../rating/sender-service.ts'
import {
  type DangerousGoods,
  HAZARD_CLASSES,
  hasSlots,
  isUnNumber,
  PACKING_GROUPS,
  SERVICE_LIMITS,
  type ServiceInputs,
} from '../../rating/service-inputs.ts'
import { evenlyChosen } from './evenly-chosen.ts'

type Chosen = Pick<RatesRequest, 'services' | 'serviceInputs'>

/** `parcelTypes`: those of the products that can offer the services. */
export type SampleServices = {
  readonly chosen: Chosen
  readonly parcelTypes: ReadonlySet<RatesRequest['parcelType']>
}

/** Amounts to collect of one row, and goods of one row. */
const MAX_INPUTS = 60
/** Far more than the services of most cards. Each is priced with several parcels on every route. */
export const MAX_SERVICE_SETS = 200

/** `isComplete` is false if some were left out. */
export function sampleServices(groups: ReadonlySet<ProductGroup>): {
  readonly sets: readonly SampleServices[]
  readonly isComplete: boolean
} {
  const found = new Map<string, SampleServices>()
  let isComplete = true
  for (const group of groups) {
    const types = group.products.map(({ terms }) => terms.parcelType)
    for (const offer of group.services) {
      const { sets, leftOut } = setsOf(offer, group)
      if (leftOut) isComplete = false
      for (const chosen of sets) {
        const key = JSON.stringify(chosen)
        const known = found.get(key)?.parcelTypes ?? []
        found.set(key, { chosen, parcelTypes: new Set([...known, ...types]) })
      }
    }
  }
  const sets = evenlyChosen([...found.values()], MAX_SERVICE_SETS)
  return { sets, isComplete: isComplete && sets.length === found.size }
}

type Inputs = { -readonly [Field in keyof ServiceInputs]: ServiceInputs[Field] }

/** The row with each of its inputs. Required services have the first input of their first row. */
function setsOf(
  offer: ServiceOffer,
  group: ProductGroup,
): { readonly sets: readonly Chosen[]; readonly leftOut: boolean } {
  const { service, requires, products } = offer.row
  const services = servicesIn([service, ...requires])
  const others: Inputs = {}
  const offers = products === undefined ? group.services : offersOf(group.services, products[0]!)
  for (const other of services) {
    const first = other === service ? undefined : offers.find(({ row }) => row.service === other)
    if (first !== undefined) add(others, inputsOf(first, group)[0]!)
  }
  const own = inputsOf(offer, group)
  const chosen = evenlyChosen(own, MAX_INPUTS)
  const sets = chosen.map((inputs): Chosen => {
    const serviceInputs = { ...others }
    add(serviceInputs, inputs)
    return { services, ...(Object.keys(serviceInputs).length > 0 && { serviceInputs }) }
  })
  return { sets, leftOut: chosen.length < own.length }
}

function add(inputs: Inputs, { slots, ...others }: ServiceInputs): void {
  Object.assign(inputs, others)
  if (slots !== undefined) inputs.slots = { ...inputs.slots, ...slots }
}

/** At least one: without a field if the service has no input. */
function inputsOf({ row, condition, charge }: ServiceOffer, group: ProductGroup): readonly ServiceInputs[] {
  const { service, slot } = row
  if (hasSlots(service)) return [slot === undefined ? {} : { slots: { [service]: slot } }]
  if (service === 'CASH_ON_DELIVERY') {
    const currency = group.priceTerms?.currency ?? 'EUR'
    const amounts = amountsOf(row.maxCollectedCents, currency, figuresOf('cod_amount', group, service))
    return amounts.map((hundredths) => ({ cashOnDelivery: { currency, hundredths } }))
  }
  if (service !== 'DANGEROUS_GOODS') return [{}]
  const words = new Set([condition, charge.formula].flatMap((rule) => (rule ? wordsIn(rule) : [])))
  for (const rule of surchargeRules(group)) for (const word of wordsIn(rule)) words.add(word)
  const listed = group.services.flatMap(({ row: { unNumbers = [] } }) => unNumbers)
  return goodsOf(row, words, new Set(listed)).map((goods) => ({ dangerousGoods: [goods] }))
}

type Rule = { readonly syntax: Parameters<typeof visit>[0] }

function surchargeRules({ surcharges }: ProductGroup): readonly Rule[] {
  return surcharges.flatMap(({ condition, formula }) =>
    [condition, formula].filter((rule) => rule !== undefined),
  )
}

function wordsIn({ syntax }: Rule): readonly string[] {
  const words: string[] = []
  visit(syntax, (part) => {
    if (part.kind === 'name') words.push(part.name)
  })
  return words
}

/** Figures of expressions that use a measure: those without a unit in hundredths, and percentages in thousandths. */
type Figures = { readonly amounts: readonly number[]; readonly percentages: readonly number[] }

/** Of the surcharges, and of all rows of the service, because the row that applies can change with the input. */
function figuresOf(measure: string, group: ProductGroup, service: Service): Figures {
  const rows = group.services.filter(({ row }) => row.service === service)
  const own = rows.flatMap(({ condition, charge }) =>
    [condition, charge.formula].filter((rule) => rule !== undefined),
  )
  const [amounts, percentages] = [new Set<number>(), new Set<number>()]
  for (const rule of [...own, ...surchargeRules(group)]) {
    if (!wordsIn(rule).includes(measure)) continue
    visit(rule.syntax, (part) => {
      if (part.kind !== 'number') return
      if (part.unit === '') amounts.add(parseDecimal(part.text, 2) ?? 0)
      else if (part.unit === '%') percentages.add(parseDecimal(part.text, 3) ?? 0)
    })
  }
  return { amounts: [...amounts], percentages: [...percentages].filter((thousandths) => thousandths > 0) }
}

/** Amounts of which at least one is below each bound of usual lists, in hundredths. */
const USUAL_AMOUNTS = [100, 1_000, 10_000, 50_000, 100_000, 250_000, 1_000_000]

/**
 * The figures and the first amounts above them, and the amounts at which a percentage reaches a figure: a smallest or
 * largest fee. At most `max`, which is the last.
 */
function amountsOf(
  max: number | undefined,
  currency: string,
  { amounts, percentages }: Figures,
): readonly number[] {
  const step = 10 ** (2 - Math.min(2, decimalPlaces(currency)))
  const largest = Math.min(max ?? Number.POSITIVE_INFINITY, 100 * SERVICE_LIMITS.collected)
  const reached = percentages.flatMap((thousandths) =>
    amounts.map((hundredths) => Math.floor((hundredths * 100_000) / thousandths)),
  )
  const bounds = [...USUAL_AMOUNTS, ...amounts, ...reached, ...(max === undefined ? [] : [max])]
  const all = new Set(bounds.map((hundredths) => hundredths - (hundredths % step)))
  for (const hundredths of [...amounts, ...reached]) all.add(hundredths - (hundredths % step) + step)
  const possible = [...all]
    .filter((hundredths) => hundredths > 0 && hundredths <= largest)
    .sort((a, b) => a - b)
  return possible.length === 0 ? [step] : possible
}

/** Paint, dry ice, aerosols and lithium ion batteries: the goods of shippers most often. */
const USUAL_NUMBERS = ['UN1263', 'UN1845', 'UN1950', 'UN3480']
const USUAL_CLASSES = ['CLASS_9', 'CLASS_3'] as const

/**
 * The numbers that the row accepts: those that are named, and a usual one that no row lists; with each class and
 * packing group that is named.
 */
function goodsOf(
  { unNumbers, refusedUnNumbers = [] }: ServiceOffer['row'],
  words: ReadonlySet<string>,
  listed: ReadonlySet<string>,
): readonly DangerousGoods[] {
  const isAccepted = (number: string) =>
    !refusedUnNumbers.includes(number) && (unNumbers?.includes(number) ?? true)
  const named = [...words].filter((word) => isUnNumber(word) && isAccepted(word))
  const usual = USUAL_NUMBERS.find(
    (number) => isAccepted(number) && !words.has(number) && !listed.has(number),
  )
  const numbers = new Set([
    ...(usual === undefined ? [] : [usual]),
    ...named,
    ...(unNumbers ?? []).filter(isAccepted),
  ])
  const classes = words.has('dg_class')
    ? [undefined, ...new Set([...USUAL_CLASSES, ...HAZARD_CLASSES.filter((name) => words.has(name))])]
    : [undefined]
  const groups = words.has('packing_group')
    ? [undefined, ...PACKING_GROUPS.filter((name) => words.has(name))]
    : [undefined]
  const quantities = words.has('limited_quantity') ? [false, true] : [false]
  if (numbers.size === 0) numbers.add(USUAL_NUMBERS.find(isAccepted) ?? USUAL_NUMBERS[0]!)
  return [...numbers].flatMap((unNumber) =>
    classes.flatMap((hazardClass) =>
      groups.flatMap((packingGroup) =>
        quantities.map((limitedQuantity) => ({
          unNumber,
          limitedQuantity,
          ...(hazardClass !== undefined && { hazardClass }),
          ...(packingGroup !== undefined && { packingGroup }),
        })),
      ),
    ),
  )
}
