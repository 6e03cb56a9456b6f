/**
 * How the tests run: one database server per run (test/support/database/global-setup.ts), one database per file.
 *
 * Vitest runs the projects in the order of their names, and starts a file as soon as a worker is free. The files that
 * take longest come first, so that no worker waits for one of them at the end.
 */
import { defineConfig } from 'vitest/config'

/** Files that take longer than ten seconds, mostly because they start processes. */
const LONG = [
  'test/campaigns/*.test.ts',
  'test/app/*.test.ts',
  'test/cli/customs/*.test.ts',
  'test/store/embedded-postgres/server.test.ts',
  'test/store/customs/publication.test.ts',
  'test/doors/cancellation.test.ts',
]

/** Counts the work of modules that it loads itself, so they must not be loaded already. */
const COUNTED = 'test/core/customs/classification/worst-case.test.ts'

/** Tests in memory or over loopback. A file here must not replace modules with `vi.mock`, or leave globals changed. */
const FOLDERS = ['core', 'operations', 'reference', 'classifiers', 'carriers']
const RULES = FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`)

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
    // A file cannot leak timers, sockets or environment into another one.
    pool: 'forks' as const,
    restoreMocks: true,
    ...files,
  },
})

export default defineConfig({
  test: {
    globalSetup: ['test/support/database/global-setup.ts'],
    // On two cores as well: many tests wait for the database, for other processes or for time to pass.
    maxWorkers: 3,
    projects: [
      project('long', { include: LONG }),
      project('parts', {
        include: [COUNTED, `test/{*,!(${FOLDERS.join('|')})/**/*}.test.ts`],
        exclude: LONG,
      }),
      // One process runs many files, which saves starting it and loading the modules for each.
      project('rules', { include: RULES, exclude: [COUNTED], isolate: false }),
    ],
  },
})
