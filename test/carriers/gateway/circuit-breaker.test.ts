/** When a circuit opens, for how long, and what closes it. The tests control the clock. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  BREAKER_LIMITS,
  type CircuitBreaker,
  circuitBreaker,
} from '../../../src/carriers/gateway/circuit-breaker.ts'

let clock: number
let breaker: CircuitBreaker

beforeEach(() => {
  clock = 1_000
  breaker = circuitBreaker(() => clock)
})

function call(parcel: string, failed: boolean): boolean {
  return breaker.begin().ended(parcel, { kind: failed ? 'failed' : 'ok' })
}

/** Makes failed calls for different parcels in sequence. Returns the result of every call. */
function failures(count: number, name = 'P'): boolean[] {
  return Array.from({ length: count }, (_, index) => call(`${name}${index}`, true))
}

describe('a closed circuit', () => {
  test('opens when eight different parcels fail in a row, and reports it once', () => {
    expect(failures(7)).toEqual(Array(7).fill(false))
    expect(breaker.state()).toBe('closed')
    expect(call('P7', true)).toBe(true)
    expect(breaker.state()).toBe('open')
    expect(call('P8', true)).toBe(false)
  })

  test('stays closed when a few parcels fail, however often', () => {
    for (let round = 0; round < 50; round += 1) for (const parcel of 'ABCDEFG') call(parcel, true)
    expect(breaker.state()).toBe('closed')
    expect(call('H', true)).toBe(true)
  })

  test('resets its count after a success', () => {
    failures(7)
    call('P0', false)
    expect(failures(7, 'Q')).not.toContain(true)
    expect(breaker.state()).toBe('closed')
  })

  test('opens after the configured number of parcels', () => {
    breaker = circuitBreaker(() => clock, { ...BREAKER_LIMITS, parcels: 1 })
    expect(call('A', true)).toBe(true)
  })
})

describe('an open circuit', () => {
  beforeEach(() => {
    failures(8)
  })

  test('is half-open after the pause, until the trial starts', () => {
    clock += 1_999
    expect(breaker.state()).toBe('open')
    clock += 1
    expect(breaker.state()).toBe('halfOpen')
    // Reading the state changes nothing.
    expect(breaker.state()).toBe('halfOpen')
    const trial = breaker.begin()
    expect(breaker.state()).toBe('open')
    // If the trial call is not sent, the next call is the trial.
    trial.dropped()
    expect(breaker.state()).toBe('halfOpen')
  })

  test('doubles its pause after each failed trial, up to the maximum', () => {
    for (const pauseMs of [2_000, 4_000, 8_000, 15_000, 15_000]) {
      clock += pauseMs - 1
      expect(breaker.state()).toBe('open')
      clock += 1
      expect(breaker.state()).toBe('halfOpen')
      expect(call('T', true)).toBe(false)
      expect(breaker.state()).toBe('open')
    }
  })

  test('closes after a successful trial, and starts with the first pause the next time', () => {
    clock += 2_000
    call('T', true)
    clock += 4_000
    call('T', false)
    expect(breaker.state()).toBe('closed')
    expect(failures(7)).not.toContain(true)
    expect(call('P7', true)).toBe(true)
    clock += 2_000
    expect(breaker.state()).toBe('halfOpen')
  })

  test('does not extend its pause for calls that started before it opened', () => {
    breaker = circuitBreaker(() => clock)
    const early = Array.from({ length: 100 }, () => breaker.begin())
    failures(8)
    clock += 1_500
    for (const [index, late] of early.entries())
      expect(late.ended(`late${index}`, { kind: 'failed' })).toBe(false)
    clock += 500
    expect(breaker.state()).toBe('halfOpen')
  })

  test('closes when a call that started before it opened succeeds', () => {
    breaker = circuitBreaker(() => clock)
    const early = breaker.begin()
    failures(8)
    early.ended('late', { kind: 'ok' })
    expect(breaker.state()).toBe('closed')
  })
})

describe('rejected credentials', () => {
  const reject = (parcel = 'P') => breaker.begin().ended(parcel, { kind: 'rejected' })

  test('open the circuit after eight calls, also about one parcel', () => {
    expect(Array.from({ length: 7 }, () => reject())).not.toContain(true)
    expect(reject()).toBe(true)
    expect(breaker.state()).toBe('open')
  })

  test('count together with other failures, and a success resets the count', () => {
    failures(4)
    for (let count = 0; count < 3; count += 1) reject()
    call('P0', false)
    for (let count = 0; count < 7; count += 1) reject()
    expect(breaker.state()).toBe('closed')
    expect(call('P0', true)).toBe(true)
  })

  test('lead to pauses from one to fifteen minutes', () => {
    for (let count = 0; count < 8; count += 1) reject()
    for (const pauseMs of [60_000, 120_000, 240_000, 480_000, 900_000, 900_000]) {
      clock += pauseMs - 1
      expect(breaker.state()).toBe('open')
      clock += 1
      expect(breaker.state()).toBe('halfOpen')
      reject()
    }
    // Another kind of failure has the ordinary pause.
    clock += 900_000
    call('T', true)
    clock += 15_000
    expect(breaker.state()).toBe('halfOpen')
  })
})

describe('a pause that the carrier asks for', () => {
  const pause = (pauseMs: number) => breaker.begin().ended('P', { kind: 'paused', pauseMs })

  test('opens the circuit at once, and is reported once', () => {
    expect(pause(600_000)).toBe(true)
    expect(pause(600_000)).toBe(false)
    clock += 599_999
    expect(breaker.state()).toBe('open')
    clock += 1
    expect(breaker.state()).toBe('halfOpen')
    call('T', false)
    expect(breaker.state()).toBe('closed')
  })

  test('is not shortened by another one, by a failure, or by a call that started before', () => {
    const early = breaker.begin()
    pause(600_000)
    pause(1_000)
    failures(10)
    early.ended('E', { kind: 'ok' })
    clock += 599_999
    expect(breaker.state()).toBe('open')
    clock += 1
    expect(breaker.state()).toBe('halfOpen')
  })
})

test('uses the system clock by default', () => {
  breaker = circuitBreaker()
  failures(8)
  expect(breaker.state()).toBe('open')
})
