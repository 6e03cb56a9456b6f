/**
 * Builds what browsers load, and installs the packages for it first: the playground (tools/playground) and the pages of
 * the documentation (tools/docs-site). Run by `npm run build`.
 *
 * `--if-stale`: only what is missing or older than its sources, before `npm test`. `--optional`: a failure is printed
 * and ignored, before `npm start`, so that the service starts without a network, and without these pages.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.resolve(import.meta.dirname, '..')

const ASSETS = {
  playground: {
    packages: 'tools/playground',
    sources: [
      'src/graphql/playground/playground.jsx',
      'src/graphql/playground/playground.css',
      'tools/playground',
    ],
    output: 'src/graphql/playground/assets',
    build: async (output) => (await import('./playground/build.mjs')).bundlePlayground(output),
  },
  docs: {
    packages: 'tools/docs-site',
    sources: ['docs', 'CONTRIBUTING.md', 'client/README.md', 'tools/docs-site'],
    output: 'src/pages/site',
    build: async (output) => (await import('./docs-site/build.mjs')).buildSite(output),
  },
}

/** Builds the named assets. `output` replaces the folder that the service reads. */
export async function buildAssets({ names = Object.keys(ASSETS), ifStale = false, output } = {}) {
  for (const name of names) {
    const asset = ASSETS[name]
    if (ifStale && isCurrent(asset)) continue
    execFileSync(process.execPath, ['tools/install.mjs', asset.packages], { cwd: root, stdio: 'inherit' })
    await asset.build(path.resolve(root, output ?? asset.output))
  }
}

function isCurrent({ sources, output }) {
  const built = path.join(root, output)
  return existsSync(built) && Math.max(...sources.map(lastChange)) <= statSync(built).mtimeMs
}

function lastChange(source) {
  const file = path.join(root, source)
  if (!statSync(file).isDirectory()) return statSync(file).mtimeMs
  const entries = readdirSync(file).filter((name) => name !== 'node_modules')
  return Math.max(0, ...entries.map((name) => lastChange(path.join(source, name))))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [name, folder] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
  const isOptional = process.argv.includes('--optional')
  // Otherwise npm waits for more than a minute before it gives up.
  if (isOptional)
    Object.assign(process.env, { npm_config_fetch_retries: '1', npm_config_fetch_retry_mintimeout: '1000' })
  const options = {
    ...(name !== undefined && { names: [name] }),
    ...(folder !== undefined && { output: path.resolve(folder) }),
    ifStale: process.argv.includes('--if-stale'),
  }
  await buildAssets(options).catch((error) => {
    if (!isOptional) throw error
    console.log(`The playground or the documentation is not built: ${error.message}`)
  })
}
