/** Which part of the compilation of customs data can run in another thread. */
import { expect, test } from 'vitest'
import { openCompiledCustoms, sortCustoms } from '../../../src/core/customs/compiled-customs.ts'
import type { PackedColumn, PackedTable } from '../../../src/core/customs/data/packed-rows.ts'
import { shippedCustoms, shippedHeads } from '../../../src/reference/customs.ts'

/** Counts the elements of arrays that are read. A method counts as reading all of them. */
function readCounter() {
  let reads = 0
  return {
    reads: () => reads,
    watched<Values extends NonNullable<PackedColumn['indexes' | 'codes']>>(
      values: Values | undefined,
    ): Values | undefined {
      if (values === undefined) return undefined
      return new Proxy(values, {
        get(target, key) {
          const value: unknown = Reflect.get(target, key, target)
          if (typeof value === 'function') reads += target.length
          else if (/^\d+$/.test(String(key))) reads += 1
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    },
  }
}

test('opening sorted customs data reads few of the cells of the measures, however many there are', () => {
  const { tables, dataSets } = shippedCustoms()
  const sorted = sortCustoms({ tables, dataSets: shippedHeads(dataSets) })
  const counter = readCounter()
  const measures = tables.measures!
  const columns = Object.entries<PackedColumn>(measures.columns).map(
    ([field, { values, indexes, codes }]) => [
      field,
      { values, indexes: counter.watched(indexes), codes: counter.watched(codes) },
    ],
  )
  const watched = { ...measures, columns: Object.fromEntries(columns) } as PackedTable<'measures'>
  const opened = openCompiledCustoms({ ...sorted, tables: { ...tables, measures: watched } })
  expect(opened.measures.packed.rowCount).toBeGreaterThan(100_000)
  expect(counter.reads()).toBeGreaterThan(0)
  expect(counter.reads()).toBeLessThan(500)
})
