/**
 * Bundles the script and the style sheet of the playground with GraphiQL and React into src/graphql/playground/assets,
 * and installs the packages of this folder first. Run by `npm run build`.
 *
 * `--if-stale`: only if the bundle is missing or older than its sources, before `npm test`. `--optional`: a failure is
 * printed and ignored, before `npm start`, so that the service starts without a network, and without a playground.
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

const isOptional = process.argv.includes('--optional')
// Otherwise npm waits for more than a minute before it gives up.
if (isOptional)
  Object.assign(process.env, { npm_config_fetch_retries: '1', npm_config_fetch_retry_mintimeout: '1000' })

if (!process.argv.includes('--if-stale') || !isCurrent())
  await bundleAssets().catch((error) => {
    if (!isOptional) throw error
    console.log(`The playground is not built: ${error.message}`)
  })
