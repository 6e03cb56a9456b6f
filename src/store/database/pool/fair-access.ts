/**
 * Shares the connections of a pool between accounts. An account uses at most a few of them at once, and accounts whose
 * statements wait are served in rotation. In the queue of the pool itself, statements of one account would hold up all
 * others. See docs/limits.md#database-connections.
 */
import { NotExecuted } from '../../../operations/ports/shipments.ts'
import { Overload } from '../outage.ts'

export type Shares = {
  /** Statements that run at once: the connections of the pool. */
  readonly places: number
  /** Those of one account. Less than `places`, so that other accounts do not wait for it. */
  readonly perAccount: number
  /** Statements of one account that may wait. */
  readonly waitingMax: number
  /** How long a statement waits. */
  readonly waitMs: number
}

export type FairAccess = {
  /** Runs a statement. Throws NotExecuted if too many of the account are waiting, or if it has waited for too long. */
  run<Result>(account: string, statement: () => Promise<Result>): Promise<Result>
}

/** How many statements wait for a connection of a pool before they reach the queue of the pool itself. */
export type Queue = { waiting: number }

type Waiter = { readonly start: () => void; readonly timer: NodeJS.Timeout }

/** The statements of an account. It is forgotten when it has none. */
type Account = { running: number; readonly waiting: Set<Waiter> }

/** `queue` is kept up to date, for the metrics. */
export function fairAccess(
  { places, perAccount, waitingMax, waitMs }: Shares,
  queue: Queue = { waiting: 0 },
): FairAccess {
  /** The account that was served last is the last one. */
  const accounts = new Map<string, Account>()
  let running = 0
  const oneByOne = callOneByOne()

  const canStart = (account: Account): boolean => running < places && account.running < perAccount

  const enter = (account: Account): void => {
    account.running += 1
    running += 1
  }

  const leave = (name: string, account: Account): void => {
    account.running -= 1
    running -= 1
    if (account.running === 0 && account.waiting.size === 0) accounts.delete(name)
    startNext()
  }

  /** Starts the oldest statement of the account that was served least recently. */
  const startNext = (): void => {
    for (const [name, account] of accounts) {
      const [next] = account.waiting
      if (next === undefined || !canStart(account)) continue
      account.waiting.delete(next)
      queue.waiting -= 1
      clearTimeout(next.timer)
      accounts.delete(name)
      accounts.set(name, account)
      enter(account)
      next.start()
      return
    }
  }

  const wait = (name: string, account: Account): Promise<void> =>
    new Promise((resolve, reject) => {
      if (account.waiting.size >= waitingMax)
        return reject(notExecuted('too many statements of this account are waiting'))
      const giveUp = (): void => {
        account.waiting.delete(waiter)
        queue.waiting -= 1
        if (account.running === 0 && account.waiting.size === 0) accounts.delete(name)
        oneByOne(() => reject(notExecuted(`no connection became free within ${waitMs} ms`)))
      }
      const waiter = { start: resolve, timer: setTimeout(giveUp, waitMs) }
      account.waiting.add(waiter)
      queue.waiting += 1
    })

  return {
    async run(name, statement) {
      const account = accounts.get(name) ?? { running: 0, waiting: new Set() }
      accounts.set(name, account)
      if (account.waiting.size === 0 && canStart(account)) enter(account)
      else await wait(name, account)
      try {
        return await statement()
      } finally {
        leave(name, account)
      }
    },
  }
}

function notExecuted(reason: string): NotExecuted {
  return new NotExecuted(new Overload(reason))
}

/**
 * The store with every call through `access`, for the account that `accountOf` finds in the first argument. A method
 * may run several statements, but one after the other.
 */
export function withFairAccess<Store extends object>(
  store: Store,
  access: FairAccess,
  accountOf: (argument: unknown) => string,
): Store {
  const methods: readonly [string, (...given: readonly unknown[]) => Promise<unknown>][] =
    Object.entries(store)
  const shared = methods.map(([name, method]) => [
    name,
    (...given: readonly unknown[]) => access.run(accountOf(given[0]), () => method(...given)),
  ])
  // The entries are those of the store, with functions that take and return the same.
  return Object.fromEntries(shared) as Store
}

/**
 * Returns a function that calls each function that it gets in an iteration of the event loop of its own. The waits of a
 * crowd of statements end at the same moment, and answering all of their requests at once would delay other requests.
 */
function callOneByOne(): (end: () => void) => void {
  const ends: (() => void)[] = []
  const callNext = (): void => {
    ends.shift()?.()
    if (ends.length > 0) setImmediate(callNext)
  }
  return (end) => {
    ends.push(end)
    if (ends.length === 1) setImmediate(callNext)
  }
}

/** For stores of shipments: the first argument is an account or has one. Calls without one share a name. */
export function accountOfCall(argument: unknown): string {
  if (typeof argument === 'string') return argument
  const { accountId } = Object(argument) as { readonly accountId?: unknown }
  return typeof accountId === 'string' ? accountId : ''
}

/** For scans: those of one carrier share a name. */
export function carrierOfCall(argument: unknown): string {
  const { carrierCode } = Object(argument) as { readonly carrierCode?: unknown }
  return `scans ${typeof carrierCode === 'string' ? carrierCode : ''}`
}
