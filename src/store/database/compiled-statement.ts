/**
 * Statements that are executed for many requests. Building a statement and compiling it to text takes Kysely longer
 * than sending it, so each text is compiled only once, when it is first executed. The pool names the text, so that
 * PostgreSQL plans it once per connection (kysely-pool.ts).
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/** A value that is given at each execution. */
export type Parameters<Names extends string> = Readonly<Record<Names, RawBuilder<never>>>

export type CompiledStatement<Values, Row> = (db: Kysely<Database>, values: Values) => Promise<readonly Row[]>

/** Marks the position of a value in the compiled statement. */
class Placeholder<Name> {
  readonly name: Name

  constructor(name: Name) {
    this.name = name
  }
}

/**
 * Returns a function that executes a statement with values. `build` is called once, with a placeholder for each value.
 * Its SQL must therefore be the same for all values.
 *
 * @example
 * const stateOf = compiledStatement<{ shipmentId: string }, { state: string }>(
 *   ['shipmentId'],
 *   ({ shipmentId }) => sql`SELECT state FROM shipment WHERE shipment_id = ${shipmentId}`,
 * )
 * const [row] = await stateOf(db, { shipmentId: 'shp_1' })
 */
export function compiledStatement<Values extends object, Row>(
  names: readonly (keyof Values & string)[],
  build: (parameters: Parameters<keyof Values & string>) => RawBuilder<Row>,
): CompiledStatement<Values, Row> {
  const compile = (db: Kysely<Database>) => {
    const parameters = Object.fromEntries(names.map((name) => [name, sql.val(new Placeholder(name))]))
    const compiled = build(parameters as Parameters<keyof Values & string>).compile(db)
    return { compiled, order: compiled.parameters.map((given) => (given as Placeholder<keyof Values>).name) }
  }
  let statement: ReturnType<typeof compile> | undefined
  return async (db, values) => {
    statement ??= compile(db)
    const parameters = statement.order.map((name) => values[name])
    const { rows } = await db.executeQuery<Row>({ ...statement.compiled, parameters })
    return rows
  }
}
