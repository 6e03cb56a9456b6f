/**
 * Checks the commands in the documentation. Runs the `console` blocks of each page in order, on a copy of the demo
 * database in a new folder, and compares the output. In a block, `…` matches any text within a line, and a line with
 * only `…` matches any lines. A `csv` block is first written to the last file named in the text before it. All other
 * command lines are compared with the program's help.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCommand } from '../../src/cli/program.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'
import { type ClonedDatabase, cloneDatabase } from '../support/database/clone-database.ts'
import { type CodeBlock, type Page, readPages, splitCommand } from './pages.ts'

/** A command of a console block and the lines shown below it. */
type Step = { readonly line: number; readonly command: string; readonly shown: readonly string[] }

/** The day on which the commands run. Some output depends on it. */
const TODAY = new Date('2026-11-22T12:00:00Z')

const replaceIn = (file: string, from: string, to: string): void => {
  const text = readFileSync(file, 'utf8')
  expect(text, `${file} holds what is edited`).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

/**
 * The edits of files that a page describes, in order. Each is made once, before the next command that begins with
 * `before`.
 */
const BY_HAND: Readonly<Record<string, readonly (readonly [before: string, edit: () => void])[]>> = {
  'docs/rate-cards.md': [
    [
      'card import winter',
      () => {
        replaceIn('winter/rates.csv', '1201,3,KG,2,5,14.25', '1201,3,KG,2,5,15.00')
        replaceIn('winter/rates.csv', '1201,3,KG,5,10,17.25', '1201,3,KG,5,10,17.95')
        replaceIn('winter/surcharges.csv', 'flat,0.21', 'flat,O.25')
      },
    ],
    ['card import winter', () => replaceIn('winter/surcharges.csv', 'flat,O.25', 'flat,0.25')],
  ],
  'docs/shipment-import.md': [
    ['shipment import', () => {}],
    [
      'shipment import',
      () => replaceIn('november.csv', 'rondeel,,1201,in_transit', 'rondeel,1Z2,1201,in_transit'),
    ],
  ],
}

const pages = readPages()
const isCommand = (line: string): boolean => /^\$ (?:npm run waybill -- |waybill |cat )/.test(line)

function stepsOf({ line, text }: CodeBlock): Step[] {
  const steps: { line: number; command: string; shown: string[] }[] = []
  text.split('\n').forEach((content, index) => {
    if (isCommand(content)) {
      const command = content.replace(/^\$ (?:npm run waybill -- |waybill )?/, '')
      steps.push({ line: line + 1 + index, command, shown: [] })
    } else steps.at(-1)?.shown.push(content)
  })
  return steps
}

/** The output of a command at a terminal, including questions and answers. */
async function transcript(
  { db, source }: ClonedDatabase,
  { command, shown }: Step,
): Promise<readonly string[]> {
  const [, file] = /^cat (\S+)$/.exec(command) ?? []
  if (file !== undefined) return readFileSync(file, 'utf8').trimEnd().split(/\r?\n/)
  const seen: string[] = []
  const show = (text: string): void => void seen.push(...text.split('\n'))
  await runCommand(
    splitCommand(command),
    async (use) => use({ db, migrated: await migrate(source), production: false, demoData: true }),
    {
      line: show,
      error: show,
      ask: async (question) => {
        const answer = shown.find((line) => line.startsWith(question))?.slice(question.length) ?? ''
        show(`${question}${answer}`)
        return answer
      },
    },
  )
  return seen
}

/** Converts the lines of a block to a pattern for the real output. */
function patternOf(shown: readonly string[]): RegExp {
  const lines = shown.map((line) =>
    line === '…'
      ? '(?:.*\\n)*?'
      : `${line
          .split('…')
          .map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
          .join('.*')}\\n`,
  )
  return new RegExp(`^${lines.join('')}$`)
}

/** The file that a `csv` block is written to: the last code span before it. */
function fileOf({ prose }: Page, { line }: CodeBlock): string {
  const before = prose.filter((content) => content.line < line).map(({ text }) => text)
  return [...before.join('\n').matchAll(/`([\w./-]+\.csv)`/g)].at(-1)?.[1] ?? ''
}

const withConsole = pages.filter(({ blocks }) => blocks.some(({ text }) => text.split('\n').some(isCommand)))

describe.each(withConsole)('$name', (page) => {
  let cloned: ClonedDatabase
  let folder: string
  const home = process.cwd()
  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: TODAY })
    cloned = await cloneDatabase({ statementTimeoutMs: 0 })
    folder = makeThrowAwayFolder()
    mkdirSync(folder, { recursive: true })
    process.chdir(folder)
  })
  afterAll(async () => {
    process.chdir(home)
    vi.useRealTimers()
    await cloned.drop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('shows what its commands print', async () => {
    const edits = [...(BY_HAND[page.name] ?? [])]
    for (const block of page.blocks) {
      if (block.language === 'csv') writeFileSync(path.join(folder, fileOf(page, block)), `${block.text}\n`)
      if (block.language !== 'console') continue
      for (const step of stepsOf(block)) {
        const [before, edit] = edits[0] ?? []
        if (before !== undefined && step.command.startsWith(before)) {
          edit?.()
          edits.shift()
        }
        const real = (await transcript(cloned, step)).map((line) => `${line.trimEnd()}\n`).join('')
        expect(real, `line ${step.line}: ${step.command}`).toMatch(patternOf(step.shown))
      }
    }
  })
})

/** The lines of a command's help, by command. */
const helps = new Map<string, string>()
async function helpOf(words: readonly string[]): Promise<string> {
  const key = words.join(' ')
  const known = helps.get(key)
  if (known !== undefined) return known
  const lines: string[] = []
  const show = (text: string): void => void lines.push(text)
  const never = () => Promise.reject(new Error('help needs no database'))
  await runCommand([...words, '--help'], never, { line: show, error: show })
  const help = lines.join('\n')
  helps.set(key, help)
  return help
}

function subcommandsIn(help: string): string[] {
  const [, list = ''] = /\nCommands:\n([\s\S]*)$/.exec(help) ?? []
  return [...list.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name)
}

/** Unknown commands and options in a command line. */
async function faultsOf(words: readonly string[]): Promise<string[]> {
  const command: string[] = []
  let help = await helpOf([])
  for (const word of words) {
    const subcommands = subcommandsIn(help)
    if (subcommands.length === 0) break
    if (word === '--help') return []
    // A command with subcommands may do something itself.
    if (word.startsWith('--')) break
    if (!subcommands.includes(word)) return [`there is no command "${[...command, word].join(' ')}"`]
    command.push(word)
    help = await helpOf(command)
  }
  return words
    .filter((word) => word.startsWith('--') && !new RegExp(`^ +(?:-\\w, )?${word}\\b`, 'm').test(help))
    .map((option) => `"${command.join(' ')}" has no option ${option}`)
}

/** Every command line in code blocks and code spans, with its location. */
function commandLines({ name, prose, blocks }: Page): { readonly where: string; readonly command: string }[] {
  const inBlocks = blocks
    .filter(({ language }) => language === 'sh' || language === 'console')
    .flatMap(({ line, text }) =>
      text
        .replaceAll('\\\n', ' ')
        .split('\n')
        .map((content, index) => ({
          where: `${name}:${line + 1 + index}`,
          text: content.replace(/^\$ /, ''),
        })),
    )
  const inSpans = prose.flatMap(({ line, text }) =>
    [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => ({ where: `${name}:${line}`, text: code })),
  )
  return [...inBlocks, ...inSpans].flatMap(({ where, text }) => {
    const [, command] =
      /^(?:npm run waybill -- |waybill |node dist\/cli\/waybill\.js )([a-z-][^#|>;&]*)/.exec(text) ?? []
    return command === undefined ? [] : [{ where, command: command.trim() }]
  })
}

test('every command line names commands and options that exist', async () => {
  const lines = pages.flatMap(commandLines)
  expect(lines.length).toBeGreaterThan(40)
  const faults: string[] = []
  for (const { where, command } of lines)
    faults.push(
      ...(await faultsOf(splitCommand(command.replaceAll('…', '')))).map((fault) => `${where}: ${fault}`),
    )
  expect(faults).toEqual([])
})
