/**
 * Builds what browsers load, and installs the packages for it first: the playground (tools/playground), the reference
 * of the REST API (tools/api-reference), the pages of the documentation (tools/docs-site) and the example shop
 * (examples/checkout). `npm run build` leaves out the shop, which is never served in production.
 *
 * `--if-stale`: only what is missing or older than its sources, before `npm test`. `--optional`: a failure is printed
 * and ignored, before `npm start`, so that the service starts without a network, and without these pages.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

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
  reference: {
    packages: 'tools/api-reference',
    sources: ['tools/api-reference'],
    output: 'src/pages/reference',
    build: async (output) => (await import('./api-reference/build.mjs')).bundleReference(output),
  },
  docs: {
    packages: 'tools/docs-site',
    sources: ['docs', 'CONTRIBUTING.md', 'client/README.md', 'tools/docs-site'],
    output: 'src/pages/site',
    build: async (output) => (await import('./docs-site/build.mjs')).buildSite(output),
  },
  shop: {
    packages: 'examples/checkout',
    sources: ['examples/checkout', 'client/src'],
    output: 'src/pages/shop',
    build: async (output) => (await import('./shop.mjs')).buildShop(output),
  },
}

/**
 * Builds the named assets side by side: downloads take longest. `output` replaces the folder that the service reads.
 */
export async function buildAssets({ names = Object.keys(ASSETS), ifStale = false, output } = {}) {
  const builds = names.map(async (name) => {
    const asset = ASSETS[name]
    if (ifStale && isCurrent(asset)) return
    await run(process.execPath, ['tools/install.mjs', asset.packages])
    await asset.build(path.resolve(root, output ?? asset.output))
  })
  const failed = (await Promise.allSettled(builds)).find(({ status }) => status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Runs a program in the main folder. */
async function run(program, programArguments) {
  const child = spawn(program, programArguments, { cwd: root, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${programArguments.join(' ')} failed`)
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
  const { values, positionals } = parseArgs({
    options: { 'if-stale': { type: 'boolean' }, optional: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [name, folder] = positionals
  // Otherwise npm waits for more than a minute before it gives up.
  if (values.optional)
    Object.assign(process.env, { npm_config_fetch_retries: '1', npm_config_fetch_retry_mintimeout: '1000' })
  const options = {
    ...(name !== undefined && { names: [name] }),
    ...(folder !== undefined && { output: path.resolve(folder) }),
    ifStale: values['if-stale'],
  }
  await buildAssets(options).catch((error) => {
    if (!values.optional) throw error
    console.log(`The playground, the documentation or the example shop is not built: ${error.message}`)
  })
}
