/**
 * JavaScript for the processes that tests start. The set-up of a test run compiles `src` and the helpers in `test` once
 * into a temporary folder, because a process that starts with tsx needs a second more of CPU time. It also stores the
 * compiled lexicon and customs data, as `npm run build` does; otherwise each of the first processes would compile them.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const repository = path.resolve(import.meta.dirname, '../../..')

/** The environment variable with the folder. Worker processes inherit it. */
export const COMPILED_FOLDER = 'TEST_COMPILED_FOLDER'

/** A relative import of a TypeScript file in compiled code. */
const TYPESCRIPT_IMPORT = /"(\.{1,2}\/[^"\n]+)\.ts"/g

/** Compiles without checking types. The folder has the layout of the repository. */
export async function compilePrograms(folder: string): Promise<void> {
  const entryPoints = ['src', 'test'].flatMap((name) =>
    readdirSync(path.join(repository, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/(^|\/)node_modules\/|\.(d|test)\.ts$/.test(file))
      .map((file) => path.join(repository, name, file)),
  )
  const { outputFiles } = await build({
    ...{ entryPoints, outbase: repository, outdir: folder, write: false },
    ...{ format: 'esm', target: 'node20', tsconfigRaw: {} },
  })
  for (const { path: file, text } of outputFiles) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text.replace(TYPESCRIPT_IMPORT, '"$1.js"'))
  }
  cpSync(path.join(repository, 'src'), path.join(folder, 'src'), {
    recursive: true,
    filter: (file) => !file.endsWith('.ts'),
  })
  for (const name of ['package.json', 'node_modules', 'schema', 'test/fixtures'])
    symlinkSync(path.join(repository, name), path.join(folder, name))
  await storeCompiledData(folder)
}

/** In another process, because the modules of this one were loaded from `src`. */
async function storeCompiledData(folder: string): Promise<void> {
  const importOf = (file: string) =>
    `await import(${JSON.stringify(pathToFileURL(path.join(folder, file)).href)})`
  const program = `(${importOf('src/reference/customs.js')}).shippedCustoms();
    (${importOf('src/reference/lexicon-reader/lexicon.js')}).loadLexicon()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
}

/**
 * Arguments for Node that run a TypeScript file, given by its path in the repository, such as 'src/main.ts'. Outside of
 * a test run they use tsx.
 */
export function programArguments(file: string): readonly string[] {
  const folder = process.env[COMPILED_FOLDER]
  if (folder === undefined) return ['--import', 'tsx', path.join(repository, file)]
  return [path.join(folder, file.replace(/\.ts$/, '.js'))]
}

/** The worker thread that reads customs data, compiled. Undefined outside of a test run. */
export function customsWorker(): URL | undefined {
  const folder = process.env[COMPILED_FOLDER]
  return folder === undefined
    ? undefined
    : pathToFileURL(path.join(folder, 'src/store/customs/customs-worker.js'))
}
