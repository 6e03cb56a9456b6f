/**
 * Runs a benchmark of this folder with the compiled product, as `npm run build` makes it: `run-compiled.mjs customs`.
 * tsx would add a call to every inner function. Only the benchmark itself is bundled; its imports from src are those
 * of dist.
 *
 * Options: `--folder` (another checkout whose build is measured, for paired runs), `--no-build`.
 */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string' }, 'no-build': { type: 'boolean', default: false } },
})
const [name] = positionals
const source = path.resolve(import.meta.dirname, '../../src')
const folder = path.resolve(values.folder ?? path.join(source, '..'))
// Within the checkout, so that packages are found.
const outfile = path.join(folder, `node_modules/.cache/bench/${name}.mjs`)

if (!values['no-build']) execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: 'ignore' })
const fromDist = {
  name: 'from-dist',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.ts$/ }, ({ path: imported, resolveDir }) => {
      const file = path.relative(source, path.resolve(resolveDir, imported))
      if (file.startsWith('..')) return undefined
      return { path: path.join(folder, 'dist', file.replace(/\.ts$/, '.js')), external: true }
    }),
}
await build({
  entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  packages: 'external',
  plugins: [fromDist],
})
execFileSync(process.execPath, [outfile], { cwd: folder, stdio: 'inherit' })
