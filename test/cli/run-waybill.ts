/** The operator's commands as tests run them: in this process, on a cloned database, their output kept. */
import { PassThrough } from 'node:stream'
import { runCommand } from '../../src/cli/program.ts'
import { migrate } from '../../src/store/database/migrate.ts'
import type { ClonedDatabase } from '../support/database/clone-database.ts'

/** How a command ended and what it said; `asked` are the questions it put. */
export type Ran = { code: number; out: string; err: string; asked: string[]; drawn: string }

/** Who runs the command. */
export type Setting = {
  readonly production?: boolean
  /** Whether demo data is on; true when left out, as with the embedded server. */
  readonly demoData?: boolean
  /** Somebody at a terminal, who answers this to every question. */
  readonly answer?: string
}

/** Runs a command line; words in single quotes may hold blanks. */
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
    return answer ?? ''
  }
  const split = [...words.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const code = await runCommand(
    split,
    async (use) => use({ db, migrated: await migrate(source), production, demoData }),
    {
      line: (text) => void out.push(text),
      complaint: (text) => void err.push(text),
      ...(answer !== undefined && { ask, progress }),
    },
  )
  return { code, out: out.join('\n'), err: err.join('\n'), asked, drawn: drawn.join('') }
}
