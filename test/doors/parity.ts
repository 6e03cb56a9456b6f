/** Translates requests and responses of REST to GraphQL and back, with the rows of parity-table.ts. */
import type { AccountSetting, Operation, RequestRow, ResponseRow, Result } from './parity-table.ts'

type Json = Readonly<Record<string, unknown>>

/** The steps of a pattern: `parcels[].weight` is ['parcels', '[]', 'weight']. */
export function stepsOf(pattern: string): readonly string[] {
  return pattern.replaceAll('[]', '.[]').split('.')
}

/** Every value in a JSON object that is neither an object nor a list, with its path. Skips undefined. */
function leaves(
  value: unknown,
  path: readonly string[] = [],
): readonly (readonly [readonly string[], unknown])[] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null) return [[path, value]]
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...path, key]))
}

const isIndex = (step: string): boolean => /^\d+$/.test(step)

/** True if a path such as ['parcels', '0', 'weight'] fits a pattern, or its beginning. */
function fits(path: readonly string[], pattern: readonly string[]): boolean {
  return path.every((step, at) => (pattern[at] === '[]' ? isIndex(step) : pattern[at] === step))
}

/** The path by another pattern, with the same indexes. */
function translate(path: readonly string[], to: readonly string[]): readonly string[] {
  const indexes = path.filter(isIndex)
  return to.map((step) => (step === '[]' ? (indexes.shift() ?? '[]') : step))
}

function setAt(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let place: Record<string, unknown> = target
  path.slice(0, -1).forEach((step, at) => {
    const next = path[at + 1] ?? ''
    place[step] ??= isIndex(next) ? [] : {}
    place = place[step] as Record<string, unknown>
  })
  place[path.at(-1) ?? ''] = value
}

/** The input of GraphQL for a REST request. Throws if a field has no row. */
export function toGraphqlInput(rows: readonly RequestRow[], body: Json): Json {
  const input: Record<string, unknown> = {}
  const list = parcelList(body)
  for (const [path, value] of leaves(body)) {
    const row = rows.find(({ rest }) => stepsOf(rest).length === path.length && fits(path, stepsOf(rest)))
    if (row === undefined) throw new Error(`the parity table has no row for ${path.join('.')}`)
    if (row.form === 'list') continue
    const steps = stepsOf(row.graphql).map((step) => (isParcelList(step) ? list : step))
    setAt(input, translate(path, steps), inputValue(row, value))
  }
  return input
}

const PARCEL_LISTS = { NONDOC: 'boxes', DOC: 'documents', PALLET: 'pallets' } as const

const isParcelList = (step: string): boolean => Object.values<string>(PARCEL_LISTS).includes(step)

/** The list of GraphQL for the type of the first parcel. */
function parcelList({ parcels = [] }: Json): string {
  const [first] = parcels as readonly { readonly type: keyof typeof PARCEL_LISTS }[]
  return PARCEL_LISTS[first?.type ?? 'NONDOC']
}

function inputValue({ form }: RequestRow, value: unknown): unknown {
  if (value === null) return null
  switch (form) {
    case 'list':
    case 'same':
      return value
    case 'decimal':
      return String(value)
    case 'enum':
      return String(value).toUpperCase()
  }
}

/** A path of an `InputProblem` as REST writes it: ["parcels", "boxes", "0", "weightKg"] is parcels[0].weight. */
export function restPath(rows: readonly RequestRow[], given: readonly string[]): string {
  // The table has a row of `boxes` for the fields of all lists.
  const candidates = [given, given.map((step) => (isParcelList(step) ? 'boxes' : step))]
  const path = candidates.find((steps) => rows.some(({ graphql }) => fits(steps, stepsOf(graphql)))) ?? given
  const row = rows.find(({ graphql }) => fits(path, stepsOf(graphql)))
  if (row === undefined) throw new Error(`the parity table has no row for ${path.join('.')}`)
  // A path to an object or list is shorter than the path of its fields.
  const missing = stepsOf(row.graphql).length - path.length
  const steps = translate(path, stepsOf(row.rest).slice(0, Math.max(1, stepsOf(row.rest).length - missing)))
  return steps.map((step, at) => (isIndex(step) ? `[${step}]` : at === 0 ? step : `.${step}`)).join('')
}

/** The selection of all fields of the rows: `{ __typename options { product { id } } }`. */
export function selectionFor(rows: readonly ResponseRow[]): string {
  type Tree = { [field: string]: Tree }
  const tree: Tree = {}
  // The paths of faults are needed to write them as REST does.
  const patterns = rows.flatMap(({ graphql }) =>
    graphql === undefined ? [] : [graphql, graphql.replace(/fields\[\]\.message$/, 'fields[].path')],
  )
  for (const pattern of patterns) {
    let place = tree
    for (const step of stepsOf(pattern).filter((name) => name !== '[]')) {
      place[step] ??= {}
      place = place[step]
    }
  }
  const write = (node: Tree): string => {
    const fields = Object.entries(node).map(([name, inner]) => `${name} ${write(inner)}`)
    return fields.length === 0 ? '' : `{ ${fields.join(' ')} }`
  }
  return write(tree)
}

/** The value at a pattern; lists on the way become lists of values. */
function valueAt(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined || value === null || value === undefined) return value
  if (step === '[]') return (value as readonly unknown[]).map((entry) => valueAt(entry, rest))
  return valueAt((value as Json)[step], rest)
}

export type RestSettings = ReadonlySet<AccountSetting>

/** The default settings of an account. */
export const DEFAULT_SETTINGS: RestSettings = new Set(['single transit time', 'price breakdown'])

/** The REST body for a result of GraphQL. */
export function toRestBody(
  operation: Operation,
  result: Result,
  settings: RestSettings = DEFAULT_SETTINGS,
): Json {
  const rows = result.__typename === 'InputProblem' ? operation.problem : operation.response
  const body: Record<string, unknown> = {}
  for (const row of rows) {
    if (row.setting !== undefined && !settings.has(row.setting)) continue
    if ('derive' in row) {
      const value = row.derive(result, (path) => restPath(operation.request, path))
      if (value !== undefined) setAt(body, stepsOf(row.rest), value)
    } else if (row.graphql !== undefined)
      place(body, stepsOf(row.rest), valueAt(result, stepsOf(row.graphql)), row.form)
  }
  return body
}

/** Sets the values of a pattern. Lists of REST and GraphQL have the same entries. */
function place(
  target: Record<string, unknown>,
  [step = '', next, ...rest]: readonly string[],
  value: unknown,
  form: ResponseRow['form'],
): void {
  if (next === undefined) {
    if (form !== 'optional' || value !== null) target[step] = restValue(form, value)
  } else if (next === '[]') {
    const entries = value as readonly unknown[]
    target[step] ??= entries.map(() => ({}))
    const list = target[step] as Record<string, unknown>[]
    entries.forEach((entry, index) => {
      place(list[index]!, rest, entry, form)
    })
  } else {
    target[step] ??= {}
    place(target[step] as Record<string, unknown>, [next, ...rest], value, form)
  }
}

function restValue(form: ResponseRow['form'], value: unknown): unknown {
  switch (form) {
    case 'same':
    case 'optional':
      return value
    case 'decimal':
    case 'id':
      return Number(value)
  }
}

/** A document with all fields of an operation's rows, in every type of its outcomes. */
export function documentFor(operation: Operation): string {
  const types = [...new Set(operation.outcomes.map(({ type }) => type))]
  const members = types.map((type) =>
    type === 'InputProblem'
      ? `... on InputProblem ${selectionFor(operation.problem)}`
      : `... on ${type} ${selectionFor(operation.response)}`,
  )
  const kind = operation.operation === 'cancelShipment' ? 'mutation' : 'query'
  return `${kind} ($input: ${operation.inputType}!) { ${operation.operation}(input: $input) {
    __typename ... on Problem { code retryable } ${members.join(' ')} } }`
}
