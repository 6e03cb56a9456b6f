/**
 * The customs tables in memory follow the database. After the start they are read in a worker thread, which takes up to
 * a few seconds, while this thread answers requests. See docs/architecture.md#a-new-rate-card.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Kysely } from 'kysely'
import type { CompiledCustoms } from '../../core/customs/compiled-customs.ts'
import type { Database } from '../database/database.ts'
import { type FollowOptions, type LiveReference, openLiveReference } from '../database/live-reference.ts'
import type { DatabaseSource } from '../database/open.ts'
import { CUSTOMS } from '../database/revision.ts'
import { type Edition, openEdition, readEdition, type SortedEdition } from './customs.ts'

/** The tables that estimates use. */
export type LiveCustoms = LiveReference<CompiledCustoms>

export type LiveCustomsOptions = Omit<FollowOptions<unknown>, 'onSwap'> & {
  readonly onSwap?: (revision: number) => void
  /** The program of the worker thread. Tests set it to compiled JavaScript, which starts faster. */
  readonly workerFile?: URL | undefined
}

/**
 * Reads the tables and follows changes in the database. `onSwap` is called with each new revision. Throws when the
 * first read fails.
 */
export async function openLiveCustoms(
  db: Kysely<Database>,
  { onSwap, workerFile = WORKER_FILE, ...follow }: LiveCustomsOptions,
): Promise<LiveCustoms> {
  const live = await openLiveReference<Edition>(
    {
      db,
      revisioned: CUSTOMS,
      revisionOf: ({ revision }) => revision,
      read: async (from, previous, closed) => {
        // No requests are answered during the first read.
        if (previous === undefined) return openEdition(await readEdition(from))
        const edition = await readInWorker(workerFile, follow.source, closed)
        // Receiving it and opening it take a few milliseconds each.
        await nextTurn()
        return openEdition(edition)
      },
    },
    { ...follow, ...(onSwap && { onSwap: ({ revision }) => onSwap(revision) }) },
  )
  return { ...live, current: () => live.current().tables }
}

export type WorkerInput = { readonly source: DatabaseSource }

const WORKER_FILE = new URL(
  `./customs-worker.${import.meta.url.endsWith('.js') ? 'js' : 'ts'}`,
  import.meta.url,
)

/** Node 20 does not run the TypeScript of `src` by itself. */
function typescriptOptions(): WorkerOptions {
  const register = `import { register } from '${import.meta.resolve('tsx/esm/api')}'; register()`
  return { execArgv: ['--import', `data:text/javascript,${register}`] }
}

/** Rejects if the worker fails or ends, and when `closed` is aborted. */
async function readInWorker(file: URL, source: DatabaseSource, closed: AbortSignal): Promise<SortedEdition> {
  closed.throwIfAborted()
  const workerData: WorkerInput = { source }
  const isTypeScript = file.pathname.endsWith('.ts')
  const worker = new Worker(file, { workerData, ...(isTypeScript && typescriptOptions()) })
  const end = (): void => void worker.terminate()
  closed.addEventListener('abort', end)
  try {
    return await new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', (code) => reject(new Error(`the customs worker ended with code ${code}`)))
    })
  } finally {
    closed.removeEventListener('abort', end)
  }
}
