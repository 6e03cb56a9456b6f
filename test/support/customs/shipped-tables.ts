/** The tables of the shipped customs data, compiled from the packed rows like those of a service. */
import { type CustomsTables, compilePackedTables } from '../../../src/core/customs/tables.ts'
import { shippedCustoms, shippedHeads } from '../../../src/reference/customs.ts'

export function shippedTables(): CustomsTables {
  const { tables, dataSets } = shippedCustoms()
  return compilePackedTables({ tables, dataSets: shippedHeads(dataSets) })
}
