/**
 * JavaScript for the processes that tests start. The set-up of a test run bundles the programs once into a temporary
 * folder, because a process that starts with tsx needs a second more of CPU time, and one that loads each module from a
 * file of its own half a second more. It also stores the compiled lexicon and customs data, as `npm run build` does;
 * otherwise each of the first processes would compile them.
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build, type Plugin } from 'esbuild'

const repository = path.resolve(import.meta.dirname, '../../..')

/** The environment variable with the folder. Worker processes inherit it. */
export const COMPILED_FOLDER = 'TEST_COMPILED_FOLDER'

/** Paths without `.ts`. The modules that these import are bundled into files which the programs share. */
const PROGRAMS = [
  'src/main',
  'src/cli/waybill',
  'src/reference/customs',
  'src/reference/lexicon-reader/lexicon',
  'src/store/customs/customs-worker',
  'test/campaigns/abuse/bystander-process',
  'test/campaigns/crash/processes/carrier',
  'test/campaigns/crash/processes/replica',
  'test/support/database/server-owner',
]

/** Packages that are CommonJS call `require` for modules of Node. */
const REQUIRE =
  "import { createRequire as requireIn } from 'node:module'; const require = requireIn(import.meta.url)"

/** Bundles without checking types. The folder has the layout of the repository. */
export async function compilePrograms(folder: string): Promise<void> {
  await build({
    ...{ entryPoints: PROGRAMS.map((name) => `${name}.ts`), outdir: folder, absWorkingDir: repository },
    ...{ bundle: true, splitting: true, plugins: [ownAddresses(folder)], banner: { js: REQUIRE } },
    ...{ format: 'esm', platform: 'node', target: 'node20', tsconfigRaw: {}, logLevel: 'error' },
    external: ['pg-native'],
  })
  cpSync(path.join(repository, 'src'), path.join(folder, 'src'), {
    recursive: true,
    filter: (file) => !file.endsWith('.ts'),
  })
  for (const name of ['package.json', 'node_modules', 'schema', 'test/fixtures']) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    symlinkSync(path.join(repository, name), path.join(folder, name))
  }
  await storeCompiledData(folder)
}

/** Gives each module the address that it would have in the folder, where it finds its files. */
function ownAddresses(folder: string): Plugin {
  return {
    name: 'own-addresses',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\/(src|test)\/[^.]*\.ts$/ }, ({ path: file }) => {
        const own = path.join(folder, path.relative(repository, file).replace(/\.ts$/, '.js'))
        const contents = readFileSync(file, 'utf8')
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(own).href))
          .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(own)))
        return { contents, loader: 'ts' }
      }),
  }
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
