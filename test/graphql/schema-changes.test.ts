/** The tool that compares the schema with the last release, on a small schema in a folder of the test. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TOOL = path.join(ROOT, 'tools/schema-changes.mjs')

type Options = { readonly root: string; readonly today: string; readonly print: (line: string) => void }

// A path that the compiler does not follow: the tool is JavaScript without declarations.
const { runSchemaChanges }: { runSchemaChanges(command: string, options: Options): Promise<number> } =
  await import(pathToFileURL(TOOL).href)

const RELEASED = `
type Query { shipment(id: ID!): Shipment }
type Shipment { id: ID! createdAt: String at: String state: State! }
enum State { DRAFT BOOKED }
`
const CHANGELOG =
  '# Schema changelog\n\n## Unreleased\n\nNo changes.\n\n## 1.0.0 (2026-01-01)\n\nThe first schema.\n'

let root: string
beforeEach(() => {
  root = makeThrowAwayFolder()
  mkdirSync(path.join(root, 'schema'))
  mkdirSync(path.join(root, 'docs'))
  write('package.json', '{"version":"1.1.0"}')
  write('docs/schema-released.graphql', RELEASED)
  write('docs/schema-changelog.md', CHANGELOG)
  write('schema/base.graphql', RELEASED)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (file: string, text: string) => writeFileSync(path.join(root, file), text)
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const change = (from: string, to: string) =>
  write('schema/base.graphql', read('schema/base.graphql').replace(from, to))
const replaceInChangelog = (from: string, to: string) =>
  write('docs/schema-changelog.md', read('docs/schema-changelog.md').replace(from, to))

/** The lines that the tool prints, and its exit code. */
async function run(command: string, today = '2026-11-23') {
  const lines: string[] = []
  const code = await runSchemaChanges(command, { root, today, print: (line) => lines.push(line) })
  return { code, lines }
}

describe('a check', () => {
  test('passes if the schema is the released one', async () => {
    expect(await run('check')).toEqual({ code: 0, lines: [] })
  })

  test('fails for a change that is not declared, and says what to do', async () => {
    change('state: State!', 'state: State! weight: Int')
    const { code, lines } = await run('check')
    expect(code).toBe(1)
    expect(lines).toEqual([
      "not declared (non_breaking): Field 'weight' was added to object type 'Shipment'",
      expect.stringContaining('npm run schema:declare'),
    ])
  })

  test('passes once the change is declared', async () => {
    change('state: State!', 'state: State! weight: Int')
    change('DRAFT BOOKED', 'DRAFT BOOKED LOST')
    await run('declare')
    expect(read('docs/schema-changelog.md')).toContain(
      [
        '## Unreleased\n',
        "- Field 'weight' was added to object type 'Shipment'.",
        "- **Dangerous**: Enum value 'LOST' was added to enum 'State'.\n",
        '## 1.0.0 (2026-01-01)',
      ].join('\n'),
    )
    expect(await run('check')).toEqual({ code: 0, lines: [] })
  })

  test('fails for a breaking change until it has a reason', async () => {
    change(' at: String', '')
    await run('declare')
    expect(await run('check')).toEqual({
      code: 1,
      lines: ["a breaking change needs a reason: Field 'at' was removed from object type 'Shipment'"],
    })
    replaceInChangelog('TODO', 'nobody used it.')
    expect(await run('check')).toEqual({ code: 0, lines: [] })
    replaceInChangelog('**Breaking**: ', '')
    expect((await run('check')).lines).toEqual([
      expect.stringMatching(/^declared without "\*\*Breaking\*\*:"/),
    ])
  })

  test('fails for an entry that is not a change, or cannot be read', async () => {
    replaceInChangelog('No changes.', "- Field 'x' was added to object type 'Y'.\n- something")
    expect(await run('check')).toEqual({
      code: 1,
      lines: [
        'malformed entry of the changelog: - something',
        "declared, but not a change of the schema: Field 'x' was added to object type 'Y'",
      ],
    })
  })

  test('ignores descriptions', async () => {
    change('type Shipment', '"A shipment."\ntype Shipment')
    expect(await run('check')).toEqual({ code: 0, lines: [] })
  })
})

describe('a deprecation', () => {
  const deprecate = async (reason: string) => {
    change(' at: String', ` at: String @deprecated(reason: "${reason}")`)
    await run('declare')
    return run('check')
  }

  test.each([
    'Use `Shipment.createdAt`. Removal: 2027-06-01.',
    'Use `Query.shipment(id:)`, which is faster. Removal: 2027-06-01.',
    'No replacement, because nobody needs it. Removal: 2027-06-01.',
  ])('may have the reason %s', async (reason) => {
    expect(await deprecate(reason)).toEqual({ code: 0, lines: [] })
  })

  test.each([
    ['No longer supported', 'Shipment.at: the reason of @deprecated must be like'],
    ['Use `Shipment.createdAt`.', 'Shipment.at: the reason of @deprecated must be like'],
    ['Use `Shipment.createdAt`. Removal: 2027-13-01.', 'Shipment.at: the reason of @deprecated must be like'],
    ['Removal: 2027-06-01.', 'Shipment.at: the reason of @deprecated must be like'],
    ['Use `Shipment.created`. Removal: 2027-06-01.', 'Shipment.at: the schema has no Shipment.created'],
  ])('may not have the reason %s', async (reason, fault) => {
    expect(await deprecate(reason)).toEqual({ code: 1, lines: [expect.stringContaining(fault)] })
  })

  test('is released with at least six months until the removal', async () => {
    await deprecate('Use `Shipment.createdAt`. Removal: 2027-05-22.')
    expect(await run('release')).toEqual({
      code: 1,
      lines: ['Shipment.at: the date of removal must not be before 2027-05-23'],
    })
    expect((await run('release', '2026-11-22')).code).toBe(0)
    // Later releases keep the date.
    write('package.json', '{"version":"1.2.0"}')
    expect((await run('release', '2027-05-01')).code).toBe(0)
  })

  test('of an argument or an enum value needs a date too', async () => {
    change('DRAFT', 'DRAFT @deprecated')
    change('shipment(id: ID!)', 'shipment(id: ID!, by: ID @deprecated(reason: "Use `Shipment.id`."))')
    await run('declare')
    const { lines } = await run('check')
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['Query.shipment(by:):', 'State.DRAFT:'])
  })
})

describe('a release', () => {
  test('makes the schema the released one and gives the changes a version', async () => {
    change('state: State!', 'state: State! weight: Int')
    expect((await run('release')).code).toBe(1)
    await run('declare')
    expect((await run('release')).code).toBe(0)
    expect(read('docs/schema-released.graphql')).toBe(read('schema/base.graphql'))
    expect(read('docs/schema-changelog.md')).toBe(
      CHANGELOG.replace(
        'No changes.\n',
        "No changes.\n\n## 1.1.0 (2026-11-23)\n\n- Field 'weight' was added to object type 'Shipment'.\n",
      ),
    )
    expect(await run('check')).toEqual({ code: 0, lines: [] })
  })

  test('of a version that has a section is refused', async () => {
    write('package.json', '{"version":"1.0.0"}')
    expect((await run('release')).lines).toEqual([expect.stringContaining('1.0.0 is released already')])
  })
})

describe('an undeclared change of the real schema', () => {
  test('fails in `npm run check`, and thereby in CI', () => {
    for (const name of ['schema', 'docs/schema-released.graphql', 'docs/schema-changelog.md', 'package.json'])
      cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true })
    write('schema/extra.graphql', 'extend type Query { undeclared: Int }')
    const { status, stdout } = spawnSync(process.execPath, [TOOL, 'check', root], { encoding: 'utf8' })
    expect(stdout).toContain(
      "not declared (non_breaking): Field 'undeclared' was added to object type 'Query'",
    )
    expect(status).toBe(1)
    expect(readFileSync(path.join(ROOT, 'tools/check.mjs'), 'utf8')).toContain(
      'tools/schema-changes.mjs check',
    )
    expect(readFileSync(path.join(ROOT, '.ci/run'), 'utf8')).toContain('npm test')
    const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
    expect(scripts).toMatchObject({
      check: expect.stringMatching(/&& node tools\/check\.mjs$/),
      test: expect.stringMatching(/^npm run check && /),
    })
  })
})
