/**
 * Compiles src to dist, builds the playground, the reference and the pages of the documentation, copies the data files
 * beside the compiled ones, and stores the compiled lexicon and the packed customs data. Run by `npm run build`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildAssets } from './assets.mjs'

const root = path.resolve(import.meta.dirname, '..')
const from = path.join(root, 'src')
const to = path.join(root, 'dist')

await buildAssets({ names: ['playground', 'reference', 'docs'] })
rmSync(to, { recursive: true, force: true })
// The second one writes the types of the entry waybill/connector.
for (const project of [from, path.join(root, 'tools/connector-types.json')])
  execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', project], {
    cwd: root,
    stdio: 'inherit',
  })
cpSync(from, to, { recursive: true, filter: (file) => !/\.ts$|tsconfig\.json$|pages\/shop$/.test(file) })

const built = (file) => import(pathToFileURL(path.join(to, file)).href)
const { loadLexicon } = await built('reference/lexicon-reader/lexicon.js')
const { shippedCustoms } = await built('reference/customs.js')
loadLexicon()
shippedCustoms()
