/** When a given code gets a second opinion. */
import { describe, expect, it } from 'vitest'
import { secondOpinion } from '../../../src/core/classification/classify.ts'
import type { HsCandidate } from '../../../src/core/hs-candidate.ts'

/** Candidates from codes with their confidence, best first. */
function candidates(confidences: Readonly<Record<string, number>>): HsCandidate[] {
  return Object.entries(confidences)
    .map(([code, confidence]) => ({
      ...{ code, label: `Goods of ${code}`, confidence, matchedTerms: [], questions: [] },
    }))
    .sort((a, b) => b.confidence - a.confidence)
}

/** The level of the second opinion on a code; undefined without a second opinion. */
const level = (given: string, confidences: Readonly<Record<string, number>>, also: readonly string[] = []) =>
  secondOpinion(given, also, candidates(confidences))?.level

describe('a given code of other goods', () => {
  it('gets a second opinion with all candidates', () => {
    const found = candidates({ '910211': 0.9, '910511': 0.06 })
    expect(secondOpinion('610910', [], found)).toEqual({
      level: 'HEADING',
      message:
        'The description matches 910211 (Goods of 910211) better than 610910; the given code was used.',
      candidates: found,
    })
  })

  it('appears in the message as it was given', () => {
    const opinion = secondOpinion('6109100010', [], candidates({ '910211': 0.9 }))
    expect(opinion?.message).toContain('than 6109100010;')
  })

  it('gets no second opinion if nothing was found', () => {
    expect(secondOpinion('610910', [], [])).toBeUndefined()
  })

  it('gets no second opinion if the best candidate is not confident', () => {
    expect(level('610910', { '910211': 0.45 })).toBe('HEADING')
    expect(level('610910', { '910211': 0.449 })).toBeUndefined()
    expect(level('610910', { '910211': 0.1, '910511': 0.09 })).toBeUndefined()
  })

  it('is reported at heading level even within the same chapter', () => {
    expect(level('910191', { '910211': 0.9 })).toBe('HEADING')
  })
})

describe('a given code that the description may mean', () => {
  it('gets no second opinion if it is the best candidate', () => {
    expect(level('910211', { '910211': 0.9 })).toBeUndefined()
    expect(level('9102110000', { '910211': 0.9, '910511': 0.05 })).toBeUndefined()
  })

  it('gets no second opinion if it is possible', () => {
    expect(level('910511', { '910211': 0.9, '910511': 0.005 })).toBeUndefined()
    expect(level('91051100', { '910211': 0.6, '910511': 0.3 })).toBeUndefined()
  })

  it('gets a second opinion if it is hardly possible', () => {
    expect(level('910511', { '910211': 0.9, '910511': 0.0049 })).toBe('HEADING')
    expect(level('910219', { '910211': 0.9, '910219': 0.0049 })).toBe('SUBHEADING')
  })
})

describe('a given code of the same heading', () => {
  it('gets a second opinion only with a higher confidence', () => {
    expect(level('910219', { '910211': 0.62 })).toBe('SUBHEADING')
    expect(level('910219', { '910211': 0.619 })).toBeUndefined()
  })

  it('gets no second opinion if it shares the heading of a possible candidate that is not the best', () => {
    expect(level('910519', { '910211': 0.8, '910511': 0.005 })).toBeUndefined()
    expect(level('910519', { '910211': 0.9, '910511': 0.1 })).toBeUndefined()
  })

  it('counts as other goods if the candidate in its heading is hardly possible', () => {
    expect(level('910519', { '910211': 0.9, '910511': 0.0049 })).toBe('HEADING')
    expect(level('910519', { '910211': 0.5, '910511': 0.0049 })).toBe('HEADING')
  })
})

describe('a given code that stands for several', () => {
  it('is compared as each of them', () => {
    expect(level('910200', { '910211': 0.9 })).toBe('SUBHEADING')
    expect(level('910200', { '910211': 0.9 }, ['910219', '910211'])).toBeUndefined()
    expect(level('850000', { '910211': 0.9, '910511': 0.005 }, ['910511'])).toBeUndefined()
    expect(level('850000', { '910211': 0.9, '910511': 0.004 }, ['910511'])).toBe('HEADING')
  })

  it('has the headings of all of them', () => {
    expect(level('850000', { '910211': 0.9 }, ['910219'])).toBe('SUBHEADING')
    expect(level('850000', { '910211': 0.6 }, ['910219'])).toBeUndefined()
    expect(level('850000', { '910211': 0.6 }, ['851713'])).toBe('HEADING')
  })

  it('is compared by six digits', () => {
    expect(level('850000', { '910211': 0.9 }, ['9102110000'])).toBeUndefined()
  })
})
