/** How faults of the input go out: core names fields in its own words, partners know them from the schema. */
import type { InputProblem } from '../../core/problem.ts'
import type { ResolversParentTypes } from '../generated.ts'
import { type Typed, typed } from '../typed.ts'

type Presented = ResolversParentTypes['InputProblem'] & Pick<Typed<InputProblem>, '__typename'>

/** Core's words for fields that have another name in the schema. Words of core that are the same are left out. */
const INPUT_NAMES: Readonly<Record<string, string>> = {
  weight: 'weightKg',
  length: 'lengthCm',
  width: 'widthCm',
  height: 'heightCm',
}

/** An input problem with its paths in the schema's names; `within` is where the request lies in the input. */
export function presentInputProblem(problem: InputProblem, within: readonly string[] = []): Presented {
  return typed({
    ...problem,
    fields: problem.fields.map(({ path, code, message }) => ({
      path: [...within, ...path.map(inputName)],
      code,
      message,
    })),
  })
}

function inputName(segment: string | number): string {
  return typeof segment === 'number' ? String(segment) : (INPUT_NAMES[segment] ?? segment)
}
