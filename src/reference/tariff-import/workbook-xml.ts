/**
 * The parts of an Excel workbook (.xlsx: a zip of XML files), read piece by piece so that a sheet of some hundred
 * thousand rows never stands in memory as text. Decided here: what is no workbook is undefined, never an exception.
 */
import { unzipSync } from 'fflate'
import { SaxesParser } from 'saxes'

/** The files of a workbook by their names within it. */
export type WorkbookFiles = Readonly<Record<string, Uint8Array>>

/** What happens on the way through an XML file; names come without their namespace. */
export type XmlHandlers = {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

/** More than this, unpacked, is no tariff. */
const MAX_UNPACKED_BYTES = 1_500_000_000
const PIECE_BYTES = 1 << 20
const ZIP_MARK = [0x50, 0x4b, 0x03, 0x04]

/** True when the file begins as a zip does. */
export function isZip(bytes: Uint8Array): boolean {
  return ZIP_MARK.every((byte, index) => bytes[index] === byte)
}

/** Unpacks the files that are asked for; undefined when it is no zip, damaged or far too large. */
export function unzipFiles(
  bytes: Uint8Array,
  isWanted: (name: string) => boolean,
): WorkbookFiles | undefined {
  let unpackedBytes = 0
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!isWanted(name)) return false
        unpackedBytes += originalSize
        if (unpackedBytes > MAX_UNPACKED_BYTES) throw new RangeError('too large')
        return true
      },
    })
  } catch {
    return undefined
  }
}

/** Goes through an XML file. False when it is not well-formed; what came before has been handled. */
export function readXml(bytes: Uint8Array, handlers: XmlHandlers): boolean {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let sound = true
  parser.on('error', () => {
    sound = false
  })
  if (handlers.open !== undefined)
    parser.on('opentag', ({ name, attributes }) => handlers.open?.(localName(name), attributes))
  parser.on('closetag', ({ name }) => handlers.close?.(localName(name)))
  parser.on('text', (text) => handlers.text?.(text))
  parser.on('cdata', (text) => handlers.text?.(text))
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    for (let start = 0; sound && start < bytes.length; start += PIECE_BYTES)
      parser.write(decoder.decode(bytes.subarray(start, start + PIECE_BYTES), { stream: true }))
    parser.close()
  } catch {
    return false
  }
  return sound
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
