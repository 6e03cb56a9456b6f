/**
 * Shares budgets among replicas through a store. A process counts for itself, so no request waits for the store. It
 * sends what it has spent in the background: the units of a name at once when they reach a block, otherwise within a
 * second. The answer tells what all processes have spent. A limit can therefore be exceeded by less than a block for
 * each process, and by what they admit during an exchange. While the store is unavailable, each process continues with
 * what it knows. See docs/limits.md#shared-limits.
 */
import { createHash } from 'node:crypto'
import type { Spending, SpendingStore } from '../../operations/ports/spending.ts'
import { answeredWithin } from '../../operations/ports/work.ts'
import type { Budget } from './budget.ts'
import { openQueue, type Queue, type Source } from './unsent-units.ts'

export type SharedBudgetsOptions = {
  /** The store failed for the first time after it was available. */
  onLost(error: unknown): void
  /** It has been unavailable for `LASTING_FAILURES` exchanges in a row. Called once. */
  onLasting(error: unknown): void
  /** It is available again after `lostMs`. */
  onAvailable(lostMs: number): void
  /** After each exchange, for metrics. */
  onExchange?(milliseconds: number, isFailed: boolean): void
  /** A monotonic clock in milliseconds; default `performance.now`. */
  readonly now?: () => number
}

export type SharedBudgets = {
  /** The budget, shared. `id` distinguishes it from others in the store. */
  share(id: string, budget: Budget): Budget
  /** False from a failed exchange until one succeeds. */
  isAvailable(): boolean
  /** Sends what is left, and ends. */
  close(): Promise<void>
}

/** The share of a limit, in percent, that a process spends before it tells the others at once. */
const BLOCK_PERCENT = 2
/** For small limits. */
const BLOCK_MIN = 3
/** Units below a block are sent after this time. */
const SEND_AFTER_MS = 1_000
/** Between exchanges for blocks and confirmations, and between those for what is left. */
const SPACING_MS = { urgent: 5, others: 250 }
/** An exchange without an answer within this time has failed. */
const EXCHANGE_LIMIT_MS = 1_000
/** How long a request waits at most. */
const CONFIRM_LIMIT_MS = 50
/** Between exchanges while the store is unavailable. */
const RETRY_MS = 1_000
const LASTING_FAILURES = 3
/** Between exchanges while nothing is spent, which show whether the store is available. */
const IDLE_MS = 5_000
const CLOSE_LIMIT_MS = 500
/** A timer can be early, because the event loop counts whole milliseconds. */
const TIMER_EARLY_MS = 2

export function openSharedBudgets(store: SpendingStore, options: SharedBudgetsOptions): SharedBudgets {
  const { now = () => performance.now() } = options
  const queue = openQueue(now)
  const health = watchHealth(options, now)
  const exchanges = startExchanges(store, queue, health, now)
  return {
    share: (id, budget) => sharedBudget(id, budget, { queue, health, exchanges }),
    isAvailable: health.isAvailable,
    close: exchanges.close,
  }
}

type Parts = { readonly queue: Queue; readonly health: Health; readonly exchanges: Exchanges }

function sharedBudget(id: string, budget: Budget, { queue, health, exchanges }: Parts): Budget {
  const source = queue.open(id, budget)
  const add = (name: string, units: number, limit: number): void => {
    if (queue.add(source, name, units, blockOf(limit))) exchanges.schedule()
  }
  const revoke = (name: string, units: number, limit = budget.limit): number | undefined => {
    const wait = budget.revoke(name, units, limit)
    if (wait !== undefined) add(name, -units, limit)
    return wait
  }
  return {
    ...budget,
    revoke,
    giveBack(name, units) {
      budget.giveBack(name, units)
      add(name, -units, budget.limit)
    },
    spend(name, units = 1, limit = budget.limit) {
      const wait = budget.spend(name, units, limit)
      if (wait === undefined) add(name, units, limit)
      return wait
    },
    addSpent(name, units) {
      budget.addSpent(name, units)
      add(name, units, budget.limit)
    },
    confirm(name, units, limit) {
      if (!health.isFast()) return undefined
      queue.urge(source, name)
      return exchanges.next().then(() => (health.isFast() ? revoke(name, units, limit) : undefined))
    },
  }
}

type Exchanges = ReturnType<typeof startExchanges>

/** Exchanges what is in the queue, one exchange at a time. */
function startExchanges(store: SpendingStore, queue: Queue, health: Health, now: () => number) {
  let waiting: (() => void)[] = []
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let endedAt = now()
  let isClosed = false

  const exchange = async (limits: ExchangeLimits): Promise<void> => {
    clearTimeout(timer)
    timerAt = Number.POSITIVE_INFINITY
    const answered = waiting
    waiting = []
    await exchangeOnce(store, queue, health, { ...limits, now })
    endedAt = now()
    running = undefined
    for (const resolve of answered) resolve()
    schedule()
  }
  const schedule = (): void => {
    if (isClosed || running !== undefined) return
    const at = Math.max(now(), dueAt(endedAt, waiting.length > 0, queue, health))
    if (at >= timerAt) return
    clearTimeout(timer)
    timerAt = at
    timer = setTimeout(() => {
      running = exchange({ limitMs: EXCHANGE_LIMIT_MS, leastMs: SEND_AFTER_MS - TIMER_EARLY_MS })
    }, at - now())
    timer.unref()
  }
  schedule()
  return {
    /** Call it if the queue may be due sooner than before. */
    schedule,
    /** Resolves after the next exchange that begins, or when the time is over. */
    next: (): Promise<void> =>
      new Promise((resolve) => {
        const late = setTimeout(() => {
          health.slow()
          resolve()
        }, CONFIRM_LIMIT_MS)
        waiting.push(() => {
          clearTimeout(late)
          resolve()
        })
        schedule()
      }),
    async close(): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await running
      if (health.isAvailable() && queue.oldestMs() !== undefined)
        await exchange({ limitMs: CLOSE_LIMIT_MS, leastMs: 0 })
      await store.close()
    },
  }
}

/** When the next exchange begins. */
function dueAt(endedAt: number, isAwaited: boolean, queue: Queue, health: Health): number {
  if (!health.isAvailable()) return endedAt + RETRY_MS
  if (queue.hasUrgent() || isAwaited) return endedAt + SPACING_MS.urgent
  const oldest = queue.oldestMs()
  if (oldest === undefined) return endedAt + IDLE_MS
  return Math.max(oldest + SEND_AFTER_MS, endedAt + SPACING_MS.others)
}

type ExchangeLimits = {
  readonly limitMs: number
  /** Units below a block are sent when they are as old as this. */
  readonly leastMs: number
}

/**
 * Never rejects. After a failure, exchanges are empty until one succeeds: the store may have received what it did not
 * answer, and would count it again with each attempt.
 */
async function exchangeOnce(
  store: SpendingStore,
  queue: Queue,
  health: Health,
  { limitMs, leastMs, now }: ExchangeLimits & { readonly now: () => number },
): Promise<void> {
  queue.dropOld()
  const batch = health.isAvailable() ? queue.take(leastMs) : []
  const begunAt = now()
  try {
    const spendings = batch.map(
      ({ source, name, units, unitsBefore }): Spending => ({
        name: digestOf(source, name),
        units: units + unitsBefore,
      }),
    )
    const known = await answeredWithin(store.exchange(spendings), limitMs)
    batch.forEach(({ source: { budget, unsent }, name }, nth) => {
      // Since the exchange began, so all of them are new.
      const unsentUnits = unsent.get(name)?.units ?? 0
      budget.raise(name, known.get(spendings[nth]?.name ?? '') ?? [], unsentUnits)
    })
    health.succeeded(now() - begunAt)
  } catch (error) {
    queue.putBack(batch)
    health.failed(error, now() - begunAt)
  }
}

function blockOf(limit: number): number {
  return Math.max(BLOCK_MIN, Math.floor((limit * BLOCK_PERCENT) / 100))
}

/** 128 bits, so that no two names share their units. */
function digestOf({ id }: Source, name: string): string {
  return createHash('sha256').update(`${id} ${name}`).digest('base64url').slice(0, 22)
}

type Health = ReturnType<typeof watchHealth>

function watchHealth(
  { onLost, onLasting, onAvailable, onExchange }: SharedBudgetsOptions,
  now: () => number,
) {
  let failures = 0
  let lostAt = 0
  /** A request has waited in vain since the last exchange that was fast enough. */
  let isSlow = false
  return {
    isAvailable: (): boolean => failures === 0,
    isFast: (): boolean => failures === 0 && !isSlow,
    slow(): void {
      isSlow = true
    },
    succeeded(milliseconds: number): void {
      onExchange?.(milliseconds, false)
      if (milliseconds < CONFIRM_LIMIT_MS) isSlow = false
      if (failures > 0) onAvailable(now() - lostAt)
      failures = 0
    },
    failed(error: unknown, milliseconds: number): void {
      onExchange?.(milliseconds, true)
      failures += 1
      if (failures === 1) {
        lostAt = now()
        onLost(error)
      }
      if (failures === LASTING_FAILURES) onLasting(error)
    },
  }
}
