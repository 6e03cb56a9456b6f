/**
 * Builds the package in client/dist, or in the folder given: one file of JavaScript per module system, the
 * declarations, and the schema. Prints the size of the JavaScript.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'esbuild'
import { tsImport } from 'tsx/esm/api'

const client = path.resolve(import.meta.dirname, '..')
const dist = path.resolve(process.argv[2] ?? path.join(client, 'dist'))

rmSync(dist, { recursive: true, force: true })
for (const [format, folder] of [
  ['esm', 'esm'],
  ['cjs', 'cjs'],
]) {
  const outfile = path.join(dist, folder, 'index.js')
  await build({
    entryPoints: [path.join(client, 'src/index.ts')],
    ...{ outfile, format, bundle: true, target: 'es2022', platform: 'neutral', logLevel: 'warning' },
  })
  writeDeclarations(path.join(dist, folder))
}
// Without it, Node reads dist/cjs as ES modules, as the package is of type "module".
writeFileSync(path.join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n')
writeFileSync(path.join(dist, 'schema.graphql'), await schemaText())
await printSize()

function writeDeclarations(folder) {
  const options = {
    target: 'es2022',
    module: 'node20',
    types: '',
    declaration: true,
    emitDeclarationOnly: true,
  }
  const flags = Object.entries({
    ...options,
    allowImportingTsExtensions: true,
    stripInternal: true,
    outDir: folder,
  })
  const compiler = path.resolve(client, '../node_modules/typescript/bin/tsc')
  const source = path.join(client, 'src/index.ts')
  const given = flags.flatMap(([name, value]) => [`--${name}`, String(value)])
  execFileSync(process.execPath, [compiler, '--ignoreConfig', '--strict', ...given, source], {
    stdio: 'inherit',
  })
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.d.ts'))) {
    const declarations = readFileSync(path.join(folder, file), 'utf8')
    writeFileSync(path.join(folder, file), declarations.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"))
  }
}

/** The schema that the service sends to clients. */
async function schemaText() {
  const { readSchemaText } = await tsImport('../../src/graphql/schema-files.ts', import.meta.url)
  const { apiSchemaText } = await tsImport('../../src/graphql/api-schema.ts', import.meta.url)
  return apiSchemaText(readSchemaText())
}

/** Of everything, and of a program that uses one operation. */
async function printSize() {
  const one = "export { createWaybillClient, RatesDocument, unwrap } from './index.js'"
  for (const [what, contents] of [
    ['everything', "export * from './index.js'"],
    ['one operation', one],
  ]) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: path.join(dist, 'esm') },
      ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2022' },
    })
    const { contents: bytes } = outputFiles[0]
    console.log(`${what}: ${bytes.length} bytes minified, ${brotliCompressSync(bytes).length} with brotli`)
  }
}
