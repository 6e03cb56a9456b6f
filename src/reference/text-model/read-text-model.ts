/** Reads the trained text model that the product ships. See docs/lexicon.md#text-model. */
import { readFileSync } from 'node:fs'

export const SHIPPED_TEXT_MODEL = new URL('text-model.bin', import.meta.url)

export function readTextModel(file: URL = SHIPPED_TEXT_MODEL): Uint8Array {
  return readFileSync(file)
}
