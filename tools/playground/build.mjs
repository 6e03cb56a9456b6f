/** Bundles the scripts and the style sheet of the playground. Called by tools/assets.mjs. */
import { readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const folder = path.resolve(import.meta.dirname, '../../src/graphql/playground')
const packages = path.join(import.meta.dirname, 'node_modules')

/** The scripts that Monaco runs in web workers. */
const WORKERS = {
  'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
  'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
  'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
}

export async function bundlePlayground(output) {
  const common = {
    outdir: output,
    nodePaths: [packages],
    // The service lets browsers cache the files indefinitely, so their names contain hashes.
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  }
  // Files of an earlier build have other names and would stay.
  rmSync(output, { recursive: true, force: true })
  await build({
    ...common,
    entryPoints: [path.join(folder, 'playground.jsx')],
    // Chunks separate what is loaded first from the editor, which is large.
    format: 'esm',
    splitting: true,
    jsx: 'automatic',
    // GraphiQL derives the titles of its icons from the names of functions.
    keepNames: true,
    loader: { '.ttf': 'file' },
  })
  await build({
    ...common,
    entryPoints: Object.fromEntries(
      Object.entries(WORKERS).map(([name, file]) => [name, path.join(packages, file)]),
    ),
    format: 'iife',
  })
  // The style sheet of the page contains those of the chunks.
  for (const name of readdirSync(output))
    if (name.endsWith('.css') && !name.startsWith('playground-')) rmSync(path.join(output, name))
}
