/**
 * Statements that are executed for many requests. Building a statement and compiling it to text takes Kysely longer than
 * sending it, so the text is compiled once, when the statement is first executed. Outside a transaction it is also executed
 * without Kysely, on a connection of the same pool.
 */
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
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
  return (db, values) => {
    statement ??= compile(db)
    const { compiled, order } = statement
    const parameters = order.map((name) => values[name])
    const run = runners.get(db)
    return run === undefined
      ? execute<Row>(db, { ...compiled, parameters })
      : run<Row>(compiled.sql, parameters)
  }
}

async function execute<Row>(db: Kysely<Database>, query: CompiledQuery): Promise<readonly Row[]> {
  const { rows } = await db.executeQuery<Row>(query)
  return rows
}

/** Runs a compiled statement outside a transaction and returns its rows. */
export type RunStatement = <Row>(text: string, parameters: readonly unknown[]) => Promise<readonly Row[]>

const runners = new WeakMap<Kysely<Database>, RunStatement>()

/**
 * Lets compiled statements on `db` run without Kysely. Transactions and other instances that Kysely derives from `db` are
 * not affected: their statements run on their own connection.
 */
export function runWithoutKysely(db: Kysely<Database>, run: RunStatement): void {
  runners.set(db, run)
}
