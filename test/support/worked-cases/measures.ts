/** Converts the duties of a worked case to measures. The first is the base duty; each other one has a measure type. */
import type { MeasureRow, MeasureTypeRow } from '../../../src/core/customs/data/tables/measures.ts'
import { BASE_MEASURE_TYPE } from '../../../src/core/customs/tariff/tariff.ts'
import { measure, measureType } from '../customs/customs-rows.ts'
import { type CaseDraft, type DutyDraft, type GivenRate, openDuty } from './draft.ts'
import type { Charged } from './names.ts'

export type OrderedDuty = {
  readonly duty: DutyDraft
  readonly type: string
  /** The measure types that count towards a cap. */
  readonly against: readonly string[]
  readonly charged: Charged
}

/**
 * The duties in order, including those that a cap counts and the case does not list. A case without a base duty gets one
 * of 0%, so that the engine does not report it as missing.
 */
export function orderedDuties(draft: CaseDraft): readonly OrderedDuty[] {
  const ordered: OrderedDuty[] = []
  const preferences = draft.duties.filter(({ role }) => role === 'preference')
  const others = draft.duties.filter(({ role }) => role !== 'preference')
  const [first] = others
  const hasBase = first !== undefined && first.kind === 'additive' && first.basis === 'value'
  const isBaseGiven = !hasBase && first?.kind === 'cap_total' && (first.given?.length ?? 0) > 0
  if (!hasBase && !isBaseGiven) add(ordered, openDuty(draft, { ppm: 0 }), [])
  for (const duty of others) {
    const counted: string[] = []
    for (const given of duty.given ?? []) counted.push(countedType(draft, ordered, counted, given))
    const against = duty.given === undefined ? undefined : counted
    // An empty list would count the base duty. To count nothing, name a type that does not exist.
    add(ordered, duty, against?.length === 0 ? ['none'] : (against ?? []))
  }
  for (const duty of preferences) add(ordered, duty, [])
  return ordered
}

function add(ordered: OrderedDuty[], duty: DutyDraft, against: readonly string[]): OrderedDuty {
  const added: OrderedDuty = {
    duty,
    type: ordered.length === 0 ? BASE_MEASURE_TYPE : `duty_${ordered.length}`,
    against,
    charged: {
      kind: 'duty',
      hint: duty.hint ?? '',
      isModest: duty.ppm === 0,
      ...(duty.name !== undefined && { name: duty.name }),
    },
  }
  ordered.push(added)
  return added
}

/** The measure type of the duty that `given` refers to. A duty that is not listed is added and not compared. */
function countedType(
  draft: CaseDraft,
  ordered: OrderedDuty[],
  counted: readonly string[],
  given: GivenRate,
): string {
  const known = ordered.find(
    ({ duty, type }) => !counted.includes(type) && duty.kind === 'additive' && isMeant(duty, given),
  )
  if (known !== undefined) return known.type
  if (given.ppm === undefined) draft.ledger.problems.push(`given: no duty of the case is named ${given.name}`)
  const name = given.name ?? `given ${(given.ppm ?? 0) / 10_000}%`
  return add(ordered, openDuty(draft, { name, ppm: given.ppm ?? 0, isHidden: true }), []).type
}

function isMeant(duty: DutyDraft, { name, ppm }: GivenRate): boolean {
  return name === undefined ? duty.ppm === ppm : duty.name?.toLowerCase() === name.toLowerCase()
}

export function measureTypesOf(ordered: readonly OrderedDuty[]): readonly MeasureTypeRow[] {
  return ordered.map(({ type, duty, charged }) =>
    measureType(type, type === BASE_MEASURE_TYPE ? 'base' : (duty.role ?? 'additional'), {
      name: charged.name ?? '',
    }),
  )
}

/** The measure of a duty. An empty `codePrefix` covers all goods. */
export function measureOf(
  { duty, type, against }: OrderedDuty,
  destination: string,
  codePrefix: string,
  rest: Partial<MeasureRow> = {},
): MeasureRow {
  const { specifics, ppm, kind, basis, minimum = '', maximum = '' } = duty
  const specific = specifics.reduce(
    (sum, text) => (text.startsWith('-') ? `${sum} - ${text.slice(1)}` : `${sum} + ${text}`),
    '',
  )
  const hasNoRate = ppm === undefined && specifics.length === 0
  if (hasNoRate) duty.draft.ledger.problems.push(`duties: ${duty.name ?? duty.hint ?? type} has no rate`)
  return measure(codePrefix, 0, {
    jurisdiction: destination,
    measureType: type,
    kind,
    basis,
    against,
    adValoremPpm: ppm ?? null,
    specific: specific.replace(/^ [+] /, '').replace(/^ - /, '-'),
    minimum,
    maximum,
    ...rest,
  })
}
