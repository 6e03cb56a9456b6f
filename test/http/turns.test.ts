/** Fair sharing of the event loop between accounts. docs/limits.md#fair-use-of-the-processor */
import { describe, expect, onTestFinished, test } from 'vitest'
import { turnScheduler } from '../../src/http/turns.ts'
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

/** Resolves when all requests that are waiting now have got a turn. */
async function settled(): Promise<void> {
  for (let round = 0; round < 300; round++) await new Promise((resolve) => setImmediate(resolve))
}

/** One iteration of the event loop. */
const iteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

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
    await iteration()
    await iteration()
    expect(log).toEqual(['begin 1', 'continue 1', 'begin 2', 'continue 2'])
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
    await iteration()
    expect(log).toEqual(['second'])
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
