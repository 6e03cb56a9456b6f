/**
 * Bundles the script and the style sheet of the playground with GraphiQL and React into src/graphql/playground/assets.
 * Run by `npm run build` and, if the bundle is missing or older than its sources, before `npm start` and `npm test`
 * (`--if-stale`). The packages of this folder are installed first. Without a network `npm start` goes on: the service
 * then has no playground.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const folder = path.join(root, 'src/graphql/playground')
const sources = ['playground.js', 'playground.css'].map((name) => path.join(folder, name))
const bundle = path.join(folder, 'assets/playground.js')

const isCurrent = () =>
  existsSync(bundle) &&
  [...sources, path.join(import.meta.dirname, 'package-lock.json')].every(
    (source) => statSync(source).mtimeMs <= statSync(bundle).mtimeMs,
  )

async function bundleAssets() {
  execFileSync(process.execPath, ['tools/install.mjs', 'tools/playground'], { cwd: root, stdio: 'inherit' })
  const { build } = await import('esbuild')
  await build({
    entryPoints: [path.join(folder, 'playground.js')],
    outdir: path.join(folder, 'assets'),
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
}

if (!process.argv.includes('--if-stale')) await bundleAssets()
else if (!isCurrent())
  await bundleAssets().catch((error) => console.log(`The playground is not built. ${error.message}`))
