/** Reads the lines of a file that `waybill account export` has written, without having all of it in memory. */
import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { Refusal } from './errors.ts'

const CHUNK_BYTES = 1_048_576

/** Throws a Refusal if the file cannot be read or is not compressed with gzip. */
export async function* readAccountLines(file: string): AsyncGenerator<string> {
  const compressed = createReadStream(file)
  const text = createGunzip({ chunkSize: CHUNK_BYTES })
  // `pipe` does not pass errors on.
  compressed.on('error', (error) => text.destroy(error))
  compressed.pipe(text).setEncoding('utf8')
  try {
    let rest = ''
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
    if (rest !== '') yield rest
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === undefined && code?.startsWith('Z_') !== true) throw error
    throw new Refusal(`${file} cannot be read: ${code}`)
  } finally {
    compressed.destroy()
  }
}
