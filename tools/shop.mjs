/**
 * Builds the example shop as a team would, with the built client package and Vite, and bundles its server half, which
 * the service mounts in development. Called by tools/assets.mjs.
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '..')
const shop = path.join(root, 'examples/checkout')

export async function buildShop(output) {
  const run = (...program) => promisify(execFile)(process.execPath, program, { cwd: shop })
  await run(path.join(root, 'client/tools/build.mjs'))
  await run('node_modules/vite/bin/vite.js', 'build', '--outDir', output, '--emptyOutDir')
  await build({
    entryPoints: [path.join(shop, 'server.ts')],
    outfile: path.join(output, 'server.js'),
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'warning' },
  })
}
