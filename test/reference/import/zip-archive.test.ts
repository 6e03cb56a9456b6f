/** Zip archives: archives of other programs can be unpacked, and false sizes in headers are refused. */
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { ImportRefusal } from '../../../src/reference/import/import-limits.ts'
import { readZipDirectory, unpackEntry, unpackWhole } from '../../../src/reference/import/zip-archive.ts'

/** The entry of a file in an archive. */
type Part = {
  readonly packed: Uint8Array
  readonly bytes: number
  readonly method?: number
  readonly flags?: number
  readonly isZip64?: boolean
}

/** An archive of one file called "a", written field by field. */
function archiveOf({ packed, bytes, method = 8, flags = 0, isZip64 = false }: Part): Uint8Array {
  const local = Buffer.alloc(31)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(1, 26)
  local.write('a', 30)
  const extra = Buffer.alloc(isZip64 ? 28 : 0)
  const entry = Buffer.alloc(47)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(flags, 8)
  entry.writeUInt16LE(method, 10)
  entry.writeUInt32LE(isZip64 ? 0xffffffff : packed.length, 20)
  entry.writeUInt32LE(isZip64 ? 0xffffffff : bytes, 24)
  entry.writeUInt16LE(1, 28)
  entry.writeUInt16LE(extra.length, 30)
  entry.writeUInt32LE(isZip64 ? 0xffffffff : 0, 42)
  entry.write('a', 46)
  if (isZip64) {
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(24, 2)
    extra.writeBigUInt64LE(BigInt(bytes), 4)
    extra.writeBigUInt64LE(BigInt(packed.length), 12)
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(local.length + packed.length, 16)
  return Buffer.concat([local, packed, entry, extra, end])
}

function unpacked(archive: Uint8Array): string {
  const [entry] = readZipDirectory(archive, 10)
  return Buffer.from(unpackWhole(archive, entry!)).toString()
}

/** The message with which an archive is refused. */
function refusalOf(archive: Uint8Array, maxEntries = 10): string {
  try {
    for (const entry of readZipDirectory(archive, maxEntries)) unpackEntry(archive, entry, () => {})
  } catch (error) {
    expect(error).toBeInstanceOf(ImportRefusal)
    return (error as ImportRefusal).message
  }
  return 'none'
}

describe('an archive', () => {
  const text = fc.string({ maxLength: 200 })

  test('is unpacked, also without compression and with a comment', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), text),
        fc.constantFrom(0, 6, 9),
        (files, level) => {
          const content = Object.fromEntries(
            Object.entries(files).map(([name, body]) => [name, strToU8(body)]),
          )
          const archive = Buffer.concat([
            zipSync(content, { level: level as 0 | 6 | 9 }),
            Buffer.from('comment'),
          ])
          const entries = readZipDirectory(archive, 100)
          expect(entries.map(({ name }) => name).sort()).toEqual(Object.keys(files).sort())
          for (const entry of entries)
            expect(Buffer.from(unpackWhole(archive, entry)).toString()).toBe(files[entry.name])
        },
      ),
      { numRuns: 100 },
    )
  })

  test('may have sizes of 64 bits and an empty file', () => {
    const body = 'x'.repeat(100_000)
    expect(unpacked(archiveOf({ packed: deflateRawSync(body), bytes: body.length, isZip64: true }))).toBe(
      body,
    )
    expect(unpacked(archiveOf({ packed: deflateRawSync(''), bytes: 0 }))).toBe('')
    expect(unpacked(archiveOf({ packed: new Uint8Array(), bytes: 0, method: 0 }))).toBe('')
  })

  test('with arbitrary or damaged bytes is either read or refused', () => {
    const sound = zipSync({ 'rates.csv': strToU8('a,b\n'.repeat(50)), x: [strToU8('stored'), { level: 0 }] })
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(sound.length - 1), fc.nat(255)), { maxLength: 6 }), (changes) => {
        const bytes = sound.slice()
        for (const [at, byte] of changes) bytes[at] = byte
        refusalOf(bytes)
      }),
      { numRuns: 3_000 },
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void refusalOf(bytes)))
  })
})

describe('the reader refuses', () => {
  const packed = deflateRawSync('x'.repeat(5_000_000))

  test('a file that unpacks to more than its declared size, at the first piece beyond it', () => {
    const archive = archiveOf({ packed, bytes: 1_000 })
    let given = 0
    const [entry] = readZipDirectory(archive, 10)
    expect(() =>
      unpackEntry(archive, entry!, (piece) => {
        given += piece.length
      }),
    ).toThrow(
      'expected a zip that is not damaged, found a, which unpacks to more than the 1,000 bytes it declares',
    )
    expect(given).toBe(0)
  })

  test('a file that unpacks to less than its declared size', () => {
    expect(refusalOf(archiveOf({ packed, bytes: 5_000_001 }))).toMatch(
      /unpacks to 5,000,000 bytes instead of/,
    )
  })

  test('a file with bytes after the end of its packed data, without copying them', () => {
    const rest = Buffer.alloc(20_000_000)
    expect(refusalOf(archiveOf({ packed: Buffer.concat([packed, rest]), bytes: 5_000_000 }))).toMatch(
      /which ends before its packed bytes do$/,
    )
  })

  test('a file with a password or another packing method', () => {
    expect(refusalOf(archiveOf({ packed, bytes: 5_000_000, flags: 1 }))).toBe(
      'expected a zip without a password, found a, which has one',
    )
    expect(refusalOf(archiveOf({ packed, bytes: 5_000_000, method: 12 }))).toBe(
      'expected files packed by deflate, found a, packed by method 12',
    )
  })

  test('a directory with too many entries, or fewer than it declares', () => {
    const archive = zipSync({ a: strToU8(''), b: strToU8(''), c: strToU8('') })
    expect(refusalOf(archive, 2)).toBe('expected at most 2 entries in the zip, found 3')
    new DataView(archive.buffer).setUint16(archive.length - 22 + 10, 9, true)
    expect(refusalOf(archive)).toMatch(/^expected a zip that is not damaged, found a directory that/)
  })
})
