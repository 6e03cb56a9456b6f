/** Checks coding rules: permitted imports, no cycles, sizes of functions, banned names. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { makeThrowAwayFolder } from './support/app/throw-away-folder.ts'

type Rule = { readonly rooms: readonly string[]; readonly packages: readonly string[] }

/** The imports that each folder may have. A folder may always import itself. `node:` means all of Node. */
const MAY_IMPORT: Readonly<Record<string, Rule>> = {
  core: { rooms: [], packages: [] },
  operations: { rooms: ['core'], packages: [] },
  store: {
    rooms: ['core', 'operations/ports', 'reference'],
    packages: ['node:', 'kysely', 'pg', 'lru-cache', '@redis/client'],
  },
  carriers: { rooms: ['core', 'operations/ports'], packages: ['node:', 'undici', 'saxes'] },
  classifiers: { rooms: ['core', 'operations/ports'], packages: ['node:', 'lru-cache'] },
  reference: { rooms: ['core'], packages: ['node:', 'fflate', 'saxes', 'write-excel-file'] },
  graphql: {
    rooms: ['operations', 'core', 'http/json-body', 'http/json-response'],
    packages: ['node:', 'graphql', '@apollo/server', 'fastify', 'dataloader', 'lru-cache'],
  },
  rest: { rooms: ['operations', 'core', 'http/json-body', 'http/json-response'], packages: ['fastify'] },
  'carrier-events': {
    rooms: ['operations', 'core', 'http/json-body', 'http/json-response'],
    packages: ['node:', 'fastify'],
  },
  pages: {
    rooms: ['http/html-page', 'http/json-response', 'http/not-found', 'version'],
    packages: ['node:', 'fastify'],
  },
  events: {
    rooms: ['operations', 'core', 'http/json-response', 'http/when-over'],
    packages: ['node:', 'fastify'],
  },
  webhooks: { rooms: ['operations', 'core'], packages: ['node:', 'standardwebhooks'] },
  http: {
    rooms: ['operations/ports', 'operations/identify-caller', 'core/input', 'version'],
    packages: ['node:', 'fastify', 'lru-cache', 'pino'],
  },
  metrics: {
    rooms: ['core', 'operations/ports', 'store', 'version'],
    packages: ['node:', 'fastify', 'prom-client'],
  },
  tracing: {
    rooms: ['operations/ports', 'store', 'version'],
    packages: [
      'node:',
      'fastify',
      '@opentelemetry/api',
      '@opentelemetry/context-async-hooks',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
    ],
  },
  cli: {
    rooms: [
      'store',
      'operations',
      'core',
      'reference',
      'carriers',
      'classifiers',
      'config',
      'webhooks/target',
      'graphql/trusted-documents',
      'version',
    ],
    packages: ['node:', 'commander', 'kysely'],
  },
  config: { rooms: [], packages: ['node:', 'envalid'] },
  app: { rooms: ['*'], packages: ['node:', 'fastify', 'kysely'] },
}

/** The same for files directly in src. `*` means every folder. */
const BESIDE: Readonly<Record<string, Rule>> = {
  version: { rooms: [], packages: ['node:'] },
  main: { rooms: ['*'], packages: ['node:'] },
  workers: { rooms: ['carriers', 'config', 'http', 'metrics', 'store'], packages: ['node:', 'fastify'] },
}

/** Folders that never import each other. What both need is in a file of its own, such as core/hs-candidate.ts. */
const APART: readonly (readonly [string, string])[] = [['core/classification', 'core/customs']]

const source = path.resolve(import.meta.dirname, '../src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))
  .sort()
/** Files without the generated types, which are in a cycle with the context. */
const written = files.filter((file) => file !== 'graphql/generated.ts')
const texts = new Map(files.map((file) => [file, readFileSync(path.join(source, file), 'utf8')]))
const textOf = (file: string): string => texts.get(file)!
const imports = new Map(
  files.map((file) => [
    file,
    ts.preProcessFile(textOf(file), true, true).importedFiles.map(({ fileName }) => fileName),
  ]),
)
const importsOf = (file: string): readonly string[] => imports.get(file)!

/** The target of a relative import, as a path below src. */
const targetOf = (file: string, imported: string): string =>
  path.posix.join(path.posix.dirname(file), imported)

function violationsOf(file: string): string[] {
  const room = file.includes('/') ? file.slice(0, file.indexOf('/')) : file.replace(/\.ts$/, '')
  const rule = MAY_IMPORT[room] ?? BESIDE[room]
  if (rule === undefined) return [`${file}: there is no room "${room}"`]
  const mayEnter = (target: string): boolean =>
    rule.rooms.some(
      (allowed) => allowed === '*' || target === `${allowed}.ts` || target.startsWith(`${allowed}/`),
    )
  const mayUse = (name: string): boolean =>
    rule.packages.some((allowed) => (allowed === 'node:' ? name.startsWith(allowed) : within(name, allowed)))
  return importsOf(file)
    .filter((imported) => {
      if (!imported.startsWith('.')) return !mayUse(imported)
      const target = targetOf(file, imported)
      return !target.startsWith(`${room}/`) && !mayEnter(target)
    })
    .map((imported) => `${file} imports ${imported}`)
}

/** The imports between two folders, in both directions. */
function importsBetween(pair: readonly [string, string]): string[] {
  return pair.flatMap((from, nth) => {
    const to = pair[1 - nth]!
    return files
      .filter((file) => within(file, from))
      .flatMap((file) => importsOf(file).map((imported) => [file, targetOf(file, imported)] as const))
      .filter(([, target]) => within(target, to))
      .map(([file, target]) => `${file} imports ${target}`)
  })
}

function within(name: string, allowed: string): boolean {
  return name === allowed || name.startsWith(`${allowed}/`)
}

/** The types of the language itself, without those of Node, browsers or packages. */
const LANGUAGE = {
  ...{ target: 'es2024', lib: ['es2024'], types: [], strict: true, noEmit: true },
  ...{ module: 'esnext', moduleResolution: 'bundler', allowImportingTsExtensions: true },
}

/** What the language has itself to read a clock, to get random numbers, or to reach other globals. */
const IMPURE = /\b(globalThis|Date\.now\(|new Date\(\)|Math\.random\()/

/** Names that the language does not have, such as `Buffer`, `process`, `setTimeout` and `console`. */
function foreignGlobals(room: string): string[] {
  const folder = makeThrowAwayFolder()
  const configuration = { compilerOptions: LANGUAGE, include: [path.join(source, room)] }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  const compiler = path.join(source, '../node_modules/typescript/bin/tsc')
  const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, '-p', folder], {
    cwd: source,
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true, force: true })
  return status === 0 ? [] : [...stdout.trim().split('\n'), stderr]
}

function firstCycle(): string[] | undefined {
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file) || !written.includes(file)) return undefined
    for (const imported of importsOf(file).filter((name) => name.startsWith('.'))) {
      const cycle = visit(targetOf(file, imported), [...trail, file])
      if (cycle !== undefined) return cycle
    }
    done.add(file)
    return undefined
  }
  for (const file of written) {
    const cycle = visit(file, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}

function longFunctions(file: string): string[] {
  const parsed = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true)
  const lineOf = (position: number): number => parsed.getLineAndCharacterOfPosition(position).line
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const lines = lineOf(node.getEnd()) - lineOf(node.getStart()) + 1
      if (lines > 70) found.push(`${file}:${lineOf(node.getStart()) + 1} has ${lines} lines`)
    }
    ts.forEachChild(node, visit)
  }
  visit(parsed)
  return found
}

/**
 * The imports between sibling folders, by parent folder. A file in core/rating/price that imports core/rating/book is
 * an edge from `price` to `book`. Files directly in the parent folder are not counted: they are entry points or shared
 * by its folders.
 */
function folderEdges(): Map<string, Map<string, Set<string>>> {
  const edges = new Map<string, Map<string, Set<string>>>()
  for (const file of written)
    for (const imported of importsOf(file).filter((name) => name.startsWith('.'))) {
      const [from, to] = [file.split('/'), targetOf(file, imported).split('/')]
      let depth = 0
      while (depth < from.length - 1 && from[depth] === to[depth]) depth++
      if (depth >= from.length - 1 || depth >= to.length - 1) continue
      const folder = from.slice(0, depth).join('/')
      const known = edges.get(folder) ?? new Map<string, Set<string>>()
      edges.set(folder, known)
      const [start = '', end = ''] = [from[depth], to[depth]]
      known.set(start, (known.get(start) ?? new Set<string>()).add(end))
    }
  return edges
}

/** The folders that import each other, directly or indirectly. */
function folderCycles(): string[] {
  return [...folderEdges()].flatMap(([folder, edges]) => {
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      [...(edges.get(from) ?? [])].some((next) => {
        if (next === to) return true
        if (seen.has(next)) return false
        seen.add(next)
        return reaches(next, to, seen)
      })
    return [...edges.keys()].filter((name) => reaches(name, name)).map((name) => `${folder}/${name}`)
  })
}

/** Whether the text begins with a comment of at least one sentence. */
function describesItself(text: string): boolean {
  const [, comment = ''] = /^(?:#!.*\n)?\/\*\*([\s\S]*?)\*\//.exec(text) ?? []
  const words = comment.replaceAll(/^ *\*/gm, '').trim().split(/\s+/)
  return words.length >= 4 && words.some((word) => word.endsWith('.'))
}

describe('the source code', () => {
  test('imports only what the table in docs/architecture.md allows', () => {
    expect(files.flatMap(violationsOf)).toEqual([])
  })

  test('has no imports between folders that are independent of each other', () => {
    expect(APART.flat().filter((folder) => !existsSync(path.join(source, folder)))).toEqual([])
    expect(APART.flatMap(importsBetween)).toEqual([])
  })

  test('uses in core only what the language has, and neither its clock nor its randomness', () => {
    const core = written.filter((file) => file.startsWith('core/'))
    expect(foreignGlobals('core')).toEqual([])
    expect(core.filter((file) => IMPURE.test(textOf(file)))).toEqual([])
  }, 120_000)

  test('uses in its connectors only what a connector outside the repository gets', () => {
    const folder = 'carriers/connectors'
    // The form itself, and the rules that all connectors share.
    const isShared = (file: string) =>
      within(file, `${folder}/define`) || /\/(?:judgement|parcel-history)\.ts$/.test(file)
    const connectors = written.filter((file) => within(file, folder) && !isShared(file))
    const foreign = connectors.flatMap((file) => {
      const ownFolder = path.posix.dirname(file)
      return importsOf(file)
        .filter((imported) => imported.startsWith('.'))
        .map((imported) => targetOf(file, imported))
        .filter((target) => ownFolder === folder || !within(target, ownFolder))
        .filter((target) => target !== `${folder}/define/api.ts`)
        .map((target) => `${file} imports ${target}`)
    })
    expect(connectors.length).toBeGreaterThan(5)
    expect(foreign).toEqual([])
  })

  test('has no import cycles, neither of files nor of folders', () => {
    expect(firstCycle()).toBeUndefined()
    expect(folderCycles()).toEqual([])
  })

  test('has no function of more than 70 lines', () => {
    expect(written.flatMap(longFunctions)).toEqual([])
  })

  test('describes in the first lines of every file what the file is responsible for', () => {
    expect(written.filter((file) => !describesItself(textOf(file)))).toEqual([])
  })

  test('has no file with a meaningless name', () => {
    expect(
      files.filter((file) =>
        /(^|\/)(utils?|helpers?|common|shared|types|misc|manager|service)(\/|\.ts$)/.test(file),
      ),
    ).toEqual([])
  })

  test('limits the time of requests to carriers with withinLimit only, so that they count for their call', () => {
    const connectors = written.filter((file) => /^carriers\/(connectors|sandbox)\//.test(file))
    const deriving = connectors.filter((file) => /AbortSignal\.(any|timeout)\b/.test(textOf(file)))
    expect(connectors.length).toBeGreaterThan(5)
    expect(deriving).toEqual([])
  })

  test('reads the environment in config/config.ts only', () => {
    const readers = written.filter((file) => /process\.env\b/.test(textOf(file)))
    expect(readers).toEqual(['config/config.ts'])
  })
})

test('comments are at most 120 columns wide', () => {
  const repository = path.resolve(import.meta.dirname, '..')
  const wide = ['src', 'test', 'tools', 'client/src', 'client/tools'].flatMap((folder) =>
    readdirSync(path.join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.m?ts$|\.mjs$/.test(file) && !file.includes('node_modules'))
      .map((file) => path.join(folder, file))
      .filter((file) => !file.endsWith('generated.ts'))
      .flatMap((file) =>
        readFileSync(path.join(repository, file), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            line.length > 120 && /^\s*(\*|\/\/|\/\*)/.test(line) ? [`${file}:${index + 1}`] : [],
          ),
      ),
  )
  expect(wide).toEqual([])
})

test('the service runs with at most 204 packages, without those of the embedded server', () => {
  const lock: { packages: Record<string, { dev?: true; devOptional?: true; optional?: true }> } = JSON.parse(
    readFileSync(path.join(source, '../package-lock.json'), 'utf8'),
  )
  const installed = Object.entries(lock.packages).filter(
    ([name, { dev, devOptional, optional }]) => name !== '' && !dev && !devOptional && !optional,
  )
  expect(installed.length).toBeLessThanOrEqual(204)
})

test('only test files replace modules, so that vitest.config.ts gives them processes of their own', () => {
  const folder = path.join(source, '../test')
  const replacing = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) =>
      file.endsWith('.ts') &&
      !file.includes('node_modules') &&
      /\bvi\.(do)?mock\(/i.test(readFileSync(path.join(folder, file), 'utf8')) &&
      file !== 'architecture.test.ts',
  )
  expect(replacing.length).toBeGreaterThan(5)
  expect(
    replacing.filter((file) => !file.endsWith('.test.ts') && file !== 'support/replaced-modules.ts'),
  ).toEqual([])
})

/** The cells of a table in a section of docs/architecture.md, without the heading of the table. */
function documentedTable(heading: string): readonly (readonly string[])[] {
  const page = readFileSync(path.join(source, '../docs/architecture.md'), 'utf8')
  const section = page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

/** Converts "`pg`, Node" to pg and node:. */
function listOf(cell: string): string[] {
  if (cell === 'none' || cell === 'nothing') return []
  if (cell === 'everything') return ['*']
  return cell.split(', ').map((name) => (name === 'Node' ? 'node:' : name.replaceAll('`', '')))
}

const sorted = (names: readonly string[]): string[] => [...names].sort()

describe('docs/architecture.md', () => {
  test('lists the imports that the rules allow', () => {
    const documented = documentedTable('Who may import whom').flatMap(
      ([rooms = '', imports = '', used = '']) =>
        listOf(rooms).map((room) => [
          room,
          { rooms: sorted(listOf(imports)), packages: sorted(listOf(used)) },
        ]),
    )
    const rules = Object.entries({ ...MAY_IMPORT, ...BESIDE }).map(([room, { rooms, packages }]) => [
      room,
      { rooms: sorted(rooms), packages: sorted(packages) },
    ])
    expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(rules))
  })

  test('describes every folder of src and of src/core, and no other', () => {
    const root = path.join(source, '..')
    const documented = documentedTable('Folders').flatMap(([folders = '']) => listOf(folders))
    expect(documented.filter((name) => !existsSync(path.join(root, name)))).toEqual([])
    const parts = ['src', 'src/core', 'src/core/customs'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() || (folder === 'src' && entry.name.endsWith('.ts')))
        .map((entry) => `${folder}/${entry.name}`),
    )
    // src/core has no row, but each of its folders has one.
    expect(parts.filter((name) => name !== 'src/core' && !documented.includes(name))).toEqual([])
  })
})
