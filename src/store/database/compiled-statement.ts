/**
 * Statements that are executed for many requests. Building a statement and compiling it to text takes Kysely longer than
 * sending it, so the text is compiled once, when the statement is first executed. Outside a transaction it is also executed
 * without Kysely, on a connection of the same pool. Also how the pool sends statements with plain parameters.
 */
import { type CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { Connection, Submittable, TypeOverrides } from 'pg'
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

export type PlainValue = string | number | boolean | null | undefined

/** Other values, such as dates and arrays, need the conversions of pg. */
export function isPlain(values: readonly unknown[]): values is readonly PlainValue[] {
  return values.every((value) => value == null || PLAIN_TYPES.has(typeof value))
}

const PLAIN_TYPES = new Set(['string', 'number', 'boolean'])

export type PlainResult = {
  /** The first word of the command tag, such as UPDATE. */
  readonly command: string
  readonly rowCount: number | null
  readonly rows: unknown[]
}

type Statement = {
  readonly text: string
  /** Empty: prepared for this execution only. */
  readonly name: string
  readonly values: readonly PlainValue[]
  /** Converts column values. */
  readonly types: TypeOverrides
}

/** Describe (the unnamed portal), Execute (all rows) and Sync. */
const DESCRIBE_EXECUTE_SYNC = Buffer.from('44000000065000450000000900000000005300000004', 'hex')

type Column = { readonly name: string; readonly parse: (text: string) => unknown }

/**
 * Sends a statement with plain parameters, and reads its rows. Does what `Query` of pg does, in about three quarters of the
 * CPU time: it copies no settings, emits no events, and sends the end of the request as one constant. pg accepts it like a
 * cursor of pg-cursor. `callback` is called once. The other fields and methods are those that `Client` of pg uses. Sources:
 * "Message Flow" in the PostgreSQL manual, and pg/lib/query.js 8.23.
 */
export class PlainQuery implements Submittable {
  readonly text: string
  readonly name: string
  /** Replaced by pg for its time limit. */
  callback: (error: unknown, result?: PlainResult) => void
  readonly #statement: Statement
  #columns: readonly Column[] = []
  readonly #rows: unknown[] = []
  #tag = ''
  #fault: unknown

  constructor(statement: Statement, callback: (error: unknown, result?: PlainResult) => void) {
    this.text = statement.text
    this.name = statement.name
    this.callback = callback
    this.#statement = statement
  }

  submit(connection: Connection): void {
    const { stream } = connection
    // The types of pg lack this field: the texts of the statements that are prepared on this connection, by name.
    const { parsedStatements } = connection as Connection & { parsedStatements: Record<string, string> }
    const { text, name } = this
    const values = this.#statement.values.map((value) => (value == null ? null : String(value)))
    stream.cork()
    try {
      if (name === '' || parsedStatements[name] === undefined)
        connection.parse({ text, name, types: [] }, true)
      connection.bind({ statement: name, values }, true)
      if (stream.writable) stream.write(DESCRIBE_EXECUTE_SYNC)
    } catch (error) {
      // The values are too large for a message. The server answers Sync, so the connection stays usable.
      connection.sync()
      this.handleError(error)
    } finally {
      stream.uncork()
    }
  }

  handleRowDescription({
    fields,
  }: {
    readonly fields: readonly { name: string; dataTypeID: number }[]
  }): void {
    const { types } = this.#statement
    this.#columns = fields.map(({ name, dataTypeID }) => {
      // The types of pg say that a parser takes a number, but it takes the text of a value.
      const parse = types.getTypeParser(dataTypeID, 'text') as unknown as Column['parse']
      return { name, parse }
    })
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#fault !== undefined) return
    try {
      const row: Record<string, unknown> = {}
      let index = 0
      for (const { name, parse } of this.#columns) {
        const text = fields[index++] ?? null
        row[name] = text === null ? null : parse(text)
      }
      this.#rows.push(row)
    } catch (error) {
      this.#fault = error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text
  }

  handleReadyForQuery(): void {
    if (this.#fault !== undefined) this.callback(this.#fault)
    else this.callback(null, { ...countOf(this.#tag), rows: this.#rows })
  }

  /** Also called by pg for lost connections and its time limit. */
  handleError(error: unknown): void {
    this.callback(this.#fault ?? error)
  }
}

/** Of a command tag such as "INSERT 0 3". */
function countOf(tag: string): Pick<PlainResult, 'command' | 'rowCount'> {
  const [command = '', ...counts] = tag.split(' ')
  const count = counts.at(-1)
  return { command, rowCount: count === undefined ? null : Number(count) }
}
