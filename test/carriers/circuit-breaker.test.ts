/** When a carrier is left alone, for how long, and what brings it back; by a clock of the test's own. */
import { beforeEach, describe, expect, test } from 'vitest'
import { BREAKER_TERMS, type CircuitBreaker, circuitBreaker } from '../../src/carriers/circuit-breaker.ts'

let clock: number
let breaker: CircuitBreaker

beforeEach(() => {
  clock = 1_000
  breaker = circuitBreaker(() => clock)
})

/** A call about a parcel, from its beginning to its end. */
function call(parcel: string, failed: boolean): boolean {
  breaker.began()
  return breaker.ended(parcel, failed)
}

/** Different parcels that fail, one after the other; what each of them told. */
function failures(count: number, name = 'P'): boolean[] {
  return Array.from({ length: count }, (_, index) => call(`${name}${index}`, true))
}

describe('opening', () => {
  test('by eight different parcels in a row, told once', () => {
    expect(failures(7)).toEqual(Array(7).fill(false))
    expect(breaker.standing()).toBe('closed')
    expect(call('P7', true)).toBe(true)
    expect(breaker.standing()).toBe('open')
    expect(call('P8', true)).toBe(false)
  })

  test('never by a few parcels, however often they fail', () => {
    for (let round = 0; round < 50; round += 1) for (const parcel of 'ABCDEFG') call(parcel, true)
    expect(breaker.standing()).toBe('closed')
    expect(call('H', true)).toBe(true)
  })

  test('a success between them starts the count anew', () => {
    failures(7)
    call('P0', false)
    expect(failures(7, 'Q')).not.toContain(true)
    expect(breaker.standing()).toBe('closed')
  })

  test('by as many as the terms say', () => {
    breaker = circuitBreaker(() => clock, { ...BREAKER_TERMS, parcels: 1 })
    expect(call('A', true)).toBe(true)
  })
})

describe('while it is open', () => {
  beforeEach(() => {
    failures(8)
  })

  test('nothing goes out until the pause is over, then one call', () => {
    clock += 1_999
    expect(breaker.standing()).toBe('open')
    clock += 1
    expect(breaker.standing()).toBe('trial')
    // Asking changes nothing.
    expect(breaker.standing()).toBe('trial')
    breaker.began()
    expect(breaker.standing()).toBe('open')
  })

  test('a trial that fails doubles the pause, up to the slowest', () => {
    for (const pauseMs of [2_000, 4_000, 8_000, 15_000, 15_000]) {
      clock += pauseMs - 1
      expect(breaker.standing()).toBe('open')
      clock += 1
      expect(breaker.standing()).toBe('trial')
      expect(call('T', true)).toBe(false)
      expect(breaker.standing()).toBe('open')
    }
  })

  test('a trial that succeeds closes it; the next time it starts with the first pause', () => {
    clock += 2_000
    call('T', true)
    clock += 4_000
    call('T', false)
    expect(breaker.standing()).toBe('closed')
    expect(failures(7)).not.toContain(true)
    expect(call('P7', true)).toBe(true)
    clock += 2_000
    expect(breaker.standing()).toBe('trial')
  })

  test('calls that went out before do not prolong the pause when they fail', () => {
    clock += 1_500
    for (let late = 0; late < 100; late += 1) expect(breaker.ended(`late${late}`, true)).toBe(false)
    clock += 500
    expect(breaker.standing()).toBe('trial')
  })

  test('one of them that succeeds closes it', () => {
    breaker.ended('late', false)
    expect(breaker.standing()).toBe('closed')
  })
})

test('by the clock of the machine it opens as well', () => {
  breaker = circuitBreaker()
  failures(8)
  expect(breaker.standing()).toBe('open')
})
