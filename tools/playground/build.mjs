/** Bundles the script and the style sheet of the playground with GraphiQL and React. Called by tools/assets.mjs. */
import { utimesSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

const folder = path.resolve(import.meta.dirname, '../../src/graphql/playground')

export async function bundlePlayground(output) {
  await build({
    entryPoints: [path.join(folder, 'playground.js')],
    outdir: output,
    nodePaths: [path.join(import.meta.dirname, 'node_modules')],
    bundle: true,
    minify: true,
    // GraphiQL derives the titles of its icons from the names of functions.
    keepNames: true,
    format: 'iife',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
  // Overwritten files do not change the time of their folder.
  utimesSync(output, new Date(), new Date())
}
