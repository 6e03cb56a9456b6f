/** Compares the table of events in docs/operations.md with the lines that the code logs. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ROOT, readPage } from './pages.ts'

/** Folders whose `log` is not the log of the service: it collects the faults of imported files. */
const OTHER_LOGS = /^(?:reference|cli|core)\//

const source = path.join(ROOT, 'src')
const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !OTHER_LOGS.test(file))
  .map((file) => [file, readFileSync(path.join(source, file), 'utf8')] as const)

/** A call of a method of the log, up to its first argument. */
const CALL = /\blog(?:\.(?:fatal|error|warn|info|debug)|\[[^\]]+\])\(\s*([^\s,)]+(?: event: '[a-z_.]+')?)/g

test('every line that Waybill logs has an event', () => {
  const calls = texts.flatMap(([file, text]) =>
    [...text.matchAll(CALL)].map(([, first]) => [file, first] as const),
  )
  const without = calls.filter(([, first = '']) => !first.startsWith("{ event: '"))
  // Its fields come from a function.
  expect(without.filter(([, first]) => first !== 'describeResponse(request')).toEqual([])
  expect(calls.length).toBeGreaterThan(30)
})

test('docs/operations.md lists every event, in the order of the codes', () => {
  const logged = texts.flatMap(([, text]) =>
    [...text.matchAll(/\bevent: '([a-z_.]+)'/g)].map(([, event]) => event),
  )
  const listed = readPage('docs/operations.md').prose.flatMap(
    ({ text }) => /^\| `([a-z_.]+)` \| (?:error|warn|info|debug)/.exec(text)?.[1] ?? [],
  )
  expect(listed).toEqual([...new Set(logged)].sort())
})
