/** The built files of the playground. tools/playground/build.mjs puts the hash of the content into their names. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export type Asset = {
  readonly type: string
  readonly etag: string
  readonly body: Buffer
  /** Compresses the body when it is called for the first time. */
  readonly gzipped: () => Promise<Buffer>
}

const FOLDER = new URL('./assets/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ttf': 'font/ttf',
}

/** By file name. Undefined if they are not built. Call only if the playground is enabled: the files are 7 MB. */
export function readAssets(): ReadonlyMap<string, Asset> | undefined {
  if (!existsSync(FOLDER)) return undefined
  return new Map(
    readdirSync(FOLDER).flatMap((name) => {
      const type = TYPES[extname(name)]
      return type === undefined ? [] : [[name, readAsset(name, type)]]
    }),
  )
}

function readAsset(name: string, type: string): Asset {
  const body = readFileSync(new URL(name, FOLDER))
  let compressed: Promise<Buffer> | undefined
  return { type, etag: `"${name}"`, body, gzipped: () => (compressed ??= promisify(gzip)(body)) }
}
