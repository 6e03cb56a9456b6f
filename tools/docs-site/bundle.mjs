/** Bundles the script of the pages with MiniSearch. */
import { build } from 'esbuild'

export async function bundleScript(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'warning',
  })
  return outputFiles[0].text
}
