/** Operation: lists the caller's shipments in pages. See schema/shipments.graphql and docs/graphql.md#pagination. */
import { isAbsent, note, type ProblemList, parseInstant, readOneOf, readText } from '../core/input.ts'
import { type FieldPath, type InputProblem, inputProblem } from '../core/problem.ts'
import { MAX_REFERENCE_LENGTH, type Shipment, type ShownState } from '../core/shipments/shipment.ts'
import type { Caller } from './ports/caller.ts'
import type { Page } from './ports/pages.ts'
import type { Ports } from './ports/ports.ts'
import type { ShipmentFilter, ShipmentPageRequest, ShipmentSort } from './ports/shipments.ts'
import { cursorProblem, type PageInput, readPage } from './read-page.ts'

/** The maximum number of ids in a filter. */
export const IDS_MAX = 100
/** Shipments are counted up to this number (docs/decisions/api.md#d149). */
export const COUNT_MAX = 10_000

const STATES: readonly ShownState[] = ['draft', 'booked', 'in_transit', 'delivered', 'cancelled']
const SORTS: readonly ShipmentSort[] = ['newest', 'oldest']

/** Unvalidated. */
export type ListShipmentsInput = PageInput & {
  readonly filter?: {
    readonly states?: unknown
    readonly ids?: unknown
    readonly reference?: unknown
    readonly createdFrom?: unknown
    readonly createdBefore?: unknown
  }
  /** Default: newest. */
  readonly sort?: unknown
}

export type ShipmentList = {
  readonly kind: 'ShipmentConnection'
  readonly page: Page<Shipment>
  /** The number of shipments on all pages. Undefined if there are more than `COUNT_MAX`. */
  countShipments(): Promise<number | undefined>
}

export async function listShipments(
  { shipments }: Pick<Ports, 'shipments'>,
  { accountId }: Pick<Caller, 'accountId'>,
  input: ListShipmentsInput,
): Promise<ShipmentList | InputProblem> {
  const faults: ProblemList = []
  const request = readRequest(faults, input)
  if (faults.length > 0) return inputProblem(faults)
  const page = await shipments.list(accountId, request)
  if (page.kind === 'InvalidCursor') return cursorProblem(page, request)
  const countShipments = async () => {
    const count = await shipments.count(accountId, request.filter, COUNT_MAX + 1)
    return count > COUNT_MAX ? undefined : count
  }
  return { kind: 'ShipmentConnection', page, countShipments }
}

function readRequest(faults: ProblemList, input: ListShipmentsInput): ShipmentPageRequest {
  const sort = readOneOf(faults, ['sort'], input.sort, SORTS) ?? 'newest'
  return { filter: readFilter(faults, input.filter ?? {}), sort, ...readPage(faults, input) }
}

function readFilter(faults: ProblemList, input: NonNullable<ListShipmentsInput['filter']>): ShipmentFilter {
  const states = readEntries(faults, ['filter', 'states'], input.states, STATES.length)
    ?.map((state, index) => readOneOf(faults, ['filter', 'states', index], state, STATES))
    .filter((state) => state !== undefined)
  const ids = readEntries(faults, ['filter', 'ids'], input.ids, IDS_MAX)?.map(String)
  const reference = readText(faults, ['filter', 'reference'], input.reference, MAX_REFERENCE_LENGTH)
  const createdFrom = readTime(faults, ['filter', 'createdFrom'], input.createdFrom)
  const createdBefore = readTime(faults, ['filter', 'createdBefore'], input.createdBefore)
  if (createdFrom !== undefined && createdBefore !== undefined && createdFrom >= createdBefore)
    note(faults, ['filter', 'createdBefore'], 'CONFLICT', 'must be later than `createdFrom`')
  return {
    ...(states !== undefined && { states }),
    ...(ids !== undefined && { ids }),
    ...(reference !== undefined && { reference }),
    ...(createdFrom !== undefined && { createdFrom }),
    ...(createdBefore !== undefined && { createdBefore }),
  }
}

/** The distinct entries of a list, sorted. Undefined if the list is absent, empty or invalid. */
function readEntries(
  faults: ProblemList,
  path: FieldPath,
  value: unknown,
  max: number,
): readonly unknown[] | undefined {
  if (isAbsent(value)) return undefined
  if (!Array.isArray(value)) return note(faults, path, 'WRONG_TYPE', 'must be a list')
  const entries = [...new Set<unknown>(value)].sort()
  if (entries.length > max) return note(faults, path, 'TOO_MANY', `must have at most ${max} entries`)
  return entries.length === 0 ? undefined : entries
}

/** Digits of a fraction of a second after the milliseconds, if they are not all 0. */
const BELOW_MILLISECONDS = /\.\d{3}\d*[1-9]/

/**
 * ISO 8601 in UTC, rounded up to milliseconds. Times of creation are whole milliseconds, so the result selects the same
 * shipments as the given instant.
 */
function readTime(faults: ProblemList, path: FieldPath, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined
  const milliseconds = parseInstant(value)
  if (milliseconds === undefined)
    return note(
      faults,
      path,
      'MALFORMED',
      'must be a date and time with an offset, such as 2026-11-21T09:30:00Z',
    )
  return new Date(milliseconds + (BELOW_MILLISECONDS.test(String(value)) ? 1 : 0)).toISOString()
}
