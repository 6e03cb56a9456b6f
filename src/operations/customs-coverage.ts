/** Operation: what the customs data contain for each country today. See docs/customs-coverage.md. */
import { type CountryCoverage, customsCoverage } from '../core/customs/coverage.ts'
import { isAbsent, type ProblemList, readCountry, readList } from '../core/input.ts'
import { COUNTRY_CODES } from '../core/place.ts'
import { type InputProblem, inputProblem } from '../core/problem.ts'
import { type Ports, today } from './ports/ports.ts'

export type CustomsCoverage = {
  readonly kind: 'CustomsCoverage'
  readonly countries: readonly CountryCoverage[]
  /** The day of the rules. */
  readonly date: string
}

/** `countries`: a list of country codes; absent for all. */
export function readCustomsCoverage(
  { reference, clock }: Pick<Ports, 'reference' | 'clock'>,
  countries: unknown,
): CustomsCoverage | InputProblem {
  const problems: ProblemList = []
  const path = ['countries']
  const given = isAbsent(countries)
    ? COUNTRY_CODES
    : (readList(problems, path, countries, COUNTRY_CODES.length) ?? []).flatMap(
        (country, index) => readCountry(problems, [...path, index], country, true) ?? [],
      )
  if (problems.length > 0) return inputProblem(problems)
  const date = today(clock)
  return { kind: 'CustomsCoverage', countries: customsCoverage(reference.customsTables(), date, given), date }
}
