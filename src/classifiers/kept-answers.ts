/**
 * Keeps the answers of a language model in files, so that a run of `waybill classify` that was stopped, or a second run
 * over the same goods, does not pay for them again. A file per day (UTC) has a line per answer: a hash of the question,
 * and a code or NONE. Descriptions are not stored. See docs/hs-classification.md#ask-a-model.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import type { KeptAnswers } from './model-suggestions.ts'

const PREFIX = 'classifier-answers-'
const DAYS = 30
/** About 20 MB. Older answers are not read. */
const MAX_ANSWERS = 200_000
const LINE = /^([0-9a-f]{64}) (\d{6}|NONE)$/
const PRIVATE_FILE = 0o600

/**
 * The answers of the last 30 days in a folder. They are read with the first question, and older ones are removed then.
 * Processes may share the folder; each sees the answers that were kept before it read them. `endpoint` and `model` are
 * part of every question.
 */
export function keptAnswers(
  folder: string,
  endpoint: string,
  model: string,
  now = () => new Date(),
): KeptAnswers {
  let known: Map<string, string> | undefined
  const keyOf = (question: string): string =>
    createHash('sha256')
      .update(JSON.stringify([endpoint, model, question]))
      .digest('hex')
  return {
    find: (question) => {
      known ??= readAnswers(folder, dayOf(new Date(now().getTime() - DAYS * DAY_MS)))
      return known.get(keyOf(question))
    },
    keep: (question, code) => {
      const key = keyOf(question)
      known?.set(key, code)
      mkdirSync(folder, { recursive: true })
      const file = openSync(path.join(folder, `${PREFIX}${dayOf(now())}`), 'a', PRIVATE_FILE)
      try {
        // The line break in front separates the line from one that was cut off when a process was killed.
        writeSync(file, `\n${key} ${code}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    },
  }
}

const DAY_MS = 86_400_000

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** The newest answers, by key. */
function readAnswers(folder: string, firstDay: string): Map<string, string> {
  const known = new Map<string, string>()
  mkdirSync(folder, { recursive: true })
  const names = readdirSync(folder).filter((name) => name.startsWith(PREFIX))
  for (const name of names.sort().reverse()) {
    const file = path.join(folder, name)
    if (name < `${PREFIX}${firstDay}`) rmSync(file, { force: true })
    else if (known.size < MAX_ANSWERS) readFile(file, known)
  }
  return known
}

function readFile(file: string, known: Map<string, string>): void {
  for (const line of readFileSync(file, 'utf8').split('\n').reverse()) {
    const [, key, code] = LINE.exec(line) ?? []
    if (key === undefined || code === undefined || known.has(key)) continue
    if (known.size >= MAX_ANSWERS) return
    known.set(key, code)
  }
}
