/**
 * The playground's files. GraphiQL and React come from their npm packages, so that the page works offline and
 * no copy of them lies in this repository; the rest lies beside this file.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** A file as it is served. */
export type Asset = {
  readonly type: string
  readonly body: Buffer
  readonly gzipped: Buffer
  /** Of the content, so that an address with it never changes its meaning. */
  readonly hash: string
}

const require = createRequire(import.meta.url)

/** Packages name few of their files for import, but all of them name their package.json. */
function inPackage(name: string, file: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), file)
}

function beside(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

/** Reads all of them; 1.5 MB, so only when a playground is asked for. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const files = {
    'react.js': inPackage('react', 'umd/react.production.min.js'),
    'react-dom.js': inPackage('react-dom', 'umd/react-dom.production.min.js'),
    'graphiql.js': inPackage('graphiql', 'graphiql.min.js'),
    'graphiql.css': inPackage('graphiql', 'graphiql.min.css'),
    'playground.js': beside('./playground.js'),
    'playground.css': beside('./playground.css'),
  }
  return new Map(Object.entries(files).map(([name, path]) => [name, readAsset(name, path)]))
}

function readAsset(name: string, path: string): Asset {
  const body = readFileSync(path)
  return {
    type: name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8',
    body,
    gzipped: gzipSync(body),
    hash: createHash('sha256').update(body).digest('base64url').slice(0, 16),
  }
}
