/**
 * How the tests run: one database server per run (test/support/database/global-setup.ts), one database per file.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The folders and files that take longest, in the order in which they start. */
const LONG = [
  'test/campaigns/crash.test.ts',
  'test/carriers/connector-check/check.test.ts',
  'test/cli/account-move.test.ts',
  'test/examples/checkout.test.ts',
  'test/cli/connector.test.ts',
  'test/app/',
  'test/cli/margin.test.ts',
  'test/campaigns/',
  'test/graphql/cost/cost.test.ts',
  'test/cli/contract/',
  'test/pages/',
  'test/typed-clients/',
  'test/store/rate-cards/versions.test.ts',
  'test/architecture.test.ts',
  'test/regular-expressions/',
  'test/store/embedded-postgres/server.test.ts',
  'test/store/customs/',
  'test/cli/customs/',
  'test/doors/cancellation.test.ts',
  'test/client/package.test.ts',
  'test/release/',
]

const FILES = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
  .map((file) => `test/${file}`)
const filesWith = (text: RegExp) => FILES.filter((file) => text.test(readFileSync(file, 'utf8')))

/**
 * These files need a process each: some count the work of modules that they load, one loads a gateway, and the others
 * replace modules with `vi.mock`, or load them again after `vi.resetModules`. All other files share processes, which
 * saves starting one and loading the modules for each file. A file that shares its process must leave no timers,
 * servers, environment or globals behind.
 */
const SEPARATE = [
  'test/core/classification/worst-case.test.ts',
  // The gateway adds globals and signal handlers.
  'test/gateway/gateway.test.ts',
  ...filesWith(/\bvi\.(mock|resetModules)\(/),
]

/** These share processes in which the functions that they replace are mocks (test/support/replaced-modules.ts). */
const REPLACING = filesWith(/\bvi\.mocked\(/)

/** The files that need the packages of another package.json, by its folder. `npm test` installs the packages. */
const NEEDING: Readonly<Record<string, readonly string[]>> = {
  test: [
    'test/app/api-reference.test.ts',
    'test/app/browser-keys.test.ts',
    'test/app/index-page.test.ts',
    'test/app/playground.test.ts',
    'test/client/package.test.ts',
    'test/docs/graphql-scripts.test.ts',
    'test/examples/checkout.test.ts',
    'test/graphql/client-caches.test.ts',
    'test/graphql/trusted-documents.test.ts',
    'test/pages/docs.test.ts',
  ],
  'examples/checkout': ['test/examples/**'],
  'test/gateway': ['test/gateway/**'],
  'test/containers': ['test/containers/**'],
  'test/regular-expressions': ['test/regular-expressions/**'],
  'test/relay': ['test/relay/**'],
  'test/typed-clients': ['test/typed-clients/**'],
  'tools/sbom': ['test/release/sbom.test.ts'],
  // The packages of the pages are listed too.
  'tools/playground': ['test/release/sbom.test.ts'],
  'tools/api-reference': ['test/release/sbom.test.ts'],
  'tools/docs-site': ['test/release/sbom.test.ts'],
}
const SKIPPED = Object.entries(NEEDING).filter(([folder]) => !existsSync(`${folder}/node_modules`))
for (const [folder, files] of SKIPPED)
  console.log(`${files.join(', ')}: skipped, packages are not installed (node tools/install.mjs ${folder})`)

/** Never run. A project's list replaces Vitest's own, which has the first. */
const EXCLUDED = ['**/node_modules/**', ...SKIPPED.flatMap(([, files]) => files)]

const project = (name: string, files: object) => ({
  // The build of graphql-js that Node loads for the service and for Apollo; Vite would add a second copy of it.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    name,
    // Files share the cores, and some tests start whole services.
    testTimeout: 90_000,
    // The first start in a fresh place may copy the server's programs.
    hookTimeout: 90_000,
    teardownTimeout: 30_000,
    // A state that a test waits for may take long if other programs run.
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks' as const,
    // The workers occupy all cores, so that collecting garbage beside the tests gains nothing; and most of it is young.
    execArgv: ['--single-threaded-gc', '--min-semi-space-size=32', '--max-semi-space-size=64'],
    restoreMocks: true,
    ...files,
  },
})

/** A worker starts a file as soon as it is free, so those that take longest come first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project: { name } }: TestSpecification): number => {
      const index = LONG.findIndex((start) => moduleId.includes(`/${start}`))
      // A process is shared by files that follow each other.
      return ['shared', 'replacing', 'separate'].indexOf(name) * 100 + (index < 0 ? LONG.length : index)
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/database/global-setup.ts'],
    // On two cores as well: many tests wait for the database, for other processes or for time to pass. With six, replicas
    // that tests start wait too long for the processor and answer 503.
    maxWorkers: 4,
    // Vitest has its own for `--sequence.shuffle.files`.
    sequence: process.argv.some((argument) => argument.includes('shuffle'))
      ? {}
      : { sequencer: LongestFirst },
    // The projects share what Vite has compiled, and so do later runs.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest' },
    projects: [
      project('shared', {
        include: ['test/**/*.test.ts'],
        exclude: [...SEPARATE, ...REPLACING, ...EXCLUDED],
        isolate: false,
      }),
      project('replacing', {
        include: REPLACING,
        exclude: [...SEPARATE, ...EXCLUDED],
        setupFiles: ['test/support/replaced-modules.ts'],
        isolate: false,
        mockReset: true,
      }),
      project('separate', { include: SEPARATE, exclude: EXCLUDED }),
    ],
  },
})
