/** The log and the journal on standard output, as a program reads them from a pipe. */
import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

/** Runs statements in a process of their own, with `log` and `journal`. Returns what it wrote, by line. */
function linesOf(statements: string): unknown[] {
  const module = (file: string): string => JSON.stringify(pathToFileURL(file).href)
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['--import', 'tsx', '--input-type=module', '--eval'],
      `import { openLog } from ${module('src/http/log.ts')}
       import { openJournal } from ${module('src/store/journal-file.ts')}
       const log = openLog({ level: 'info' })
       const journal = openJournal(undefined)
       ${statements}`,
    ],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
}

test('lines of the tick in which the process exits are written', () => {
  expect(linesOf("log.info('first'); log.info('second'); process.exit(3)")).toEqual(['first', 'second'])
})

test('lines are written at the end of their tick', () => {
  const killed = "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 50)"
  expect(linesOf(`log.info('line'); ${killed}`)).toEqual(['line'])
})

test('an entry of the journal is written even if the process is killed at once', () => {
  const killed = "process.kill(process.pid, 'SIGKILL')"
  expect(linesOf(`log.info('before'); journal({ msg: 'entry' }); ${killed}`)).toContain('entry')
})

test('many lines of one tick are not held back until its end', () => {
  const killed = "process.kill(process.pid, 'SIGKILL')"
  expect(linesOf(`for (let n = 0; n < 400; n++) log.info('line'); ${killed}`).length).toBeGreaterThan(200)
})

test('lines of the log stay in order, and lines written to standard output directly stay whole', () => {
  const direct = "process.stdout.write(JSON.stringify({ msg: 'direct' }) + '\\n')"
  const lines = linesOf(
    `log.info('first'); ${direct}; log.info('last'); setTimeout(() => log.info('later'), 1)`,
  )
  expect(lines.filter((line) => line !== 'direct')).toEqual(['first', 'last', 'later'])
  expect(lines).toHaveLength(4)
})
