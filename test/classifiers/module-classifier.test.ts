/** An operator's classifier: loading of its module, and the fallback to the built-in classifier. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { rememberCandidates } from '../../src/classifiers/candidate-cache.ts'
import { moduleClassifier, withFallback } from '../../src/classifiers/classifiers.ts'
import type { HsCandidate } from '../../src/core/hs-candidate.ts'
import type { Classifier } from '../../src/operations/ports/ports.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'waybill-classifier-'))
afterAll(() => rmSync(folder, { recursive: true }))

let faults: Error[] = []
let shippedAsked: unknown[] = []
afterEach(() => {
  faults = []
  shippedAsked = []
})

const candidate = (code: string, confidence = 0.9): HsCandidate => ({
  code,
  label: `Goods of ${code}`,
  heading: undefined,
  confidence,
  matchedTerms: ['a term'],
  questions: ['Which one?'],
})

const SHIPPED = candidate('490199')
const shipped: Classifier = {
  classify: async (descriptions, limit) => {
    shippedAsked.push([descriptions, limit])
    return descriptions.map(() => [SHIPPED].slice(0, limit))
  },
}
const terms = {
  timeoutMs: 5_000,
  isCode: (code: string) => /^\d{6}$/.test(code) && code !== '999999',
  reportFault: (error: unknown) => void faults.push(error as Error),
}

let written = 0
function moduleOf(text: string): string {
  written += 1
  const file = path.join(folder, `engine-${written}.mjs`)
  writeFileSync(file, text)
  return file
}

/** A classifier with a fixed result, valid or not. */
const answering = (answer: unknown): Classifier => ({
  classify: async () => answer as readonly (readonly HsCandidate[])[],
})

describe('a module', () => {
  it('is loaded from its path and used instead of the built-in classifier', async () => {
    const file = moduleOf(`export default () => ({
      classify: async (descriptions, limit) => descriptions.map((description) =>
        [{ code: '123456', label: description + ' ' + limit, confidence: 0.5 }]),
    })`)
    const classifier = await moduleClassifier(file, shipped, terms)
    expect(await classifier.classify(['one', 'two'], 3)).toEqual([
      [expect.objectContaining({ code: '123456', label: 'one 3', confidence: 0.5 })],
      [expect.objectContaining({ code: '123456', label: 'two 3', confidence: 0.5 })],
    ])
    expect([faults, shippedAsked]).toEqual([[], []])
  })

  it('may give a note for a code; anything else in its place is left out', async () => {
    const file = moduleOf(`export default () => ({
      classify: async (descriptions) => descriptions.map((text) =>
        [{ code: '711719', label: 'Jewellery', confidence: 0.5, becauseOf: JSON.parse(text) }]),
    })`)
    const classifier = await moduleClassifier(file, shipped, terms)
    const note = { citation: 'Note 11 to chapter 71', summary: 'Plating does not count.' }
    const texts = [
      note,
      'Note 11',
      { citation: 'Note 11' },
      { ...note, summary: 'x'.repeat(301) },
      null,
      { ...note, citation: ' ' },
    ]
    const found = await classifier.classify(
      texts.map((text) => JSON.stringify(text)),
      1,
    )
    expect(found.map(([best]) => best?.becauseOf)).toEqual([note, ...texts.slice(1).map(() => undefined)])
    expect(faults).toEqual([])
  })

  it('may load asynchronously and use the built-in classifier', async () => {
    const file = moduleOf(`export default async (shipped) => ({
      classify: (descriptions, limit) => shipped.classify(descriptions.map((text) => text + '!'), limit),
    })`)
    const classifier = await moduleClassifier(file, shipped, terms)
    expect(await classifier.classify(['one'], 2)).toEqual([[SHIPPED]])
    expect(shippedAsked).toEqual([[['one!'], 2]])
    expect(faults).toEqual([])
  })

  it('may change the candidates of the built-in classifier, which other requests share', async () => {
    const file = moduleOf(`export default (shipped) => ({
      classify: async (descriptions, limit) => {
        const found = await shipped.classify(descriptions, limit)
        found[0][0].label = 'changed'
        found[0][0].matchedTerms.push('added')
        return found
      },
    })`)
    const remembering = rememberCandidates(shipped)
    const classifier = await moduleClassifier(file, remembering, terms)
    const [[changed] = []] = await classifier.classify(['one'], 2)
    expect(changed).toMatchObject({ label: 'changed', matchedTerms: ['a term', 'added'] })
    expect(await remembering.classify(['one'], 2)).toEqual([[candidate('490199')]])
    expect(faults).toEqual([])
  })

  it('that fails is reported and replaced by the built-in classifier', async () => {
    const file = moduleOf('export default () => ({ classify: async () => { throw new Error("no model") } })')
    const classifier = await moduleClassifier(file, shipped, terms)
    expect(await classifier.classify(['one'], 2)).toEqual([[SHIPPED]])
    expect(faults.map(({ cause }) => cause)).toEqual([expect.objectContaining({ message: 'no model' })])
  })

  it('that does not exist is refused', async () => {
    await expect(moduleClassifier(path.join(folder, 'none.mjs'), shipped, terms)).rejects.toThrow(/none\.mjs/)
  })

  it('without a function as its default export is refused, with its path', async () => {
    for (const text of ['export const classify = () => []', 'export default { classify() {} }']) {
      const file = moduleOf(text)
      await expect(moduleClassifier(file, shipped, terms)).rejects.toThrow(
        `WAYBILL_CLASSIFIER: the default export of ${file} is not a function`,
      )
    }
  })

  it('that does not return a classifier is refused', async () => {
    for (const text of ['export default () => undefined', 'export default async () => ({ ask() {} })']) {
      const file = moduleOf(text)
      await expect(moduleClassifier(file, shipped, terms)).rejects.toThrow(
        `WAYBILL_CLASSIFIER: the default export of ${file} did not return an object with a method "classify"`,
      )
    }
  })

  it('that fails to load is refused with its error message', async () => {
    const file = moduleOf('export default () => { throw new Error("no licence") }')
    await expect(moduleClassifier(file, shipped, terms)).rejects.toThrow('no licence')
    const broken = moduleOf('throw new Error("broken at once")')
    await expect(moduleClassifier(broken, shipped, terms)).rejects.toThrow('broken at once')
  })
})

describe('a valid result', () => {
  it('is cut to the limit and completed with defaults', async () => {
    const bare = { code: '610910', label: 'T-shirts', confidence: 1 }
    const engine = answering([[bare, candidate('610990', 0)], []])
    const classifier = withFallback(engine, shipped, terms)
    expect(await classifier.classify(['one', 'two'], 1)).toEqual([
      [{ ...bare, heading: undefined, matchedTerms: [], questions: [] }],
      [],
    ])
    expect([faults, shippedAsked]).toEqual([[], []])
  })

  it('keeps the known fields of a candidate and drops the others', async () => {
    const full = { ...candidate('610910'), heading: 'T-shirts and vests' }
    const engine = answering([
      [
        { ...full, secret: 'yes' },
        { ...full, code: '610990', heading: 7 },
      ],
    ])
    const [found = []] = await withFallback(engine, shipped, terms).classify(['one'], 5)
    expect(found[0]).toEqual(full)
    expect(found[0]).not.toHaveProperty('secret')
    expect(found[1]?.heading).toBeUndefined()
  })
})

const good = candidate('610910')
const wrong: readonly (readonly [string, unknown])[] = [
  ['is not a list', { 0: [good] }],
  ['is undefined', undefined],
  ['is null', null],
  ['has too few lists', []],
  ['has too many lists', [[good], [good]]],
  ['has a value that is not a list', [good]],
  ['has an undefined candidate', [[undefined]]],
  ['has a candidate that is null', [[good, null]]],
  ['has a code of four digits', [[{ ...good, code: '6109' }]]],
  ['has a code of ten digits', [[{ ...good, code: '6109100010' }]]],
  ['has a code with a dot', [[{ ...good, code: '6109.10' }]]],
  ['has no code', [[{ ...good, code: undefined }]]],
  ['has a code that is not in the HS', [[{ ...good, code: '999999' }]]],
  ['has a code twice', [[good, good]]],
  ['has a label that is too long', [[{ ...good, label: 'x'.repeat(301) }]]],
  ['has no label', [[{ ...good, label: undefined }]]],
  ['has a confidence of 2', [[{ ...good, confidence: 2 }]]],
  ['has a confidence below 0', [[{ ...good, confidence: -0.1 }]]],
  ['has NaN as confidence', [[{ ...good, confidence: Number.NaN }]]],
  ['has a string as confidence', [[{ ...good, confidence: '0.9' }]]],
  ['has terms that are not a list', [[{ ...good, matchedTerms: 'term' }]]],
  ['has questions that are not strings', [[{ ...good, questions: [7] }]]],
  ['is wrong in its second candidate only', [[good, { ...good, code: 'x' }]]],
]

describe('a result that', () => {
  it.each(wrong)('%s is reported, and the built-in classifier is used', async (_, answer) => {
    const classifier = withFallback(answering(answer), shipped, terms)
    expect(await classifier.classify(['one'], 3)).toEqual([[SHIPPED]])
    expect(shippedAsked).toEqual([[['one'], 3]])
    expect(faults.map(({ message }) => message)).toEqual(['the classifier of WAYBILL_CLASSIFIER failed'])
    expect(faults[0]?.cause).toBeInstanceOf(Error)
  })
})

describe('a classifier that', () => {
  const failing: readonly (readonly [string, Classifier['classify']])[] = [
    ['rejects', () => Promise.reject(new Error('out of memory'))],
    [
      'throws at once',
      () => {
        throw new Error('out of memory')
      },
    ],
  ]

  it.each(failing)('%s is replaced by the built-in one, and the cause is reported', async (_, classify) => {
    const classifier = withFallback({ classify }, shipped, terms)
    expect(await classifier.classify(['one', 'two'], 3)).toEqual([[SHIPPED], [SHIPPED]])
    expect(faults[0]?.cause).toMatchObject({ message: 'out of memory' })
  })

  it('returns too late is replaced, and its result is ignored', async () => {
    for (const end of [async () => [[good]], async () => Promise.reject(new Error('too late as well'))]) {
      const engine = { classify: () => wait(60).then(end) }
      const classifier = withFallback(engine, shipped, { ...terms, timeoutMs: 15 })
      expect(await classifier.classify(['one'], 3)).toEqual([[SHIPPED]])
    }
    expect(faults.map(({ cause }) => (cause as Error).message)).toEqual([
      'no answer within 15 ms',
      'no answer within 15 ms',
    ])
    await wait(80)
    expect(faults).toHaveLength(2)
  })

  it('returns just in time is used', async () => {
    const engine = { classify: () => wait(10).then(async () => [[good]]) }
    expect(await withFallback(engine, shipped, terms).classify(['one'], 3)).toEqual([[good]])
    expect(faults).toEqual([])
  })

  it('failed once is used again for the next request', async () => {
    let asked = 0
    const engine = {
      classify: async () => {
        asked += 1
        if (asked === 1) throw new Error('warming up')
        return [[good]]
      },
    }
    const classifier = withFallback(engine, shipped, terms)
    expect(await classifier.classify(['one'], 3)).toEqual([[SHIPPED]])
    expect(await classifier.classify(['one'], 3)).toEqual([[good]])
    expect(faults).toHaveLength(1)
  })
})
