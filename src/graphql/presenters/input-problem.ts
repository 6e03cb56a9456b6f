/** Converts `InputProblem`: paths use the field names of the schema, and the number of faults is limited. */
import type { FieldProblem, InputProblem } from '../../core/problem.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { type Typed, typed } from './typed.ts'

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
}

/** If there are more, the last entry gives the number of omitted faults. */
export const MAX_FAULTS = 100

/** `prefix` is the path, in the GraphQL input, of the object that core validated. */
export function presentInputProblem(problem: InputProblem, prefix: readonly string[] = []): Presented {
  return typed({
    ...problem,
    fields: listFaults(problem.fields).map(({ path, code, message }) => ({
      path: [...prefix, ...path.map(inputName)],
      code,
      message,
    })),
  })
}

/** Omitted faults are summarized in one entry with an empty path and the code of the first omitted fault. */
function listFaults(fields: readonly FieldProblem[]): readonly FieldProblem[] {
  const leftOut = fields.slice(MAX_FAULTS - 1)
  const [first] = leftOut
  if (first === undefined || leftOut.length === 1) return fields
  const note: FieldProblem = { path: [], code: first.code, message: `${leftOut.length} more faults` }
  return [...fields.slice(0, MAX_FAULTS - 1), note]
}

function inputName(segment: string | number): string {
  return typeof segment === 'number' ? String(segment) : (INPUT_NAMES[segment] ?? segment)
}
