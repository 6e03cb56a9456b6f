/** How the tests run: one database server per run (test/support/database/global-setup.ts), one database per file. */
import { defineConfig } from 'vitest/config'

export default defineConfig({
  // The build of graphql-js that Node loads for the service and for Apollo; Vite would add a second copy of it.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/database/global-setup.ts'],
    // Two files share the cores, and some tests start whole services.
    testTimeout: 90_000,
    // The first start in a fresh place may copy the server's programs.
    hookTimeout: 90_000,
    teardownTimeout: 30_000,
    // A file cannot leak timers, sockets or environment into another one.
    pool: 'forks',
    // Two files at a time, on two cores as well: half of the time the tests wait for the database.
    maxWorkers: 2,
    restoreMocks: true,
  },
})
