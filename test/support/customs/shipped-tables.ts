/** The tables of the shipped customs data, compiled from the packed rows like those of a service. */
import { type CompiledCustoms, compilePackedCustoms } from '../../../src/core/customs/compiled-customs.ts'
import { shippedCustoms, shippedHeads } from '../../../src/reference/customs.ts'

export function shippedTables(): CompiledCustoms {
  const { tables, dataSets } = shippedCustoms()
  return compilePackedCustoms({ tables, dataSets: shippedHeads(dataSets) })
}
