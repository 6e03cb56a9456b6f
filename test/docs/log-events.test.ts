/** Compares the table of events in docs/operations.md with the lines that the code logs: codes, levels and fields. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { ROOT, readPage } from './pages.ts'

/** Folders whose `log` is not the log of the service: it collects the faults of imported files. */
const OTHER_LOGS = /^(?:reference|cli|core|pages)\//

const source = path.join(ROOT, 'src')
const texts = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !OTHER_LOGS.test(file))
  .map((file) => [file, readFileSync(path.join(source, file), 'utf8')] as const)

/** A call of a method of the log, up to its first argument. */
const CALL = /\blog(?:\.(?:fatal|error|warn|info|debug)|\[[^\]]+\])\(\s*([^\s,)]+(?: event: '[a-z_.]+')?)/g
const EVENT = /\bevent: '([a-z_.]+)'/g

type Line = { readonly event: string; readonly levels: readonly string[]; readonly fields: readonly string[] }

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug']
/** Of every line. See docs/operations.md#logs. */
const COMMON = ['event', 'level', 'time', 'msg']

/** The rows of the table, with the levels and fields in the order of the code below. */
function listedLines(): Line[] {
  return readPage('docs/operations.md').prose.flatMap(({ text }) => {
    const [, event, levels = '', fields = ''] =
      /^\| `([a-z_.]+)` \| ([a-z, ]+) \| .* \| ((?:`\w+`(?:, )?)*) ?\|$/.exec(text) ?? []
    const names = [...fields.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    return event === undefined ? [] : [{ event, levels: levels.split(', ').sort(), fields: names.sort() }]
  })
}

/** The objects with an event, with their types. Lines of one event are added up. */
function loggedLines(): Line[] {
  const files = texts.flatMap(([file, text]) => (text.match(EVENT) ? [path.join(source, file)] : []))
  const { config } = ts.readConfigFile(path.join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, files }, ts.sys, ROOT)
  const host = ts.createCompilerHost(options)
  // Packages declare no fields of lines, and reading them would take most of the time.
  const fileExists = (file: string) => !file.includes('/node_modules/') && host.fileExists(file)
  const program = ts.createProgram(files, options, { ...host, fileExists })
  const checker = program.getTypeChecker()
  const lines = new Map<string, { levels: Set<string>; fields: Set<string> }>()
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isObjectLiteralExpression(node)) return
    const event = eventOf(node)
    if (event === undefined) return
    const line = lines.get(event) ?? { levels: new Set(), fields: new Set() }
    lines.set(event, line)
    for (const level of levelsOf(node)) line.levels.add(level)
    const type = checker.getTypeAtLocation(node)
    if ((type.flags & ts.TypeFlags.Any) !== 0) expect.unreachable(`${event} has fields of a package`)
    for (const { name } of type.getProperties()) if (!COMMON.includes(name)) line.fields.add(name)
  }
  for (const file of files) visit(program.getSourceFile(file) ?? expect.unreachable(file))
  return [...lines]
    .map(([event, { levels, fields }]) => ({ event, levels: [...levels].sort(), fields: [...fields].sort() }))
    .sort((a, b) => (a.event < b.event ? -1 : 1))
}

function textIn(node: ts.ObjectLiteralExpression, name: string): string | undefined {
  for (const property of node.properties)
    if (ts.isPropertyAssignment(property) && property.name.getText() === name)
      return ts.isStringLiteral(property.initializer) ? property.initializer.text : undefined
  return undefined
}

function eventOf(node: ts.ObjectLiteralExpression): string | undefined {
  const event = textIn(node, 'event')
  return event !== undefined && /^[a-z_.]+$/.test(event) ? event : undefined
}

/** From the call that the object is an argument of, or from the object itself. */
function levelsOf(node: ts.ObjectLiteralExpression): readonly string[] {
  const own = textIn(node, 'level')
  if (own !== undefined) return [own]
  const { parent } = node
  if (ts.isCallExpression(parent)) return levelsOfCall(parent)
  // The object is the result of a function of the same file.
  for (let outer: ts.Node = parent; outer !== undefined; outer = outer.parent)
    if (ts.isFunctionDeclaration(outer)) return levelsOfCallers(outer)
  return []
}

function levelsOfCall({ expression }: ts.CallExpression): readonly string[] {
  const method = ts.isPropertyAccessExpression(expression)
    ? [expression.name.text]
    : [...expression.getText().matchAll(/'(\w+)'/g)].map(([, level = '']) => level)
  return method.filter((name) => LEVELS.includes(name))
}

function levelsOfCallers({ name }: ts.FunctionDeclaration): readonly string[] {
  const levels: string[] = []
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (ts.isCallExpression(node) && node.arguments.some((given) => isCallOf(given, name?.text)))
      levels.push(...levelsOfCall(node))
  }
  if (name !== undefined) visit(name.getSourceFile())
  return levels
}

function isCallOf(node: ts.Node, name: string | undefined): boolean {
  return ts.isCallExpression(node) && node.expression.getText() === name
}

test('every line that Waybill logs has an event', () => {
  const calls = texts.flatMap(([file, text]) =>
    [...text.matchAll(CALL)].map(([, first]) => [file, first] as const),
  )
  const without = calls.filter(([, first = '']) => !first.startsWith("{ event: '"))
  // Its fields come from a function.
  expect(without.filter(([, first]) => first !== 'describeResponse(request')).toEqual([])
  expect(calls.length).toBeGreaterThan(30)
})

test('docs/operations.md lists every event with its levels and fields, in the order of the codes', () => {
  const logged = loggedLines()
  expect(logged.length).toBeGreaterThan(35)
  expect(listedLines()).toEqual(logged)
})
