/** Commands whose output is read late, or not any more, such as in `waybill card import ... | head -1`. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ignoreClosedPipe } from '../../../src/cli/terminal/output.ts'
import { programArguments } from '../../support/app/compiled-programs.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { urlOf } from '../../support/database/test-server.ts'
import { DEMO_FOLDER } from '../card/card-folder.ts'

let clone: ClonedDatabase
beforeAll(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
})
afterAll(() => clone.drop())

test('a command whose output is closed ends its work', async () => {
  const words = ['card', 'import', DEMO_FOLDER, '--code', 'piped', '--name', 'Piped', '--contract-only']
  const child = spawn(
    process.execPath,
    [
      ...programArguments('src/cli/waybill.ts'),
      ...words,
      ...['--valid-from', '2026-01-01', '--publish', '--yes'],
    ],
    {
      env: { ...process.env, DATABASE_URL: urlOf(clone.source), NODE_ENV: '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  child.stdout.destroy()
  child.stderr.destroy()
  expect(await once(child, 'exit')).toEqual([0, null])
  const versions = await clone.db
    .selectFrom('rate_card_version')
    .select('status')
    .where('rate_card_code', '=', 'piped')
    .execute()
  expect(versions).toEqual([{ status: 'published' }])
})

test('a reader that is slower than the command gets the whole output', async () => {
  const command = [
    process.execPath,
    ...programArguments('src/cli/waybill.ts'),
    'customs',
    'coverage',
    '--json',
  ]
  // A pipe contains 64 KiB.
  const child = spawn('sh', ['-c', '"$@" | (sleep 5; cat)', 'sh', ...command], {
    env: { ...process.env, DATABASE_URL: urlOf(clone.source), NODE_ENV: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(JSON.stringify(await json(child.stdout)).length).toBeGreaterThan(100_000)
})

test('other errors of the output are not ignored', () => {
  const stream = new Writable()
  ignoreClosedPipe(stream)
  expect(() => stream.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }))).toThrow('full')
  stream.emit('error', Object.assign(new Error('closed'), { code: 'EPIPE' }))
})
