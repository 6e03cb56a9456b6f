/**
 * Compares schema/ with the schema of the last release, docs/schema-released.graphql. Every difference must be listed
 * in docs/schema-changelog.md, and a breaking one needs a reason. See docs/schema-changelog.md.
 *
 *   node tools/schema-changes.mjs check      fails if a change is not declared, or a deprecation lacks a date
 *   node tools/schema-changes.mjs declare    adds the missing entries to the changelog
 *   node tools/schema-changes.mjs release    records the current schema as released
 *
 * A second argument is the folder of the project. Default: this one.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { CriticalityLevel, DiffRule, diff } from '@graphql-inspector/core'
import { buildSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'

/** An element is removed at the earliest this long after the release that deprecates it. */
const NOTICE_MONTHS = 6

const HEADING = '## Unreleased'
const EMPTY = 'No changes.'

/** Runs a command. `print` receives lines. Returns the exit code. `today` is a day such as 2026-11-23. */
export async function runSchemaChanges(command, { root, today, print }) {
  const commands = { check, declare, release }
  const chosen = commands[command]
  if (chosen === undefined) throw new Error('usage: schema-changes.mjs check | declare | release')
  const faults = await chosen(openFolder(root), today, print)
  for (const fault of faults) print(fault)
  return faults.length === 0 ? 0 : 1
}

function openFolder(root) {
  const files = {
    released: path.join(root, 'docs/schema-released.graphql'),
    changelog: path.join(root, 'docs/schema-changelog.md'),
  }
  const folder = path.join(root, 'schema')
  const text = readdirSync(folder)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => readFileSync(path.join(folder, file), 'utf8'))
    .join('\n')
  return {
    files,
    text,
    schema: buildSchema(text),
    released: buildSchema(readFileSync(files.released, 'utf8')),
    changelog: readFileSync(files.changelog, 'utf8'),
    version: JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version,
  }
}

/** Changes of descriptions and of costs are not listed: requests and results stay the same. */
async function changesOf({ released, schema }) {
  const changes = await diff(released, schema, [DiffRule.simplifyChanges])
  return changes
    .filter(({ type }) => !/_DESCRIPTION_(?:ADDED|CHANGED|REMOVED)$/.test(type))
    .filter(({ message }) => !/^Directive '(?:cost|listSize)' was \w+ (?:to|from) field /.test(message))
    .map(({ message, criticality }) => ({ message: message.replace(/\s+/g, ' '), level: criticality.level }))
}

async function check(folder) {
  const { messages, faults } = readEntries(folder.changelog)
  const changes = await changesOf(folder)
  const undeclared = changes.filter(({ message }) => !messages.has(message))
  const expected = new Map(changes.map((change) => [change.message, change]))
  return [
    ...faults,
    ...undeclared.map(({ message, level }) => `not declared (${level.toLowerCase()}): ${message}`),
    ...(undeclared.length > 0
      ? [
          'The schema differs from the last release. Run "npm run schema:declare" and commit docs/schema-changelog.md.',
        ]
      : []),
    ...[...messages].flatMap(([message, entry]) => entryFaults(message, entry, expected.get(message))),
    ...deprecationsIn(folder.schema).flatMap(({ fault }) => fault ?? []),
  ]
}

function entryFaults(message, { isBreaking, reason }, change) {
  if (change === undefined) return [`declared, but not a change of the schema: ${message}`]
  if (change.level !== CriticalityLevel.Breaking) return []
  if (!isBreaking) return [`declared without "**Breaking**:": ${message}`]
  return reason === undefined || reason === 'TODO' ? [`a breaking change needs a reason: ${message}`] : []
}

async function declare(folder, _today, print) {
  const { messages } = readEntries(folder.changelog)
  const changes = (await changesOf(folder)).filter(({ message }) => !messages.has(message))
  const { before, section, after } = split(folder.changelog)
  const list = changes.map(entryOf)
  const text = section.replace(EMPTY, '').trim()
  const entries = [text, list.join('\n')].filter((part) => part !== '').join('\n')
  writeFileSync(folder.files.changelog, `${before}${HEADING}\n\n${entries || EMPTY}\n${after}`)
  for (const entry of list) print(`added: ${entry}`)
  if (list.some((entry) => entry.endsWith('TODO')))
    print('Replace each TODO by the reason for the breaking change.')
  return []
}

function entryOf({ message, level }) {
  if (level === CriticalityLevel.Breaking) return `- **Breaking**: ${message}. Reason: TODO`
  return level === CriticalityLevel.Dangerous ? `- **Dangerous**: ${message}.` : `- ${message}.`
}

async function release(folder, today, print) {
  const faults = await check(folder)
  if (folder.changelog.includes(`\n## ${folder.version} `))
    faults.push(`version ${folder.version} is released already; change it in package.json first`)
  const known = new Set(deprecationsIn(folder.released).map(({ coordinate }) => coordinate))
  const earliest = addMonths(today, NOTICE_MONTHS)
  for (const { coordinate, removal } of deprecationsIn(folder.schema))
    if (!known.has(coordinate) && removal !== undefined && removal < earliest)
      faults.push(`${coordinate}: the date of removal must not be before ${earliest}`)
  if (faults.length > 0) return faults
  const { before, section, after } = split(folder.changelog)
  const heading = `## ${folder.version} (${today})`
  writeFileSync(
    folder.files.changelog,
    `${before}${HEADING}\n\n${EMPTY}\n\n${heading}\n\n${section.trim()}\n${after}`,
  )
  writeFileSync(folder.files.released, folder.text)
  print(`${folder.version} is the released schema`)
  return []
}

/** The section of unreleased changes, and the text around it. */
function split(changelog) {
  const start = changelog.indexOf(`${HEADING}\n`)
  if (start === -1) throw new Error(`docs/schema-changelog.md has no section "${HEADING}"`)
  const body = start + HEADING.length + 1
  const next = changelog.indexOf('\n## ', body)
  const end = next === -1 ? changelog.length : next
  return {
    before: changelog.slice(0, start),
    section: changelog.slice(body, end),
    after: changelog.slice(end),
  }
}

/** The entries of the section by message. */
function readEntries(changelog) {
  const messages = new Map()
  const faults = []
  for (const line of split(changelog).section.split('\n')) {
    if (!line.startsWith('- ')) continue
    const [, level, message, reason] =
      /^- (?:\*\*(Breaking|Dangerous)\*\*: )?(.*?)\.(?: Reason: (.+))?$/.exec(line) ?? []
    if (message === undefined) faults.push(`malformed entry of the changelog: ${line}`)
    else messages.set(message, { isBreaking: level === 'Breaking', reason })
  }
  return { messages, faults }
}

/** All deprecated elements with the date of their removal, or a fault. */
function deprecationsIn(schema) {
  return Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => elementsOf(type))
    .filter(({ deprecationReason }) => deprecationReason != null)
    .map(({ coordinate, deprecationReason }) => {
      const [, replacement, removal] =
        /(?:Use `([\w.():]+)`|No replacement\b).* Removal: (\d{4}-\d\d-\d\d)\.$/s.exec(deprecationReason) ??
        []
      if (removal === undefined || Number.isNaN(Date.parse(removal)))
        return {
          coordinate,
          fault: `${coordinate}: the reason of @deprecated must be like "Use \`Shipment.createdAt\`. Removal: 2027-06-01."`,
        }
      if (replacement !== undefined && !exists(schema, replacement))
        return { coordinate, fault: `${coordinate}: the schema has no ${replacement}` }
      return { coordinate, removal }
    })
}

/** Fields, arguments, input fields and enum values of a type. */
function elementsOf(type) {
  if (isEnumType(type))
    return type
      .getValues()
      .map(({ name, deprecationReason }) => ({ coordinate: `${type.name}.${name}`, deprecationReason }))
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return []
  return Object.values(type.getFields()).flatMap(({ name, deprecationReason, args = [] }) => {
    const coordinate = `${type.name}.${name}`
    return [
      { coordinate, deprecationReason },
      ...args.map((argument) => ({
        coordinate: `${coordinate}(${argument.name}:)`,
        deprecationReason: argument.deprecationReason,
      })),
    ]
  })
}

function exists(schema, coordinate) {
  const type = schema.getType(coordinate.split('.')[0])
  return (
    type !== undefined &&
    (coordinate === type.name || elementsOf(type).some((element) => element.coordinate === coordinate))
  )
}

function addMonths(day, months) {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 10)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await runSchemaChanges(process.argv[2], {
    root: path.resolve(process.argv[3] ?? path.join(import.meta.dirname, '..')),
    today: new Date().toISOString().slice(0, 10),
    print: console.log,
  })
}
