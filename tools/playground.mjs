/**
 * Bundles the script and the style sheet of the playground with GraphiQL and React, which are development dependencies,
 * into src/graphql/playground/assets. Run by `npm ci` (the script `prepare`) and by `npm run build`.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const folder = path.join(root, 'src/graphql/playground')

// `npm ci --omit=dev` also runs `prepare`. What is installed then runs a build made elsewhere.
if (existsSync(path.join(root, 'node_modules/graphiql'))) {
  const { build } = await import('esbuild')
  await build({
    entryPoints: [path.join(folder, 'playground.js')],
    outdir: path.join(folder, 'assets'),
    bundle: true,
    minify: true,
    // GraphiQL derives the titles of its icons from the names of functions.
    keepNames: true,
    format: 'iife',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
} else {
  console.log('The playground is not bundled, because development packages are not installed.')
}
