/** Refusals while the processor is overloaded. docs/limits.md#overload */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { afterEach, describe, expect, test } from 'vitest'
import { loopDelay, overloadControl, overloadReport, shedOverload } from '../../src/http/limits/overload.ts'
import type { Waits } from '../../src/http/limits/turns.ts'
import { GOOD_HEADER, probeDoor, testServer } from './test-socket.ts'

const CALM: Waits = { unstarted: 0, started: 0, firstTurnMs: 0, laterTurnMs: 0 }

describe('an account', () => {
  /** A control whose waits can be changed. */
  function control(isLoopLate = false) {
    const waits: Record<string, Partial<Waits>> = {}
    const { refuses } = overloadControl(
      (account) => ({ ...CALM, unstarted: 10, started: 10, ...waits[account] }),
      () => isLoopLate,
      250,
    )
    return { waits, refuses }
  }

  test.each([
    ['a first turn', { firstTurnMs: 249 }, { firstTurnMs: 250 }],
    ['a later turn', { laterTurnMs: 499 }, { laterTurnMs: 500 }],
  ])('is refused while its requests wait too long for %s', (_name, below, above) => {
    const { waits, refuses } = control()
    waits['a'] = below
    expect(refuses('a', 0)).toBe(false)
    waits['a'] = above
    expect(refuses('a', 0)).toBe(true)
    expect(refuses('b', 0)).toBe(false)
  })

  test.each([
    ['eight unstarted requests', { firstTurnMs: 5_000 }, { unstarted: 7 }, { unstarted: 8 }],
    ['three started requests', { laterTurnMs: 5_000 }, { started: 2 }, { started: 3 }],
  ])('is not refused with fewer than %s', (_name, wait, below, enough) => {
    const { waits, refuses } = control()
    waits['a'] = { ...wait, ...below }
    expect(refuses('a', 0)).toBe(false)
    waits['a'] = { ...wait, ...enough }
    expect(refuses('a', 0)).toBe(true)
  })

  test('has lower limits until it was not refused for a second', () => {
    const { waits, refuses } = control()
    waits['a'] = { firstTurnMs: 250 }
    expect(refuses('a', 0)).toBe(true)
    waits['a'] = { firstTurnMs: 100 }
    expect(refuses('a', 500)).toBe(true)
    waits['a'] = { firstTurnMs: 99 }
    expect(refuses('a', 600)).toBe(false)
    waits['a'] = { firstTurnMs: 100 }
    expect(refuses('a', 1_499)).toBe(true)
    expect(refuses('a', 2_499)).toBe(false)
  })

  test('has the lower limits while the event loop is late', () => {
    const { waits, refuses } = control(true)
    waits['a'] = { firstTurnMs: 99, laterTurnMs: 249 }
    expect(refuses('a', 0)).toBe(false)
    waits['a'] = { firstTurnMs: 100 }
    expect(refuses('a', 0)).toBe(true)
    waits['b'] = { laterTurnMs: 250 }
    expect(refuses('b', 0)).toBe(true)
  })
})

describe('the event loop', () => {
  test('is late after several long delays in a row, until a short one', () => {
    const { observe, isLate } = loopDelay()
    observe(120, 1_000)
    observe(120, 1_170)
    expect(isLate()).toBe(false)
    observe(120, 1_340)
    expect(isLate()).toBe(true)
    observe(60, 1_450)
    expect(isLate()).toBe(true)
    observe(49, 1_550)
    expect(isLate()).toBe(false)
  })

  test('is not late after one very long delay', () => {
    const { observe, isLate } = loopDelay()
    observe(3_000, 4_000)
    observe(0, 4_050)
    observe(120, 4_220)
    expect(isLate()).toBe(false)
  })
})

test('logs one line at the start and one at the end of an overload', () => {
  const lines: unknown[][] = []
  const log = {
    warn: (...line: unknown[]) => lines.push(line),
    info: (...line: unknown[]) => lines.push(line),
  }
  const report = overloadReport(log as Parameters<typeof overloadReport>[0])
  const waits: Waits = { unstarted: 40, started: 2, firstTurnMs: 250.4, laterTurnMs: 0 }
  for (const at of [0, 10, 4_000, 8_000]) {
    report.refused('account a', waits, false, at)
    report.check(at + 100)
  }
  report.check(12_999)
  expect(lines).toEqual([
    [
      {
        event: 'overload.began',
        sender: 'account a',
        unstarted: 40,
        started: 2,
        firstTurnMs: 250,
        laterTurnMs: 0,
        isLoopLate: false,
      },
      'overload: requests are refused with 503',
    ],
  ])
  report.check(13_000)
  report.check(13_050)
  expect(lines.slice(1)).toEqual([
    [{ event: 'overload.ended', refused: 4, durationMs: 8_000 }, 'the overload has ended'],
  ])
})

describe('a refused request', () => {
  const open: FastifyInstance[] = []
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close()
  })

  /** A server on which every account is overloaded. */
  function overloadedServer(doors: readonly FastifyPluginAsync[] = []) {
    const shedding: FastifyPluginAsync = async (app) => {
      const waits = { unstarted: 50, started: 0, firstTurnMs: 400, laterTurnMs: 0 }
      shedOverload(app, { waits: () => waits }, { overloadWaitMs: 250 })
      for (const door of doors) await door(app, {})
    }
    const { app, lines } = testServer([shedding])
    open.push(app)
    return { app, lines }
  }

  test('gets 503 with Retry-After in the format of its door, before its body is read', async () => {
    let isBodyRead = false
    const { app } = overloadedServer([
      async (door) => {
        door.addHook('preParsing', async (_request, _reply, payload) => {
          isBodyRead = true
          return payload
        })
        await probeDoor()(door, {})
      },
    ])
    const response = await app.inject({
      ...{ method: 'POST', url: '/probe', payload: { some: 'body' } },
      headers: { 'x-pp-api': GOOD_HEADER },
    })
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('1')
    expect(response.json()).toEqual({
      kind: 'OVERLOADED',
      message: 'The service is busy; try again shortly',
    })
    expect(isBodyRead).toBe(false)
  })

  test('needs valid credentials, and neither public nor signed routes are refused', async () => {
    const { app } = overloadedServer([
      probeDoor(),
      async (door) => {
        const claimedSigner = () => 'rondeel'
        door.post('/signed', { config: { access: 'signed', claimedSigner } }, async () => 'served')
        door.get('/public', { config: { access: 'public' } }, async () => 'served')
      },
    ])
    expect((await app.inject({ method: 'POST', url: '/probe' })).statusCode).toBe(401)
    expect((await app.inject({ method: 'POST', url: '/signed' })).statusCode).toBe(200)
    expect((await app.inject('/public')).statusCode).toBe(200)
    expect((await app.inject('/healthz')).statusCode).toBe(200)
  })

  test('counts among the refused requests whose log lines are limited', async () => {
    const { app, lines } = overloadedServer([probeDoor()])
    const headers = { 'x-pp-api': GOOD_HEADER }
    for (let request = 0; request < 130; request++)
      await app.inject({ method: 'POST', url: '/probe', headers })
    expect(lines.filter((line) => line.includes('request completed'))).toHaveLength(120)
    expect(lines.filter((line) => line.includes('overload: requests are refused'))).toHaveLength(1)
  })
})
