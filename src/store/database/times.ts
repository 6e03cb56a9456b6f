/** Times by the clock of the database, in SQL. */
import { type RawBuilder, sql } from 'kysely'

/** The database's time plus so many milliseconds; null for undefined. */
export function inMs(milliseconds: number | RawBuilder<number> | undefined): RawBuilder<Date> {
  return sql<Date>`clock_timestamp() + ${milliseconds ?? null}::double precision * interval '1 ms'`
}

/** A time in milliseconds since 1970. */
export function epochMs(time: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`(extract(epoch FROM ${time}) * 1000)::double precision`
}

/** Milliseconds since the time in a column. */
export function ageMs(column: string): RawBuilder<number> {
  return sql<number>`(extract(epoch FROM clock_timestamp() - ${sql.ref(column)}) * 1000)::bigint`
}
