/** Runs commands in this process on a cloned database, and collects their output. */
import { PassThrough } from 'node:stream'
import { runCommand } from '../../src/cli/program.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import type { ClonedDatabase } from '../support/database/clone-database.ts'

/** The exit code and output of a command. `asked` are its questions, `drawn` is its progress. */
export type Ran = { code: number; out: string; err: string; asked: string[]; drawn: string }

/** The environment of a command. */
export type Setting = {
  readonly production?: boolean
  /** Default: true, as with the embedded server. */
  readonly demoData?: boolean
  /** The answer to every question, or what is done until the answer is given. Without it, there is no terminal. */
  readonly answer?: string | (() => Promise<string>)
}

/** Runs a command line. Words in single quotes may contain spaces. */
export async function runWaybill(
  { db, source }: Pick<ClonedDatabase, 'db' | 'source'>,
  words: string,
  { production = false, demoData = true, answer }: Setting = {},
): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const asked: string[] = []
  const progress = new PassThrough()
  const drawn: string[] = []
  progress.on('data', (chunk: Buffer) => drawn.push(chunk.toString()))
  const ask = async (question: string): Promise<string> => {
    asked.push(question)
    return typeof answer === 'function' ? answer() : (answer ?? '')
  }
  const split = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const code = await runCommand(
    split,
    async (use) => use({ db, migrated: await migrate(source), production, demoData }),
    {
      line: (text) => void out.push(text),
      error: (text) => void err.push(text),
      ...(answer !== undefined && { ask, progress }),
    },
  )
  return { code, out: out.join('\n'), err: err.join('\n'), asked, drawn: drawn.join('') }
}
