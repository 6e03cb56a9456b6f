/**
 * The stored form of packed customs rows. A JSON header lists tables, columns and distinct values; the arrays follow
 * it, at multiples of eight bytes. Reading creates views of the arrays and copies nothing.
 */
import { createHash } from 'node:crypto'
import {
  type PackedColumn,
  type PackedTable,
  type PackedTables,
  packedTable,
} from '../core/customs/data/packed-rows.ts'
import { CUSTOMS_TABLE_NAMES, type CustomsTableName } from '../core/customs/data/rows.ts'

/** Where the array of a column begins, after the header, and the bytes of one element. */
type ArrayPlace = { readonly start: number; readonly bytes: 1 | 2 | 4 | 8 }

type ColumnHeader = {
  readonly field: string
  readonly values: readonly unknown[]
  readonly array?: ArrayPlace
}

type TableHeader = {
  readonly table: CustomsTableName
  readonly rowCount: number
  readonly columns: readonly ColumnHeader[]
}

/** `head` is any JSON value that is stored with the tables. */
export type StoredCustoms<Head> = { readonly head: Head; readonly tables: PackedTables }

/** SHA-256 of everything after it, then the length of the header in bytes, as 32 bits. */
const HASH_BYTES = 32
const PREFIX_BYTES = HASH_BYTES + 8
const ALIGNMENT = 8

export function encodeCustoms<Head>({ head, tables }: StoredCustoms<Head>): Uint8Array {
  const arrays: Uint8Array[] = []
  let length = 0
  const place = (array: PackedColumn['indexes' | 'codes']): ArrayPlace | undefined => {
    if (array === undefined) return undefined
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    const start = length
    arrays.push(bytes, new Uint8Array(padding(bytes.length)))
    length += bytes.length + padding(bytes.length)
    return { start, bytes: array.BYTES_PER_ELEMENT as ArrayPlace['bytes'] }
  }
  const headers = CUSTOMS_TABLE_NAMES.flatMap((table): TableHeader[] => {
    const packed: PackedTable | undefined = tables[table]
    if (packed === undefined) return []
    const columns = Object.entries<PackedColumn>(packed.columns).map(([field, column]): ColumnHeader => {
      const array = place(column.codes ?? column.indexes)
      return { field, values: column.values, ...(array !== undefined && { array }) }
    })
    return [{ table, rowCount: packed.rowCount, columns }]
  })
  const json = Buffer.from(JSON.stringify({ head, headers }))
  const size = Buffer.alloc(ALIGNMENT)
  size.writeUInt32LE(json.length)
  const content = Buffer.concat([size, json, Buffer.alloc(padding(json.length)), ...arrays])
  return Buffer.concat([sha256(content), content])
}

function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** Throws if the bytes are damaged. The arrays of the result are views of `bytes`. */
export function decodeCustoms<Head>(bytes: Uint8Array): StoredCustoms<Head> {
  const aligned = bytes.byteOffset % ALIGNMENT === 0 ? bytes : bytes.slice()
  const content = aligned.subarray(HASH_BYTES)
  if (!sha256(content).equals(aligned.subarray(0, HASH_BYTES))) throw new Error('the stored file is damaged')
  const size = new DataView(content.buffer, content.byteOffset).getUint32(0, true)
  const json = Buffer.from(aligned.buffer, aligned.byteOffset + PREFIX_BYTES, size).toString('utf8')
  const { head, headers } = JSON.parse(json) as { head: Head; headers: readonly TableHeader[] }
  const base = aligned.byteOffset + PREFIX_BYTES + size + padding(size)
  const tables = headers.map(({ table, rowCount, columns }) => {
    const arrayOf = ({ field, values, array }: ColumnHeader): readonly [string, PackedColumn] => {
      if (array === undefined) return [field, { values, indexes: undefined, codes: undefined }]
      const view = viewOf(aligned.buffer, base + array.start, rowCount, array.bytes)
      return view instanceof Float64Array
        ? [field, { values, indexes: undefined, codes: view }]
        : [field, { values, indexes: view, codes: undefined }]
    }
    return [table, packedTable(table, rowCount, columns.map(arrayOf))] as const
  })
  return { head, tables: Object.fromEntries(tables) }
}

function viewOf(
  buffer: ArrayBufferLike,
  start: number,
  length: number,
  bytes: ArrayPlace['bytes'],
): NonNullable<PackedColumn['indexes' | 'codes']> {
  switch (bytes) {
    case 1:
      return new Uint8Array(buffer, start, length)
    case 2:
      return new Uint16Array(buffer, start, length)
    case 4:
      return new Uint32Array(buffer, start, length)
    case 8:
      return new Float64Array(buffer, start, length)
  }
}
