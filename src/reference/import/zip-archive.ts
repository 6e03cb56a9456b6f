/**
 * Reads zip archives, including workbooks, in pieces. Declared sizes are not trusted: unpacking stops at the first byte
 * beyond the declared size, so callers can limit the real size by checking the declared one. fflate's `unzipSync` is
 * not used because it unpacks all files into memory at once and keeps decoding past the declared size. Format: PKWARE
 * APPNOTE.TXT, methods 0 and 8, with Zip64.
 */
import { Inflate } from 'fflate'
import { bytesText, figureText, ImportRefusal } from './import-limits.ts'

/** An entry of the archive's directory: a file or a folder. */
export type ZipEntry = {
  readonly name: string
  /** Declared size after unpacking. */
  readonly bytes: number
  readonly packedBytes: number
  readonly method: number
  readonly isEncrypted: boolean
  /** Position of its local header. */
  readonly offset: number
}

const SIGNATURES = {
  endOfDirectory: 0x06054b50,
  zip64Locator: 0x07064b50,
  zip64EndOfDirectory: 0x06064b50,
  directoryEntry: 0x02014b50,
  localHeader: 0x04034b50,
}
/** Sizes of the fixed parts, in bytes. */
const SIZES = { endOfDirectory: 22, zip64Locator: 20, directoryEntry: 46, localHeader: 30 }
const MAX_COMMENT_BYTES = 65_535

/** The id of the extra field with 64-bit values, and the 32-bit value that refers to it. */
const [ZIP64_EXTRA, IN_ZIP64] = [1, 0xffffffff]
const [STORED, DEFLATED] = [0, 8]
/** Bit 0 and bit 11 of the flags. */
const [ENCRYPTED, UTF8_NAME] = [1, 1 << 11]

/** Packed bytes that are unpacked at a time; they unpack to about 16 MiB at most. */
const PACKED_PIECE_BYTES = 16 * 1024

/** True if the bytes begin with the signature of a zip. */
export function isZip(bytes: Uint8Array): boolean {
  return [0x50, 0x4b, 0x03, 0x04].every((byte, index) => bytes[index] === byte)
}

/** Reads the directory without unpacking. Throws ImportRefusal if it is damaged or has too many entries. */
export function readZipDirectory(archive: Uint8Array, maxEntries: number): readonly ZipEntry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  try {
    const { count, offset } = readEndOfDirectory(view)
    if (count > maxEntries)
      throw new ImportRefusal(`at most ${figureText(maxEntries)} entries in the zip`, figureText(count))
    const entries: ZipEntry[] = []
    let at = offset
    for (let index = 0; index < count; index += 1) {
      const { entry, next } = readEntry(archive, view, at)
      entries.push(entry)
      at = next
    }
    return entries
  } catch (error) {
    // A DataView throws a RangeError for a position outside the archive.
    if (error instanceof RangeError) throw damaged('a directory that is cut off')
    throw error
  }
}

/** The sum of the declared sizes. */
export function declaredBytes(entries: readonly ZipEntry[]): number {
  return entries.reduce((sum, { bytes }) => sum + bytes, 0)
}

/**
 * Unpacks an entry and passes its pieces to `onPiece` in order. The callback must not keep a piece. Throws
 * ImportRefusal, possibly after some pieces, if the entry is damaged, encrypted, packed by another method, or not of
 * its declared size.
 */
export function unpackEntry(
  archive: Uint8Array,
  entry: ZipEntry,
  onPiece: (piece: Uint8Array) => void,
): void {
  const packed = packedBytesOf(archive, entry)
  let unpackedBytes = 0
  const passOn = (piece: Uint8Array): void => {
    unpackedBytes += piece.length
    if (unpackedBytes > entry.bytes)
      throw damaged(`${entry.name}, which unpacks to more than the ${bytesText(entry.bytes)} it declares`)
    if (piece.length > 0) onPiece(piece)
  }
  if (entry.method === STORED) passOn(packed)
  else inflate(packed, entry, passOn)
  if (unpackedBytes !== entry.bytes)
    throw damaged(
      `${entry.name}, which unpacks to ${bytesText(unpackedBytes)} instead of the ${bytesText(entry.bytes)} it declares`,
    )
}

/** Unpacks an entry into memory. The caller must check its declared size first. Throws as `unpackEntry` does. */
export function unpackWhole(archive: Uint8Array, entry: ZipEntry): Uint8Array {
  const whole = new Uint8Array(entry.bytes)
  let at = 0
  unpackEntry(archive, entry, (piece) => {
    whole.set(piece, at)
    at += piece.length
  })
  return whole
}

function inflate(packed: Uint8Array, { name }: ZipEntry, onPiece: (piece: Uint8Array) => void): void {
  let piece = new Uint8Array()
  const stream = new Inflate((unpacked) => {
    piece = unpacked
  })
  for (let start = 0; start < packed.length || start === 0; start += PACKED_PIECE_BYTES) {
    const end = Math.min(start + PACKED_PIECE_BYTES, packed.length)
    const isLast = end === packed.length
    try {
      stream.push(packed.subarray(start, end), isLast)
    } catch (error) {
      throw damaged(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
    // The stream has ended. fflate would keep the remaining bytes and copy them on every push.
    if (piece.length === 0 && !isLast) throw damaged(`${name}, which ends before its packed bytes do`)
    onPiece(piece)
  }
}

function packedBytesOf(archive: Uint8Array, entry: ZipEntry): Uint8Array {
  const { name, offset, packedBytes, method, isEncrypted } = entry
  if (isEncrypted) throw new ImportRefusal('a zip without a password', `${name}, which has one`)
  if (method !== STORED && method !== DEFLATED)
    throw new ImportRefusal('files packed by deflate', `${name}, packed by method ${method}`)
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  if (offset + SIZES.localHeader > archive.length || view.getUint32(offset, true) !== SIGNATURES.localHeader)
    throw damaged(`${name}, which is not where the directory says`)
  const start =
    offset + SIZES.localHeader + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true)
  if (start + packedBytes > archive.length) throw damaged(`${name}, which is cut off`)
  return archive.subarray(start, start + packedBytes)
}

function readEndOfDirectory(view: DataView): { readonly count: number; readonly offset: number } {
  const last = view.byteLength - SIZES.endOfDirectory
  let end = last
  while (end >= 0 && view.getUint32(end, true) !== SIGNATURES.endOfDirectory) {
    end -= 1
    if (last - end > MAX_COMMENT_BYTES) end = -1
  }
  if (end < 0) throw damaged('no directory')
  const locator = end - SIZES.zip64Locator
  if (locator >= 0 && view.getUint32(locator, true) === SIGNATURES.zip64Locator) {
    const end64 = bigAt(view, locator + 8)
    if (view.getUint32(end64, true) === SIGNATURES.zip64EndOfDirectory)
      return { count: bigAt(view, end64 + 32), offset: bigAt(view, end64 + 48) }
  }
  return { count: view.getUint16(end + 10, true), offset: view.getUint32(end + 16, true) }
}

function readEntry(
  archive: Uint8Array,
  view: DataView,
  at: number,
): { readonly entry: ZipEntry; readonly next: number } {
  if (view.getUint32(at, true) !== SIGNATURES.directoryEntry) throw damaged('a directory that cannot be read')
  const flags = view.getUint16(at + 8, true)
  const nameBytes = view.getUint16(at + 28, true)
  const extraBytes = view.getUint16(at + 30, true)
  const commentBytes = view.getUint16(at + 32, true)
  const extra = at + SIZES.directoryEntry + nameBytes
  const name = Buffer.from(archive.subarray(at + SIZES.directoryEntry, extra))
  const [bytes, packedBytes, offset] = sizesOf(view, at, extra, extra + extraBytes)
  const entry = {
    name: name.toString((flags & UTF8_NAME) === 0 ? 'latin1' : 'utf8'),
    bytes,
    packedBytes,
    method: view.getUint16(at + 10, true),
    isEncrypted: (flags & ENCRYPTED) !== 0,
    offset,
  }
  return { entry, next: extra + extraBytes + commentBytes }
}

/** Unpacked size, packed size and offset. Values that do not fit into 32 bits are in the extra field, in this order. */
function sizesOf(
  view: DataView,
  at: number,
  extraStart: number,
  extraEnd: number,
): readonly [bytes: number, packedBytes: number, offset: number] {
  const short = [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)]
  let long = short.includes(IN_ZIP64) ? zip64ExtraOf(view, extraStart, extraEnd) : extraEnd
  const [bytes, packedBytes, offset] = short.map((size) => {
    if (size !== IN_ZIP64) return size
    long += 8
    return bigAt(view, long - 8)
  })
  return [bytes!, packedBytes!, offset!]
}

function zip64ExtraOf(view: DataView, start: number, end: number): number {
  for (let at = start; at + 4 <= end; at += 4 + view.getUint16(at + 2, true))
    if (view.getUint16(at, true) === ZIP64_EXTRA) return at + 4
  throw damaged('a directory that cannot be read')
}

/** A 64-bit number. Values beyond the safe integers are outside every archive, so rounding does not matter. */
function bigAt(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true))
}

function damaged(why: string): ImportRefusal {
  return new ImportRefusal('a zip that is not damaged', why)
}
