/** The customs tables in memory follow publications and withdrawals while the service runs. */
import { type PluginTransformQueryArgs, type PluginTransformResultArgs, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { lineCodes } from '../../../src/core/customs/tariff/tariff.ts'
import {
  type LiveCustoms,
  type LiveCustomsOptions,
  openLiveCustoms,
} from '../../../src/store/customs/live-customs.ts'
import {
  importCustomsSet,
  publishCustomsSet,
  withdrawCustomsSet,
} from '../../../src/store/customs/publication.ts'
import { CUSTOMS, readRevision } from '../../../src/store/database/revision.ts'
import { customsWorker } from '../../support/app/compiled-programs.ts'
import { type ClonedDatabase, cloneDatabase } from '../../support/database/clone-database.ts'
import { exchangeRateSet, tariffSet } from './small-customs-set.ts'

const NEVER_MS = 3_600_000
/** Long enough for a busy machine. */
const PATIENCE = { timeout: 60_000 }
let clone: ClonedDatabase
let live: LiveCustoms
const faults: unknown[] = []

beforeEach(async () => {
  clone = await cloneDatabase({ statementTimeoutMs: 0 })
  faults.length = 0
})
afterEach(async () => {
  await live.close()
  await clone.drop()
})

/** Opens live tables. The returned function waits for the next revision. */
async function follow(
  how: Pick<LiveCustomsOptions, 'listen' | 'pollMs' | 'workerFile'>,
  db = clone.db,
): Promise<() => Promise<number>> {
  const waiting: ((revision: number) => void)[] = []
  live = await openLiveCustoms(db, {
    workerFile: customsWorker(),
    ...how,
    source: clone.source,
    onSwap: (revision) => {
      for (const resolve of waiting.splice(0)) resolve(revision)
    },
    onFault: (fault) => faults.push(fault),
  })
  return () => new Promise((resolve) => waiting.push(resolve))
}

/** The number of codes in the British tariff; two if the small set replaces it. */
const britishCodes = (): number => lineCodes(live.current().tariffs.get('GB')!).length

/** The database, and the number of statements that this thread has sent to it. */
function countStatements() {
  let count = 0
  const transformQuery = ({ node }: PluginTransformQueryArgs) => {
    count += 1
    return node
  }
  const transformResult = async ({ result }: PluginTransformResultArgs) => result
  return { db: clone.db.withPlugin({ transformQuery, transformResult }), count: () => count }
}

describe('the live customs tables', () => {
  test('follow a publication by its notification alone, also with a worker in TypeScript', async () => {
    const nextRevision = await follow({ listen: true, pollMs: NEVER_MS, workerFile: undefined })
    await importCustomsSet(clone.db, tariffSet('uk-new', 100_000))
    const next = nextRevision()
    await publishCustomsSet(clone.db, 'uk-new')
    expect(await next).toBe(await readRevision(clone.db, CUSTOMS))
    expect(britishCodes()).toBe(2)
  })

  test('follow publication, withdrawal and another publication by polling alone', async () => {
    const nextRevision = await follow({ listen: false, pollMs: 50 })
    const shipped = britishCodes()
    await importCustomsSet(clone.db, tariffSet('uk-new', 100_000))
    const seen: number[] = []
    for (const change of [publishCustomsSet, withdrawCustomsSet, publishCustomsSet]) {
      const next = nextRevision()
      await change(clone.db, 'uk-new')
      await next
      seen.push(britishCodes())
    }
    expect(seen).toEqual([2, shipped, 2])
  })

  test('are replaced as one object; an object in use does not change', async () => {
    await follow({ listen: false, pollMs: NEVER_MS })
    const held = live.current()
    await importCustomsSet(clone.db, tariffSet('uk-new', 100_000))
    await publishCustomsSet(clone.db, 'uk-new')
    await live.refresh()
    expect(live.current() === held).toBe(false)
    expect(lineCodes(held.tariffs.get('GB')!).length).toBeGreaterThan(9_000)
    expect(britishCodes()).toBe(2)
  })

  test('do not change for a draft', async () => {
    await follow({ listen: false, pollMs: NEVER_MS })
    const held = live.current()
    await importCustomsSet(clone.db, exchangeRateSet('rates', '1.25'))
    await live.refresh()
    expect(live.current()).toBe(held)
  })

  test('follow the renaming of a set', async () => {
    await follow({ listen: false, pollMs: NEVER_MS })
    await importCustomsSet(clone.db, exchangeRateSet('rates', '1.25'))
    await publishCustomsSet(clone.db, 'rates')
    await live.refresh()
    await sql`update customs_data_set set data_set = 'rates-own' where data_set = 'rates'`.execute(clone.db)
    await importCustomsSet(clone.db, exchangeRateSet('other', '1.3'))
    await publishCustomsSet(clone.db, 'other')
    await live.refresh()
    expect(live.current().dataSets.has('rates-own')).toBe(true)
  })

  test('stay unchanged while the database is unavailable, report it, and catch up', async () => {
    const nextRevision = await follow({ listen: false, pollMs: 50 })
    const held = live.current()
    await sql`alter table customs_book rename to customs_book_away`.execute(clone.db)
    await expect.poll(() => faults.length, PATIENCE).toBeGreaterThan(0)
    expect(live.current()).toBe(held)
    await sql`alter table customs_book_away rename to customs_book`.execute(clone.db)
    await importCustomsSet(clone.db, tariffSet('uk-new', 100_000))
    const next = nextRevision()
    await publishCustomsSet(clone.db, 'uk-new')
    await next
    expect(britishCodes()).toBe(2)
  })

  test('are read by another thread, after the start: this one reads only the revision', async () => {
    const { db, count } = countStatements()
    await follow({ listen: false, pollMs: NEVER_MS }, db)
    const atStart = count()
    expect(atStart).toBeGreaterThan(1)
    await importCustomsSet(clone.db, tariffSet('uk-new', 100_000))
    await publishCustomsSet(clone.db, 'uk-new')
    await live.refresh()
    expect(britishCodes()).toBe(2)
    expect(count() - atStart).toBe(1)
  })

  test('stay unchanged if that thread fails, report it, and catch up', async () => {
    await follow({ listen: false, pollMs: NEVER_MS })
    const held = live.current()
    await importCustomsSet(clone.db, tariffSet('uk-new', 100_000))
    await publishCustomsSet(clone.db, 'uk-new')
    await sql`alter table customs_measure rename to customs_measure_away`.execute(clone.db)
    await expect(live.refresh()).rejects.toThrow('relation "customs_measure" does not exist')
    expect(live.current()).toBe(held)
    await sql`alter table customs_measure_away rename to customs_measure`.execute(clone.db)
    await live.refresh()
    expect(britishCodes()).toBe(2)
  })

  test('can be closed while that thread waits for the database', async () => {
    await follow({ listen: false, pollMs: 50 })
    const held = live.current()
    const isWaiting = async () => {
      const { rows } = await sql<{ waiting: number }>`
        select count(*)::integer as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(clone.db)
      return rows[0]?.waiting === 1
    }
    await importCustomsSet(clone.db, tariffSet('uk-new', 100_000))
    await publishCustomsSet(clone.db, 'uk-new')
    await clone.db.transaction().execute(async (transaction) => {
      await sql`lock table customs_measure in access exclusive mode`.execute(transaction)
      await expect.poll(isWaiting, { timeout: 60_000 }).toBe(true)
      await live.close()
    })
    expect(live.current()).toBe(held)
    expect(faults).toEqual([])
  })
})
