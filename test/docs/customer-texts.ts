/**
 * Every text that callers can get, collected from the source code, so that no second list can differ from it. A text is
 * a string or template of several words, or a string in a property that is shown, such as `message`. What the code
 * fills in is a placeholder: `at most {max}`. See docs/customer-texts.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import ts from 'typescript'
import { ROOT } from './pages.ts'

/** Folders and files whose texts callers can get, by part of the page. The longest path that matches a file counts. */
const SOURCES = {
  'texts: every request': ['src/http', 'src/core/problem.ts'],
  'texts: fields': [
    ...['src/core/input.ts', 'src/core/rating/request.ts', 'src/core/rating/selection.ts'],
    ...['src/core/customs/request.ts', 'src/core/contact.ts', 'src/operations'],
  ],
  'texts: rates': ['src/rest/rates.ts', 'src/core/rating/book', 'src/core/rating/price'],
  'texts: explained prices': ['src/core/rating'],
  'texts: duties and taxes': ['src/core/customs'],
  'texts: landed cost': ['src/core/landed-cost'],
  'texts: shipments': ['src/core/shipments', 'src/rest'],
  'texts: GraphQL': ['src/graphql'],
  'texts: scan events': ['src/carrier-events', 'src/operations/record-scans.ts'],
  // The texts of these files are for operators, or for the playground in a browser.
  none: [
    ...['src/core/rate-card-review', 'src/core/customs/data-review', 'src/core/customs/coverage.ts'],
    ...['src/core/customs/invoice-comparison.ts'],
    ...['src/core/connector-names.ts', 'src/operations/audit'],
    ...['src/operations/sweep/sweep.ts', 'src/operations/ports', 'src/operations/ask-carrier'],
    ...['src/operations/warm-up.ts', 'src/operations/journal.ts', 'src/operations/recording.ts'],
    ...['src/operations/book-shipment.ts', 'src/core/shipments/cancel-steps.ts'],
    ...['src/core/shipments/parcels.ts', 'src/core/shipments/tracking.ts', 'src/http/health.ts'],
    ...['src/core/customs/tariff/duty-text.ts', 'src/core/customs/tariff/quantity-unit.ts'],
    ...['src/http/log.ts', 'src/http/masking.ts', 'src/http/limits/turns.ts'],
    ...['src/graphql/playground', 'src/graphql/generated.ts', 'src/graphql/execution/compiler.ts'],
    ...['src/core/rating/book/rule-measures.ts', 'src/core/rating/book/rule-vocabulary.ts'],
    ...['src/core/rating/book/rule.ts'],
    ...['src/core', 'src/core/customs/data', 'src/core/customs/compiled-customs.ts'],
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

type Part = keyof typeof SOURCES

/** Exchange rates are described beside their rows. */
const EXCEPTIONS: Readonly<Record<string, Part>> = {
  'src/core/customs/data/exchange-rate.ts': 'texts: duties and taxes',
}

const gone = [...Object.values(SOURCES).flat(), ...Object.keys(EXCEPTIONS)].filter(
  (file) => !existsSync(path.join(ROOT, file)),
)
if (gone.length > 0) throw new Error(`test/docs/customer-texts.ts: there is no ${gone.join(', ')}`)

/** Functions and constants in these files whose texts are for operators. */
const FOR_OPERATORS = [
  ...['nameFault', 'EXPECTED_PLAIN_TEXT', 'readTrustedDocuments', 'entriesOf', 'faultsOf', 'fromApollo'],
  ...['rateLimitHeaders', 'refuseBrokenConnection', 'alertAnomaly'],
]

function partOf(file: string): Part {
  const exception = EXCEPTIONS[file]
  if (exception !== undefined) return exception
  const parts: readonly Part[] = Object.keys(SOURCES) as Part[]
  const matches = parts.flatMap((part) =>
    SOURCES[part].flatMap((prefix) =>
      file === prefix || file.startsWith(`${prefix}/`) ? [{ part, length: prefix.length }] : [],
    ),
  )
  return matches.reduce((longest, match) => (match.length > longest.length ? match : longest), {
    part: 'none' as Part,
    length: 0,
  }).part
}

/** A text with its placeholders, and the code that is sent with it. Both may be empty. */
type Text = { readonly code: string; readonly text: string }

const FOLDERS = ['src/core', 'src/operations', 'src/rest', 'src/graphql', 'src/http', 'src/carrier-events']

function textsOf(part: Part): readonly Text[] {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(
      (file) => `${folder}/${file.replaceAll('\\', '/')}`,
    ),
  )
  const found = files
    .filter((file) => file.endsWith('.ts') && partOf(file) === part)
    .sort()
    .flatMap(textsInFile)
  return found.filter(({ code, text }, index) => {
    const same = found.findIndex((other) => other.text === text && (other.code === code || code === ''))
    return same === index
  })
}

function textsInFile(file: string): readonly Text[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(path.join(ROOT, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  const texts: Text[] = []
  const visit = (node: ts.Node): void => {
    if (isHidden(node)) return
    if (!ts.isExpression(node) || !isString(node)) {
      ts.forEachChild(node, visit)
      return
    }
    const text = render(node)
    if (isSentence(text) || (isShown(node) && text !== '')) texts.push({ code: codeOf(node), text })
  }
  visit(source)
  return texts
}

/** Imports, types, comparisons, log lines, texts for operators, and errors that are never shown. */
function isHidden(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true
  if (ts.isFunctionDeclaration(node) || ts.isVariableDeclaration(node))
    return FOR_OPERATORS.includes(node.name?.getText() ?? '')
  if (ts.isBinaryExpression(node)) return /^[!=]==$/.test(node.operatorToken.getText())
  if (ts.isNewExpression(node)) return /^(?!GraphQL)\w*Error$/.test(node.expression.getText())
  return ts.isCallExpression(node) && /(^|\.)(log|warn|info|error)$/.test(node.expression.getText())
}

function isString(node: ts.Expression): boolean {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node))
    return true
  return ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
    ? isString(node.left) || isString(node.right)
    : false
}

const SHOWN_PROPERTIES = ['message', 'reason', 'item']

/** A value of a property that is shown, or a message that is noted about a field. */
function isShown({ parent }: ts.Expression): boolean {
  if (ts.isPropertyAssignment(parent)) return SHOWN_PROPERTIES.includes(parent.name.getText())
  return ts.isConditionalExpression(parent) && /\bitem\b/.test(parent.parent.getText().slice(0, 10))
}

/** At least two words, and no header, URL, query or pattern. */
function isSentence(text: string): boolean {
  const words = text.match(/(?<![\w{-])[A-Za-z][a-z'-]*(?![\w}])/g) ?? []
  return words.length >= 2 && text.includes(' ') && !/charset=|realm=|^\w+\/|https?:|[;<>]$/.test(text)
}

/** The `code` beside a message, or the code with which a fault is noted. */
function codeOf({ parent }: ts.Expression): string {
  if (ts.isCallExpression(parent)) {
    const [, , code] = parent.arguments
    return code !== undefined && ts.isStringLiteral(code) && /^[A-Z_]+$/.test(code.text) ? code.text : ''
  }
  if (!ts.isPropertyAssignment(parent) || !ts.isObjectLiteralExpression(parent.parent)) return ''
  const code = parent.parent.properties.find((property) => property.name?.getText() === 'code')
  if (code !== undefined && ts.isShorthandPropertyAssignment(code)) {
    const text = render(code.name)
    return text.startsWith('{') ? '' : text
  }
  if (code !== undefined && ts.isPropertyAssignment(code) && ts.isStringLiteral(code.initializer))
    return code.initializer.text
  // A record of messages by code.
  const owner = parent.parent.parent
  const key = ts.isPropertyAssignment(owner) ? owner.name.getText() : ''
  return /^[A-Z_]+$/.test(key) ? key : ''
}

/** The string of a name, from the innermost declaration around it. Undefined if it is no constant string. */
function constantOf(name: ts.Identifier): ts.Expression | undefined {
  for (let scope: ts.Node = name.parent; scope !== undefined; scope = scope.parent) {
    if (ts.isFunctionLike(scope) && scope.parameters.some(({ name: given }) => mentions(given, name.text)))
      return undefined
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue
    const declared = scope.statements
      .flatMap((statement) =>
        ts.isVariableStatement(statement) ? statement.declarationList.declarations : [],
      )
      .find((declaration) => mentions(declaration.name, name.text))
    if (declared === undefined) continue
    const { initializer } = declared
    const isConstant = ts.isIdentifier(declared.name) && initializer !== undefined && isString(initializer)
    return isConstant ? initializer : undefined
  }
  return undefined
}

function mentions(binding: ts.BindingName, name: string): boolean {
  return new RegExp(`\\b${name}\\b`).test(binding.getText())
}

/** The text of an expression. Alternatives are `{a | b}`, and text that may be missing is `[a]`. */
function render(node: ts.Expression): string {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
  if (ts.isTemplateExpression(node))
    return [
      node.head.text,
      ...node.templateSpans.map((span) => render(span.expression) + span.literal.text),
    ].join('')
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken)
    return render(node.left) + render(node.right)
  if (ts.isParenthesizedExpression(node)) return render(node.expression)
  if (ts.isConditionalExpression(node)) {
    const [yes, no] = [render(node.whenTrue), render(node.whenFalse)]
    if (yes === '' || no === '') return `[${yes}${no}]`
    return `{${yes} | ${no}}`
  }
  const constant = ts.isIdentifier(node) ? constantOf(node) : undefined
  return constant === undefined ? `{${nameOf(node)}}` : render(constant)
}

/** The last name in an expression: `max` for `rule.max`, `words` for `words.join(', ')`, `row` for `textOf(row)`. */
function nameOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isElementAccessExpression(node) || ts.isNonNullExpression(node)) return nameOf(node.expression)
  if (ts.isBinaryExpression(node)) return nameOf(node.left)
  if (!ts.isCallExpression(node)) return '…'
  const { expression } = node
  if (ts.isPropertyAccessExpression(expression)) return nameOf(expression.expression)
  const [first] = node.arguments
  const isNamed =
    first !== undefined &&
    (ts.isIdentifier(first) ||
      ts.isPropertyAccessExpression(first) ||
      ts.isBinaryExpression(first) ||
      ts.isCallExpression(first))
  if (isNamed && first.getText() !== 'consignment') return nameOf(first)
  return nameOf(expression).replace(/^describe(?=[A-Z])/, '')
}

/** Code in a cell of a table. Text with backticks needs two of them around it. */
function cell(text: string): string {
  const shown = text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim()
  return shown.includes('`') ? `\`\` ${shown} \`\`` : `\`${shown}\``
}

/** A table of the texts of a part, with their codes if they have any. */
function textTable(part: Part): string {
  const texts = textsOf(part)
  const hasCodes = texts.some(({ code }) => code !== '')
  const rows = texts.map(({ code, text }) =>
    hasCodes ? `| ${code === '' ? '' : cell(code)} | ${cell(text)} |` : `| ${cell(text)} |`,
  )
  const head = hasCodes ? ['| code | text |', '| --- | --- |'] : ['| text |', '| --- |']
  return [...head, ...rows].join('\n').replaceAll(/ {2}(?=\|)/g, ' ')
}

const CUSTOMS_FILES = path.join(ROOT, 'src/reference/customs')

/** Columns with names of places and of files, and with notes for operators. */
const HIDDEN_COLUMNS = [
  ...['territories.csv name', 'territories-world.csv name', 'jurisdictions.csv name'],
  ...['jurisdictions-world.csv name', 'data-sets.csv name', 'data-sets.csv note'],
  'restrictions.csv note',
]

/** The texts in columns of the shipped customs data. */
function dataTexts(...columns: readonly string[]): string {
  const files = readdirSync(CUSTOMS_FILES).filter((file) => file.endsWith('.csv'))
  const texts = files.flatMap((file) => {
    const text = readFileSync(path.join(CUSTOMS_FILES, file), 'utf8')
    const [head = ''] = text.split('\n', 1)
    const shown = columns.filter(
      (column) => head.split(',').includes(column) && !HIDDEN_COLUMNS.includes(`${file} ${column}`),
    )
    if (shown.length === 0) return []
    const rows: readonly Readonly<Record<string, string>>[] = parse(text, { columns: true })
    return rows.flatMap((row) => shown.flatMap((column) => row[column] || []))
  })
  return distinctTexts(texts)
}

/** The texts in a column of one shipped file. */
function fileTexts(file: string, column: string): string {
  const rows: readonly Readonly<Record<string, string>>[] = parse(
    readFileSync(path.join(CUSTOMS_FILES, file), 'utf8'),
    { columns: true },
  )
  return distinctTexts(rows.flatMap((row) => row[column] || []))
}

function distinctTexts(texts: readonly string[]): string {
  return ['| text |', '| --- |', ...[...new Set(texts)].sort().map((text) => `| ${cell(text)} |`)].join('\n')
}

/** The generated parts of docs/customer-texts.md, by name. */
export const CUSTOMER_TEXTS: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(
    Object.keys(SOURCES)
      .filter((part): part is Part => part !== 'none')
      .map((part) => [part, () => textTable(part as Part)]),
  ),
  'texts: names in the customs data': () => dataTexts('name'),
  'texts: reasons in the customs data': () => dataTexts('reason'),
  'texts: notes in the customs data': () => dataTexts('note', 'row_note'),
  'texts: goods of trade defence measures': () => fileTexts('trade-defence.csv', 'goods'),
  'texts: restricted goods': () => fileTexts('restrictions.csv', 'text'),
  'texts: data sets': () => dataTexts('title'),
}
