/**
 * Builds the example shop as a team would, with the built client package and Vite, and bundles its server half, which
 * the service mounts in development. Called by tools/assets.mjs.
 */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { build } from 'esbuild'

const root = path.resolve(import.meta.dirname, '..')
const shop = path.join(root, 'examples/checkout')

export async function buildShop(output) {
  const run = (...program) => execFileSync(process.execPath, program, { cwd: shop, stdio: 'inherit' })
  run(path.join(root, 'client/tools/build.mjs'))
  run('node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', '--outDir', output, '--emptyOutDir')
  await build({
    entryPoints: [path.join(shop, 'server.ts')],
    outfile: path.join(output, 'server.js'),
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'warning' },
  })
}
