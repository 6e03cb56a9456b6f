/** Fair sharing of the event loop between accounts. docs/limits.md#fair-use-of-the-processor */
import { describe, expect, onTestFinished, test } from 'vitest'
import { turnScheduler } from '../../src/http/limits/turns.ts'
import { RequestStopped, type StopReason } from '../../src/operations/ports/work.ts'

/** A scheduler on a clock that `work` advances. */
function scheduler() {
  let now = 0
  const turns = turnScheduler(() => now)
  return {
    ...turns,
    /** Enters a request that is answered in its first turn. */
    enter(account: string, begin: () => void) {
      turns.enter(account, () => {
        begin()
        return true
      })
    },
    /** Advances the clock. */
    work(ms: number) {
      now += ms
    },
  }
}

const never = (): StopReason | undefined => undefined

/** One iteration of the event loop. */
const iteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Resolves when all requests that are waiting now have had a turn. */
async function settled(): Promise<void> {
  for (let round = 0; round < 300; round++) await iteration()
}

describe('new connections', () => {
  test('are accepted before turns are granted', async () => {
    const { accepted, enter, work } = scheduler()
    let begun = 0
    const begin = (): void => {
      begun++
      work(6)
    }
    for (let request = 0; request < 4; request++) enter('a', begin)
    await iteration()
    expect(begun).toBe(2)
    for (let connection = 0; connection < 5; connection++) {
      accepted()
      work(1)
      await iteration()
    }
    expect(begun).toBe(2)
    await settled()
    expect(begun).toBe(4)
  })

  test('delay turns by at most 25 ms', async () => {
    const { accepted, enter, work } = scheduler()
    let begun = 0
    for (let request = 0; request < 40; request++)
      enter('a', () => {
        begun++
        work(6)
      })
    for (let connection = 0; connection < 500; connection++) {
      accepted()
      work(1)
      await iteration()
    }
    expect(begun).toBe(40)
  })
})

describe('a first turn', () => {
  test('begins in the same iteration of the event loop when no request is waiting', async () => {
    const { enter } = scheduler()
    const begun: string[] = []
    enter('a', () => begun.push('a'))
    enter('b', () => begun.push('b'))
    expect(begun).toEqual([])
    await iteration()
    expect(begun).toEqual(['a', 'b'])
  })

  test('begins in the same iteration also while connections arrive', async () => {
    const { accepted, enter } = scheduler()
    let begun = 0
    for (let request = 1; request <= 5; request++) {
      accepted()
      enter('a', () => begun++)
      await iteration()
      expect(begun).toBe(request)
    }
  })

  test('comes before the promises and ticks of earlier requests that are answered', async () => {
    const { enter } = scheduler()
    const log: string[] = []
    for (const name of ['1', '2'])
      enter('a', () => {
        log.push(`begin ${name}`)
        process.nextTick(() => log.push(`write ${name}`))
      })
    await iteration()
    expect(log).toEqual(['begin 1', 'begin 2', 'write 1', 'write 2'])
  })

  test('comes after the promises and ticks of an earlier request that is not answered', async () => {
    const turns = turnScheduler()
    const log: string[] = []
    for (const name of ['1', '2'])
      turns.enter('a', () => {
        log.push(`begin ${name}`)
        process.nextTick(() => void Promise.resolve().then(() => log.push(`continue ${name}`)))
        return false
      })
    await expect.poll(() => log).toEqual(['begin 1', 'continue 1', 'begin 2', 'continue 2'])
  })

  test('is followed by the others when it throws', async () => {
    const turns = turnScheduler()
    const log: string[] = []
    const thrown = new Promise<unknown>((resolve) => {
      for (const listener of process.listeners('uncaughtException')) {
        process.off('uncaughtException', listener)
        onTestFinished(() => void process.on('uncaughtException', listener))
      }
      process.once('uncaughtException', resolve)
    })
    turns.enter('a', () => {
      throw new Error('a bug')
    })
    turns.enter('a', () => {
      log.push('second')
      return true
    })
    await expect(thrown).resolves.toMatchObject({ message: 'a bug' })
    await expect.poll(() => log).toEqual(['second'])
  })

  test('waits when the current iteration of the event loop has no time left', async () => {
    const { enter, work } = scheduler()
    const begun: string[] = []
    const begin = (name: string) => () => {
      begun.push(name)
      work(6)
    }
    for (const name of ['1', '2', '3', '4']) enter('a', begin(name))
    await iteration()
    expect(begun).toEqual(['1', '2'])
    await settled()
    expect(begun).toEqual(['1', '2', '3', '4'])
  })

  test('is granted to accounts in rotation, however many requests one of them has waiting', async () => {
    const { enter, work } = scheduler()
    const begun: string[] = []
    const begin = (name: string) => () => {
      begun.push(name)
      work(6)
    }
    for (let request = 0; request < 50; request++) enter('attacker', begin('attacker'))
    enter('b', begin('b'))
    enter('c', begin('c'))
    enter('c', begin('c'))
    await settled()
    expect(begun).toHaveLength(53)
    expect(begun.slice(0, 5)).toEqual(['attacker', 'b', 'c', 'attacker', 'c'])
  })
})

describe('the turns of a request', () => {
  test('last five milliseconds each', async () => {
    const { turnsFor, work } = scheduler()
    const turns = turnsFor('a', never)
    expect(turns.over()).toBe(false)
    work(5)
    expect(turns.over()).toBe(true)
    await turns.next()
    expect(turns.over()).toBe(false)
  })

  test('let a small request through between two turns of a large one', async () => {
    const { enter, turnsFor, work } = scheduler()
    const log: string[] = []
    const large = async (name: string) => {
      const turns = turnsFor('attacker', never)
      for (let turn = 0; turn < 20; turn++) {
        log.push(name)
        work(5)
        await turns.next()
      }
    }
    const running = [large('x'), large('y'), large('z')]
    enter('b', () => log.push('small'))
    await Promise.all(running)
    // The three large ones began in this iteration. The small one waits for at most one more turn of one of them.
    expect(log.indexOf('small')).toBeLessThanOrEqual(4)
    expect(log).toHaveLength(61)
  })

  test('give an account with small requests as much time as one with large requests', async () => {
    const { enter, turnsFor, work } = scheduler()
    let order = ''
    const turns = turnsFor('attacker', never)
    const large = async () => {
      for (let turn = 0; turn < 20; turn++) {
        order += 'L'
        work(5)
        await turns.next()
      }
    }
    const running = large()
    for (let request = 0; request < 100; request++)
      enter('b', () => {
        order += 's'
        work(1)
      })
    await running
    // The first turn began outside the rotation.
    expect(order).toBe(`L${'Lsssss'.repeat(19)}`)
  })

  test('are granted to the oldest request of an account first, alternating with new requests', async () => {
    const { enter, turnsFor, work } = scheduler()
    const log: string[] = []
    const large = async (name: string) => {
      const turns = turnsFor('a', never)
      for (let turn = 0; turn < 3; turn++) {
        log.push(name)
        work(5)
        await turns.next()
      }
    }
    const running = [large('x'), large('y')]
    for (let request = 0; request < 3; request++)
      enter('a', () => {
        log.push('small')
        work(5)
      })
    await Promise.all(running)
    await settled()
    expect(log).toEqual(['x', 'y', 'small', 'x', 'small', 'x', 'small', 'y', 'y'])
  })

  test('let sockets and timers run between rounds', async () => {
    const { turnsFor, work } = scheduler()
    const turns = turnsFor('a', never)
    let timers = 0
    const timer = setInterval(() => timers++, 1)
    // Without a pause between rounds no timer would run, and this loop would not end.
    while (timers < 3) {
      work(20)
      await turns.next()
    }
    clearInterval(timer)
  })

  test.each(['deadline', 'disconnected'] as const)('end when the request is stopped: %s', async (reason) => {
    let stopped: StopReason | undefined
    const turns = scheduler().turnsFor('a', () => stopped)
    await turns.next()
    stopped = reason
    await expect(turns.next()).rejects.toMatchObject({ reason })
    await expect(turns.next()).rejects.toBeInstanceOf(RequestStopped)
  })
})

describe('accounts whose turns take longer than the time of an account', () => {
  /** Accounts that always have a waiting request. `spent` is the time of their turns. */
  function busyAccounts(untilMs: number) {
    const { enter, turnsFor, work } = scheduler()
    let now = 0
    const spent = new Map<string, number>()
    const spend = (account: string, ms: number): void => {
      work(ms)
      now += ms
      spent.set(account, (spent.get(account) ?? 0) + ms)
    }
    return {
      ...{ enter, spend, spent, now: () => now },
      /** Small requests: each is answered in its first turn. */
      small(account: string, turnMs: number, waiting = 20) {
        const begin = (): void => {
          spend(account, turnMs)
          if (now < untilMs) enter(account, begin)
        }
        for (let request = 0; request < waiting; request++) enter(account, begin)
      },
      /** A large request. */
      async large(account: string, turnMs: number) {
        const turns = turnsFor(account, never)
        while (now < untilMs) {
          await turns.next()
          spend(account, turnMs)
        }
      },
      /** One client that sends a request when it has the response to the last one, so that often none is waiting. */
      async sequential(account: string, turnMs: number) {
        while (now < untilMs) {
          await new Promise<void>((resolve) =>
            enter(account, () => {
              spend(account, turnMs)
              setImmediate(resolve)
            }),
          )
        }
      },
    }
  }

  test.each(['large', 'sequential'] as const)('get equal time over ten seconds: %s', async (kind) => {
    const load = busyAccounts(10_000)
    load.small('b', 0.3)
    await load[kind]('a', 20)
    const [a = 0, b = 0] = [load.spent.get('a'), load.spent.get('b')]
    expect(Math.abs(a - b)).toBeLessThan(100)
  })

  test('get equal time also if there are more accounts', async () => {
    const load = busyAccounts(10_000)
    const running = [load.large('a', 20), load.large('b', 12), load.large('c', 7)]
    load.small('d', 0.3)
    load.small('e', 3)
    await Promise.all(running)
    for (const account of ['a', 'b', 'c', 'd', 'e'])
      expect(Math.abs((load.spent.get(account) ?? 0) - 2_000)).toBeLessThan(100)
  })

  test('wait for a limited time after a turn, however long it was', async () => {
    const load = busyAccounts(2_000)
    load.enter('a', () => load.spend('a', 1_000))
    let again = 0
    load.enter('a', () => {
      again = load.now()
    })
    load.small('b', 1)
    load.small('c', 1)
    await settled()
    // At most six times of 5 ms for each of the others.
    expect(again).toBeGreaterThan(1_040)
    expect(again).toBeLessThan(1_070)
  })

  test('do not wait if no other account has a waiting request', async () => {
    const load = busyAccounts(1_000)
    load.small('a', 20, 2)
    for (let turn = 1; turn <= 50; turn++) {
      await iteration()
      expect(load.spent.get('a')).toBe(20 * turn)
    }
  })

  test('do not save time while they are idle', async () => {
    const load = busyAccounts(2_000)
    load.enter('a', () => load.spend('a', 1))
    load.small('b', 1)
    while (load.now() < 1_000) await iteration()
    const [before, from] = [load.spent.get('b') ?? 0, load.now()]
    load.small('a', 1)
    while (load.now() < from + 100) await iteration()
    expect((load.spent.get('b') ?? 0) - before).toBeGreaterThan(40)
  })
})

test('the waits of an account are those of its own requests', async () => {
  const { enter, turnsFor, waits, work } = scheduler()
  expect(waits('a')).toEqual({ unstarted: 0, started: 0, firstTurnMs: 0, laterTurnMs: 0 })
  const next = turnsFor('a', never).next()
  work(20)
  enter('a', () => {})
  work(10)
  enter('a', () => {})
  expect(waits('a')).toEqual({ unstarted: 2, started: 1, firstTurnMs: 10, laterTurnMs: 30 })
  expect(waits('b')).toEqual({ unstarted: 0, started: 0, firstTurnMs: 0, laterTurnMs: 0 })
  await next
  await settled()
  expect(waits('a')).toEqual({ unstarted: 0, started: 0, firstTurnMs: 0, laterTurnMs: 0 })
})
