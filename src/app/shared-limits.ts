/** Opens the limits of callers that replicas share, and reports whether their store is available. */

import { openSharedBudgets, type SharedBudgets } from '../http/limits/shared-budgets.ts'
import { describeError } from '../http/masking.ts'
import type { Instruments } from '../metrics/instruments.ts'
import type { Alert } from '../operations/ports/ports.ts'
import type { SpendingStore } from '../operations/ports/spending.ts'
import { openDatabase } from '../store/database/open.ts'
import { postgresSpending } from '../store/limits/postgres-spending.ts'
import type { Context, Opened } from './context.ts'

/** Undefined if limits are not shared. A store that is unavailable does not delay the start. */
export async function openSharedLimits(
  context: Context,
  { followers }: Opened,
  { alert, instruments }: { alert(alert: Alert): void; readonly instruments: Instruments | undefined },
): Promise<SharedBudgets | undefined> {
  const store = await openStore(context)
  if (store === undefined) return undefined
  const { log } = context
  const onExchange = instruments?.sharedLimits
  const budgets = openSharedBudgets(store, {
    onLost: (error) =>
      log.warn(
        { event: 'limits.store_lost', error: describeError(error, []) },
        'the store of shared limits is unavailable; this process limits callers by itself',
      ),
    onLasting: (error) => alert({ kind: 'SHARED_LIMITS_LOST', detail: describeError(error, []).message }),
    onAvailable: (lostMs) =>
      log.info(
        { event: 'limits.store_available', lostMs: Math.round(lostMs) },
        'the store of shared limits is available again',
      ),
    ...(onExchange !== undefined && { onExchange }),
  })
  followers.push(budgets)
  return budgets
}

async function openStore({ config, home }: Context): Promise<SpendingStore | undefined> {
  const { sharedLimits } = config
  if (sharedLimits === undefined) return undefined
  if (sharedLimits.kind === 'redis') {
    const { redisSpending } = await import('../store/limits/redis-spending.ts')
    return redisSpending(sharedLimits)
  }
  return postgresSpending(
    openDatabase(home.source, {
      poolSize: 1,
      connectionWaitMs: STATEMENT_MS,
      statementTimeoutMs: STATEMENT_MS,
    }),
  )
}

/** For an exchange, which takes about a millisecond. */
const STATEMENT_MS = 1_000
