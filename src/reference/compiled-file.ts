/**
 * Stores what is compiled from files of the product, so that a start reads one file instead. `npm run build` stores it
 * in `dist`. A service that runs from `src` stores it in node_modules/.cache at its first start. The name of a stored
 * file is a hash of everything it depends on, so it is never stale.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { endianness } from 'node:os'

/** How to compile and store something. */
export type CompiledFile<Data> = {
  /** The folder of the file. */
  readonly store: URL
  /** Folders with files that the result depends on. Not recursive. */
  readonly inputs: readonly URL[]
  readonly isInput: (fileName: string) => boolean
  compile(): Data
  encode(data: Data): Uint8Array
  /** Throws if the bytes are damaged. */
  decode(bytes: Uint8Array): Data
}

const isCompiledCode = import.meta.url.endsWith('.js')

/** The folder where compiled files of one kind are stored. */
export function compiledFolder(kind: string): URL {
  return new URL(
    isCompiledCode ? `./compiled-${kind}/` : `../../node_modules/.cache/waybill-${kind}/`,
    import.meta.url,
  )
}

/** Reads the stored file, or compiles and stores it. It takes milliseconds, so callers keep the result. */
export function loadCompiled<Data>(file: CompiledFile<Data>): Data {
  const stored = new URL(`${inputHash(file)}.bin`, file.store)
  const data = readStored(file, stored)
  if (data !== undefined) return data
  const compiled = file.compile()
  tryToStore(file, stored, compiled)
  return compiled
}

function inputHash({ inputs, isInput }: CompiledFile<unknown>): string {
  const hash = createHash('sha256').update(`${process.versions.v8} ${endianness()}`)
  for (const folder of inputs)
    for (const name of readdirSync(folder).sort())
      if (isInput(name)) hash.update(`${name}\n`).update(readFileSync(new URL(name, folder)))
  return hash.digest('hex').slice(0, 32)
}

/** Undefined if there is no file, or if it is damaged. */
function readStored<Data>({ decode }: CompiledFile<Data>, stored: URL): Data | undefined {
  try {
    return decode(readFileSync(stored))
  } catch {
    return undefined
  }
}

/** Replaces the files of earlier versions. An installation may be read-only; the next start then compiles again. */
function tryToStore<Data>({ store, encode }: CompiledFile<Data>, stored: URL, data: Data): void {
  try {
    mkdirSync(store, { recursive: true })
    const temporary = new URL(`${randomUUID()}.tmp`, store)
    writeFileSync(temporary, encode(data))
    renameSync(temporary, stored)
    for (const name of readdirSync(store))
      if (name.endsWith('.bin') && !stored.href.endsWith(name)) rmSync(new URL(name, store), { force: true })
  } catch {
    // The result is the same without a stored file.
  }
}
