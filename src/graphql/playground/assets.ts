/**
 * The static files of the playground. GraphiQL and React come from their npm packages, so the page works offline and the
 * repository contains no copies.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

export type Asset = {
  readonly type: string
  readonly body: Buffer
  readonly gzipped: Buffer
  /** Of the content. It is part of the URL, so responses can be cached forever. */
  readonly hash: string
}

const require = createRequire(import.meta.url)

/** Packages export few of their files, but all export package.json. */
function inPackage(name: string, file: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), file)
}

function inThisFolder(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

/** By file name. They are 1.5 MB, so read them only if the playground is on. */
export function readAssets(): ReadonlyMap<string, Asset> {
  const files = {
    'react.js': inPackage('react', 'umd/react.production.min.js'),
    'react-dom.js': inPackage('react-dom', 'umd/react-dom.production.min.js'),
    'graphiql.js': inPackage('graphiql', 'graphiql.min.js'),
    'graphiql.css': inPackage('graphiql', 'graphiql.min.css'),
    'playground.js': inThisFolder('./playground.js'),
    'playground.css': inThisFolder('./playground.css'),
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
