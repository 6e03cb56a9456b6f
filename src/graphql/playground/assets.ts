/**
 * The static files of the playground. GraphiQL and React are served from their npm packages, so the page works offline
 * and the repository contains no copies.
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
  /** Hash of the content. It is part of the URL, so browsers can cache the file indefinitely. */
  readonly hash: string
}

const require = createRequire(import.meta.url)

/** Finds a file that its package does not export. Every package exports package.json, so that is resolved first. */
function inPackage(name: string, file: string): string {
  return join(dirname(require.resolve(`${name}/package.json`)), file)
}

function inThisFolder(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}

/** By file name. Call only if the playground is enabled, because the files are 1.5 MB. */
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
