/** Reads the arguments that select a page of a connection. See docs/graphql.md#pagination. */
import { note, type ProblemList } from '../core/input.ts'
import { type InputProblem, inputProblem } from '../core/problem.ts'
import type { InvalidCursor, PageRequest } from './ports/pages.ts'

export const PAGE_MAX = 100
export const PAGE_DEFAULT = 20

/** Unvalidated. Either `first` and `after`, or `last` and `before`. */
export type PageInput = {
  readonly first?: unknown
  readonly after?: unknown
  readonly last?: unknown
  readonly before?: unknown
}

/** The page that an input without other arguments selects. */
export function pageRequest(input: PageInput): PageRequest | InputProblem {
  const faults: ProblemList = []
  const request = readPage(faults, input)
  return faults.length > 0 ? inputProblem(faults) : request
}

export function readPage(faults: ProblemList, { first, after, last, before }: PageInput): PageRequest {
  const isBackward = last != null || (before != null && first == null && after == null)
  const [size, cursor] = isBackward ? [last, before] : [first, after]
  const [sizeName, cursorName] = isBackward ? ['last', 'before'] : ['first', 'after']
  const given = size == null ? cursorName : sizeName
  for (const [name, value] of isBackward ? Object.entries({ first, after }) : Object.entries({ before }))
    if (value != null) note(faults, [name], 'CONFLICT', `cannot be combined with \`${given}\``)
  if (isBackward && size == null) note(faults, ['last'], 'REQUIRED', 'required with `before`')
  const isValidSize = typeof size === 'number' && Number.isInteger(size) && size >= 1 && size <= PAGE_MAX
  if (size != null && !isValidSize) note(faults, [sizeName], 'OUT_OF_RANGE', `must be 1 to ${PAGE_MAX}`)
  if (cursor != null && typeof cursor !== 'string')
    note(faults, [cursorName], 'WRONG_TYPE', 'must be a string')
  return {
    size: isValidSize ? size : PAGE_DEFAULT,
    direction: isBackward ? 'backward' : 'forward',
    ...(typeof cursor === 'string' && { cursor }),
  }
}

const CURSOR_FAULTS = {
  malformed: { code: 'MALFORMED', message: 'must be a cursor that a page has returned' },
  'other-list': { code: 'CONFLICT', message: 'must be a cursor of a page with the same `filter` and `sort`' },
} as const

/** The problem of a cursor that the store refused. */
export function cursorProblem(
  { reason }: InvalidCursor,
  { direction }: Pick<PageRequest, 'direction'>,
): InputProblem {
  const faults: ProblemList = []
  const { code, message } = CURSOR_FAULTS[reason]
  note(faults, [direction === 'forward' ? 'after' : 'before'], code, message)
  return inputProblem(faults)
}
