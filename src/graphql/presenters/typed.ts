/** What all presenters use: typed outcomes, invalid input, money and weights. */
import { formatCents } from '../../core/money.ts'
import type { FieldPath, FieldProblem, InputProblem } from '../../core/problem.ts'
import { formatKilograms } from '../../core/quantity.ts'
import type { Money, ResolversParentTypes, Weight } from '../generated.ts'
import type { ParcelList } from '../parcels.ts'

/** An outcome with `__typename` instead of `kind`. Distributes over unions. */
export type Typed<Outcome> = Outcome extends { readonly kind: infer Kind }
  ? Omit<Outcome, 'kind'> & { readonly __typename: Kind }
  : never

/**
 * Converts an outcome of core to its GraphQL type, which has the same name (docs/architecture.md#principles). The
 * compiler then checks its fields against the schema.
 */
export function typed<Outcome extends { readonly kind: string }>(outcome: Outcome): Typed<Outcome>
// A second signature, because the compiler does not resolve the conditional type `Typed` inside the function.
export function typed({ kind, ...rest }: { readonly kind: string }): object {
  return { __typename: kind, ...rest }
}

/** 1250 becomes EUR "12.50". */
export function presentMoney(cents: number): Money {
  return { amount: formatCents(cents), currency: 'EUR' }
}

/** 12400 becomes "12.4". */
export function presentWeight(grams: number): Weight {
  return { kilograms: formatKilograms(grams) }
}

type Presented = ResolversParentTypes['InputProblem'] & Pick<Typed<InputProblem>, '__typename'>

/** Fields whose name in the schema differs from that in core. */
const INPUT_NAMES: Readonly<Record<string, string>> = {
  weight: 'weightKg',
  length: 'lengthCm',
  width: 'widthCm',
  height: 'heightCm',
  numberOfItems: 'count',
  cost: 'value',
  tariff: 'hsCode',
  insurance: 'insuranceCost',
  carriers: 'carrierIds',
  products: 'productIds',
  maxTransitDays: 'maxWorkingDays',
  limit: 'first',
  zipcode: 'postalCode',
}

/** Fields of core whose input is a `MoneyInput`. */
const MONEY: ReadonlySet<string | number | undefined> = new Set([
  'totalValue',
  'maxPrice',
  'shippingCost',
  'insurance',
  'cost',
])

/** If there are more, the last entry gives the number of omitted faults. */
export const MAX_FAULTS = 100

/**
 * Paths get the field names of the schema, and the number of faults is limited. `parcels` is the list that the input
 * gives; required if the input has parcels.
 */
export function presentInputProblem(problem: InputProblem, parcels?: ParcelList): Presented {
  return typed({
    ...problem,
    fields: listFaults(problem.fields).map((fault) => ({
      path: inputPath(fault, parcels),
      code: fault.code,
      message: fault.advice ?? fault.message,
    })),
  })
}

function inputPath({ path, code }: FieldProblem, parcels: ParcelList | undefined): string[] {
  const names = path.flatMap((segment) =>
    segment === 'parcels' && parcels !== undefined ? [segment, parcels] : [inputName(segment)],
  )
  const last = path.at(-1)
  // `value` is never missing, so its amount is. Other amounts are missing together with their field.
  const isAmount = MONEY.has(last) && (code !== 'REQUIRED' || last === 'cost')
  return isAmount ? [...names, 'amount'] : names
}

/** Omitted faults are summarized in one entry with an empty path and the code of the first omitted fault. */
function listFaults(fields: readonly FieldProblem[]): readonly FieldProblem[] {
  const leftOut = fields.slice(MAX_FAULTS - 1)
  const [first] = leftOut
  if (first === undefined || leftOut.length === 1) return fields
  const note: FieldProblem = { path: [], code: first.code, message: `${leftOut.length} more faults` }
  return [...fields.slice(0, MAX_FAULTS - 1), note]
}

/** The path of a field of core with the names of the schema. */
export function inputNames(path: FieldPath): string[] {
  return path.map(inputName)
}

function inputName(segment: string | number): string {
  return typeof segment === 'number' ? String(segment) : (INPUT_NAMES[segment] ?? segment)
}
