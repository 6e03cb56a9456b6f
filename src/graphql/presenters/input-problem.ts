/** How faults of the input go out: core names fields in its own words, partners know them from the schema. */
import type { FieldProblem, InputProblem } from '../../core/problem.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { type Typed, typed } from './typed.ts'

type Presented = ResolversParentTypes['InputProblem'] & Pick<Typed<InputProblem>, '__typename'>

/** Core's words for fields that have another name in the schema. Words of core that are the same are left out. */
const INPUT_NAMES: Readonly<Record<string, string>> = {
  weight: 'weightKg',
  length: 'lengthCm',
  width: 'widthCm',
  height: 'heightCm',
}

/** Faults that are listed at most; where there are more, the last entry says so. */
export const MAX_FAULTS = 100

/** An input problem with its paths in the schema's names; `within` is where the request lies in the input. */
export function presentInputProblem(problem: InputProblem, within: readonly string[] = []): Presented {
  return typed({
    ...problem,
    fields: listed(problem.fields).map(({ path, code, message }) => ({
      path: [...within, ...path.map(inputName)],
      code,
      message,
    })),
  })
}

/** The note has the code of the first fault that it stands for, and lies in the whole request. */
function listed(fields: readonly FieldProblem[]): readonly FieldProblem[] {
  if (fields.length <= MAX_FAULTS) return fields
  const first = fields.slice(0, MAX_FAULTS - 1)
  const next = fields[first.length] as FieldProblem
  return [...first, { path: [], code: next.code, message: `${fields.length - first.length} more faults` }]
}

function inputName(segment: string | number): string {
  return typeof segment === 'number' ? String(segment) : (INPUT_NAMES[segment] ?? segment)
}
