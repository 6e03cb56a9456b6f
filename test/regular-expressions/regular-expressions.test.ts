/**
 * Every regular expression in src takes linear time, proved by recheck's automaton
 * (https://makenowjust-labs.github.io/recheck/). There are no exceptions: rewrite the expression, or use a loop.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'

type Expression = { readonly line: number; readonly source: string; readonly flags: string }
/** The expressions in a file, and constructs that cannot be analysed. */
type Found = { readonly expressions: readonly Expression[]; readonly refused: readonly string[] }

type Checked =
  | {
      readonly status: 'vulnerable'
      readonly complexity: { readonly summary: string }
      readonly attack: { readonly pattern: string }
    }
  | { readonly status: 'unknown'; readonly error: object }
  | { readonly status: 'safe'; readonly checker: string }

// Makes recheck use its JavaScript engine in this process, which gives the same results on every machine.
process.env['RECHECK_SYNC_BACKEND'] = 'pure'
const require = createRequire(import.meta.url)
const { checkSync }: { checkSync(source: string, flags: string, options: object): Checked } =
  require('recheck')

const sourceFolder = path.resolve(import.meta.dirname, '../../src')
const PATTERN_METHODS = ['match', 'matchAll', 'search']

/** Names of the file's `const` texts, with their initialisers. */
function constantsOf(file: ts.SourceFile): ReadonlyMap<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>()
  for (const statement of file.statements) {
    if (!ts.isVariableStatement(statement)) continue
    if ((statement.declarationList.flags & ts.NodeFlags.Const) === 0) continue
    for (const { name, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(name) && initializer !== undefined) constants.set(name.text, initializer)
  }
  return constants
}

/** The source of a regular expression, given as a literal or by a constant; undefined otherwise. */
function sourceOf(
  node: ts.Expression | undefined,
  constants: ReadonlyMap<string, ts.Expression>,
): string | undefined {
  if (node === undefined) return undefined
  if (ts.isIdentifier(node)) return sourceOf(constants.get(node.text), constants)
  return ts.isRegularExpressionLiteral(node) ? node.text.slice(1, node.text.lastIndexOf('/')) : undefined
}

/** The text of a constant expression; undefined if it is not constant. */
function textOf(
  node: ts.Expression | undefined,
  constants: ReadonlyMap<string, ts.Expression>,
): string | undefined {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isIdentifier(node)) return textOf(constants.get(node.text), constants)
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source')
    return sourceOf(node.expression, constants)
  if (ts.isTaggedTemplateExpression(node)) {
    const { tag, template } = node
    const isRaw = tag.getText() === 'String.raw' && ts.isNoSubstitutionTemplateLiteral(template)
    return isRaw ? template.rawText : undefined
  }
  if (!ts.isTemplateExpression(node)) return undefined
  return node.templateSpans.reduce<string | undefined>((text, { expression, literal }) => {
    const inner = textOf(expression, constants)
    return text === undefined || inner === undefined ? undefined : text + inner + literal.text
  }, node.head.text)
}

/**
 * All expressions of a file: literals, and `RegExp` with constant arguments. Everything else that creates one is
 * refused.
 */
function expressionsIn(text: string): Found {
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true)
  const constants = constantsOf(file)
  const expressions: Expression[] = []
  const refused: string[] = []
  const lineOf = (node: ts.Node): number => file.getLineAndCharacterOfPosition(node.getStart()).line + 1
  const refuse = (node: ts.Node, why: string) => refused.push(`${lineOf(node)}: ${node.getText()}: ${why}`)
  const addConstructed = (node: ts.NewExpression | ts.CallExpression): void => {
    const [pattern, flags] = node.arguments ?? []
    const source = sourceOf(pattern, constants) ?? textOf(pattern, constants)
    // A copy without flags has the flags of the original, which is analysed at its definition.
    const flagText = flags === undefined ? '' : textOf(flags, constants)
    if (source === undefined || flagText === undefined) refuse(node, 'its text is not constant')
    else expressions.push({ line: lineOf(node), source, flags: flagText })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      expressions.push({
        line: lineOf(node),
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      })
    } else if (ts.isIdentifier(node) && node.text === 'RegExp' && !ts.isTypeReferenceNode(node.parent)) {
      const { parent } = node
      const isCallee =
        (ts.isNewExpression(parent) || ts.isCallExpression(parent)) && parent.expression === node
      if (isCallee) addConstructed(parent)
      else refuse(parent, 'RegExp is used as a value')
    } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [argument] = node.arguments
      const isText =
        argument !== undefined && (ts.isStringLiteralLike(argument) || ts.isTemplateExpression(argument))
      if (isText && PATTERN_METHODS.includes(node.expression.name.text))
        refuse(node, 'a text becomes an expression')
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { expressions, refused }
}

/**
 * The reason why an expression may take more than linear time; undefined if it is linear. The options disable recheck's
 * random search, which proves nothing, so that the automaton decides. The automaton does not support back references
 * and most look-arounds, so these are refused. So is an expression whose analysis takes more than a minute.
 */
function faultOf(source: string, flags: string): string | undefined {
  const found = checkSync(source, flags, {
    timeout: 60_000,
    attackTimeout: null,
    incubationTimeout: null,
    maxIteration: 0,
    maxRepeatCount: 1_000,
  })
  if (found.status === 'vulnerable') return `${found.complexity.summary}, for example ${found.attack.pattern}`
  if (found.status === 'unknown') return `cannot be analysed: ${JSON.stringify(found.error)}`
  return found.checker === 'automaton'
    ? undefined
    : 'cannot be proved: it uses a look-around or a back reference'
}

const SINGLE_CLASS = /^(\[(?:[^\]\\]|\\.)+\]|\\\w)\+$/

/**
 * With `g`, the search continues after every match. An expression that reads far beyond its matches is then quadratic,
 * although each match is linear: `/a(?:.*b)?/g`. Therefore it is analysed as if no match succeeded, which costs at
 * least as much. A repeated character class reads only what it matches; it is exempt because it would fail this
 * analysis.
 */
function globalFaultOf(source: string, flags: string): string | undefined {
  if (!flags.includes('g') || SINGLE_CLASS.test(source)) return undefined
  return faultOf(`(?:${source})[]`, flags.replace('g', ''))
}

/** Without a repetition, no match is longer than the expression, so that no analysis is needed. */
const REPETITION = /[*+{]/

const faultWhereverUsed = ({ source, flags }: Pick<Expression, 'source' | 'flags'>): string | undefined => {
  for (const part of alternativesOf(source)) {
    const fault = REPETITION.test(part) ? (faultOf(part, flags) ?? globalFaultOf(part, flags)) : undefined
    if (fault !== undefined) return fault
  }
  return undefined
}

/**
 * The alternatives outside of all groups. Each is tried by itself at a position, so the whole takes at most the sum of
 * their times; the analysis of the whole takes many times as long as that of its parts.
 */
function alternativesOf(source: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of source.matchAll(/\\.|\[(?:[^\]\\]|\\.)*\]|./gsu)) {
    if (token === '(') depth++
    else if (token === ')') depth--
    if (token === '|' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts
}

describe('the analysis of a regular expression', () => {
  // The first two were bugs in this product; see the entry on regular expressions in CHANGELOG.md.
  test.each([
    / ?Did you mean .*\?$/s,
    /^[ \t]*charset[ \t]*=[ \t]*"?([^"]*?)"?[ \t]*$/i,
    /[ \t]+$/,
    /\/+$/,
    /\d+x/,
    /^(a+)+$/,
    /(a|aa)+$/,
    /^\s*(.*)\s*$/,
    /a(?:.*b)?/g,
    /^x|\s+$/,
    // The next two are linear, but the automaton cannot prove it.
    /(?<!0)0+$/,
    /^(\w+)\s\1$/,
  ])('refuses %s', (expression) => {
    expect(faultWhereverUsed(expression)).toEqual(expect.any(String))
  })

  test.each([
    /^\d+$/,
    /\s+/g,
    /[\p{Cc}\s]+/gu,
    /^[ \t]*$/,
    /"[^"]*"/g,
    /(\d)[, ](?=\d{3}(?!\d))/g,
    /^[a-z0-9]{1,200}$/,
    /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y,
  ])('accepts %s', (expression) => {
    expect(faultWhereverUsed(expression)).toBeUndefined()
  })
})

describe('the search for regular expressions', () => {
  test('finds literals and constant expressions', () => {
    const { expressions, refused } = expressionsIn(
      [
        'const NUMBER = String.raw`\\d+`',
        "const WORD = '[a-z]'",
        `const SUM = \`\${NUMBER} \${WORD}\``,
        `export const one = new RegExp(\`^\${SUM}$\`)`,
        "const two = (text: string) => text.split(RegExp('a', 'i'))",
        `const CLASS = /[a]/; const more = [new RegExp(CLASS, 'g'), new RegExp(\`\${CLASS.source}+\`)]`,
        'function three(words: RegExp) { return words.test("/b+/") || /[/]+$/gu.test("") }',
      ].join('\n'),
    )
    expect(expressions).toEqual([
      { line: 4, source: '^\\d+ [a-z]$', flags: '' },
      { line: 5, source: 'a', flags: 'i' },
      { line: 6, source: '[a]', flags: '' },
      { line: 6, source: '[a]', flags: 'g' },
      { line: 6, source: '[a]+', flags: '' },
      { line: 7, source: '[/]+$', flags: 'gu' },
    ])
    expect(refused).toEqual([])
  })

  test.each([
    'export const find = (word: string) => new RegExp(word)',
    `export const find = (word: string) => RegExp(\`^\${word}$\`)`,
    'let word = "a"; export const found = new RegExp(word)',
    'export const found = new RegExp(["a", "b"].join("|"))',
    'export const copy = (words: { source: string }) => new RegExp(words.source)',
    'export const found = new RegExp("a", process.argv[2])',
    'export const Make = RegExp',
    'export const found = Reflect.construct(RegExp, ["a+$"])',
    'export const found = new globalThis.RegExp("a+$")',
    'export const found = "a".match("a+$")',
    'export const found = "a".search(`a+$`)',
  ])('refuses the source %s', (text) => {
    expect(expressionsIn(text).refused).toHaveLength(1)
  })
})

/** Expressions that an earlier run has proved to be linear, with the same analysis: this file and this version. */
const PROVED_FILE = path.resolve(
  import.meta.dirname,
  '../../node_modules/.cache/linear-expressions',
  `${createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(readFileSync(require.resolve('recheck/package.json')))
    .digest('hex')}.json`,
)

function readProved(): ReadonlySet<string> {
  try {
    return new Set(JSON.parse(readFileSync(PROVED_FILE, 'utf8')))
  } catch {
    return new Set()
  }
}

function keepProved(expressions: readonly string[]): void {
  mkdirSync(path.dirname(PROVED_FILE), { recursive: true })
  writeFileSync(PROVED_FILE, JSON.stringify(expressions))
}

// A proof takes up to two seconds, and all proofs together about ten.
test('every regular expression in src takes linear time', { timeout: 180_000 }, () => {
  const files = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const proved = readProved()
  const known = new Map<string, string | undefined>()
  const faults = files.sort().flatMap((name) => {
    const { expressions, refused } = expressionsIn(readFileSync(path.join(sourceFolder, name), 'utf8'))
    const slow = expressions.flatMap(({ line, source, flags }) => {
      const key = `/${source}/${flags}`
      if (!known.has(key)) known.set(key, proved.has(key) ? undefined : faultWhereverUsed({ source, flags }))
      const fault = known.get(key)
      return fault === undefined ? [] : [`${name}:${line}: ${key}: ${fault}`]
    })
    return [...slow, ...refused.map((fault) => `${name}:${fault}`)]
  })
  expect(known.size).toBeGreaterThan(150)
  expect(faults).toEqual([])
  // Only if all are linear.
  keepProved([...known.keys()])
})
