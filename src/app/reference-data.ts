/** Opens what requests read from memory: the rate book, the customs tables and the classifier. */
import type { FastifyBaseLogger } from 'fastify'
import { rememberCandidates } from '../classifiers/candidate-cache.ts'
import { compiledClassifier, moduleClassifier } from '../classifiers/classifiers.ts'
import type { Config } from '../config/config.ts'
import type { CompiledCustoms } from '../core/customs/compiled-customs.ts'
import { nextEditionDue, overdueSets } from '../core/customs/data/edition.ts'
import { describeError } from '../http/masking.ts'
import type { Classifier } from '../operations/ports/ports.ts'
import { SYSTEM_EFFECTS, today } from '../operations/ports/ports.ts'
import { readHs2022Codes } from '../reference/customs.ts'
import { loadLexicon } from '../reference/lexicon-reader/lexicon.ts'
import { openLiveCustoms } from '../store/customs/live-customs.ts'
import type { Pools } from '../store/database/pool/pools.ts'
import { openLiveRateBook } from '../store/rate-cards/rate-book.ts'
import type { Context, Opened } from './context.ts'

/** Opens the rate book and the customs tables. Both are updated when the database changes. */
export async function openReferenceData(
  { config, home, log, options: { customsWorker, clock = SYSTEM_EFFECTS.clock } }: Context,
  { own: db, wholeTables }: Pools,
  { followers }: Opened,
) {
  const options = (dataName: string) => ({
    source: home.source,
    listen: config.listen,
    pollMs: config.rateBookPollMs,
    wholeTables,
    onFault: (error: unknown) =>
      log.warn(
        { event: 'reference.failed', error: describeError(error, []) },
        `${dataName} could not be updated; the previous version stays in use`,
      ),
  })
  const rateBook = await openLiveRateBook({
    ...options('the rate book'),
    db,
    historyDays: config.rateHistoryDays,
    onSwap: ({ revision }) => log.info({ event: 'rates.updated', revision }, 'the rate book was updated'),
  })
  followers.push(rateBook)
  const customs = await openLiveCustoms(db, {
    ...options('the customs tables'),
    workerFile: customsWorker,
    onSwap: (revision) => {
      log.info({ event: 'customs.updated', revision }, 'the customs tables were updated')
      reportOverdue(log, customs.current(), today(clock))
    },
  })
  followers.push(customs)
  reportOverdue(log, customs.current(), today(clock))
  return { rateBook, customs }
}

/** Warns of customs data sets whose next edition is due: at the start, and whenever the data change. */
function reportOverdue(log: FastifyBaseLogger, { setsInUse }: CompiledCustoms, day: string): void {
  const overdue = overdueSets(setsInUse, day).map((set) => `${set.name} (due ${nextEditionDue(set)})`)
  if (overdue.length > 0)
    log.warn({ event: 'customs.overdue', overdue }, 'customs data sets are overdue; see waybill customs list')
}

export async function openClassifier(
  { classifier }: Config,
  reportFault: (error: unknown) => void,
): Promise<Classifier> {
  const shipped = rememberCandidates(compiledClassifier(loadLexicon()))
  const codes = readHs2022Codes()
  return classifier === undefined
    ? shipped
    : moduleClassifier(classifier.path, shipped, {
        timeoutMs: classifier.timeoutMs,
        isCode: (code) => codes.has(code),
        reportFault,
      })
}
