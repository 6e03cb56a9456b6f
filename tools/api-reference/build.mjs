/** Bundles Swagger UI for the reference of the REST API (src/pages/api-reference.ts). Called by tools/assets.mjs. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

export async function bundleReference(output) {
  // Files of an earlier build have other names and would stay.
  rmSync(output, { recursive: true, force: true })
  await build({
    entryPoints: [path.join(import.meta.dirname, 'reference.js')],
    outdir: output,
    // The service lets browsers cache the files indefinitely, so their names contain hashes.
    entryNames: '[name]-[hash]',
    ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', logLevel: 'warning' },
  })
}
