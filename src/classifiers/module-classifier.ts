/**
 * Another engine beside the shipped one: a module of the operator's, named by WAYBILL_CLASSIFIER. Decided here: what it
 * answers is checked, and where it fails, is late or answers nonsense the shipped classifier answers instead.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { HsCandidate } from '../core/customs/classification/classify.ts'
import type { Classifier } from '../operations/ports/engine.ts'

/** What the module's default export is: given the shipped classifier, it makes the one to ask. */
export type ClassifierModule = (shipped: Classifier) => Classifier | Promise<Classifier>

/** How a module is run: how long it may take for one request's descriptions, and who hears of its failures. */
export type ModuleTerms = {
  readonly timeoutMs: number
  /** Whether six digits are a code of HS 2022. */
  readonly isCode: (code: string) => boolean
  readonly reportFault: (error: unknown) => void
}

/** Loads the module at a path. Throws where there is none, or where it does not export such a function. */
export async function moduleClassifier(
  path: string,
  shipped: Classifier,
  terms: ModuleTerms,
): Promise<Classifier> {
  const module = await loadModule(path)
  if (typeof module.default !== 'function')
    throw new Error(`WAYBILL_CLASSIFIER: ${path} has no default export that is a function`)
  const engine: Classifier = await (module.default as ClassifierModule)(shipped)
  if (typeof engine?.classify !== 'function')
    throw new Error(`WAYBILL_CLASSIFIER: what ${path} makes has no method "classify"`)
  return besideShipped(engine, shipped, terms)
}

async function loadModule(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`WAYBILL_CLASSIFIER: ${path} cannot be loaded: ${message}`, { cause: error })
  }
}

/** Asks the engine, and the shipped classifier where the engine lets us down. */
export function besideShipped(engine: Classifier, shipped: Classifier, terms: ModuleTerms): Classifier {
  return {
    classify: async (descriptions, limit, turns) => {
      try {
        const answered = await inTime(engine.classify(descriptions, limit), terms.timeoutMs)
        return checkAnswer(answered, descriptions.length, limit, terms.isCode)
      } catch (error) {
        terms.reportFault(new Error('the classifier of WAYBILL_CLASSIFIER failed', { cause: error }))
        return shipped.classify(descriptions, limit, turns)
      }
    },
  }
}

async function inTime<Answer>(work: Promise<Answer>, timeoutMs: number): Promise<Answer> {
  const gaveUp = new AbortController()
  try {
    return await Promise.race([
      work,
      wait(timeoutMs, undefined, { signal: gaveUp.signal }).then(() => {
        throw new Error(`no answer within ${timeoutMs} ms`)
      }),
    ])
  } finally {
    gaveUp.abort()
  }
}

function checkAnswer(
  answered: unknown,
  count: number,
  limit: number,
  isCode: ModuleTerms['isCode'],
): readonly (readonly HsCandidate[])[] {
  if (!Array.isArray(answered) || answered.length !== count)
    throw new Error(`expected ${count} lists of candidates`)
  return answered.map((list: unknown) => {
    if (!Array.isArray(list)) throw new Error('expected a list of candidates for each description')
    const candidates = list.map((candidate) => checkCandidate(candidate, isCode))
    if (new Set(candidates.map(({ code }) => code)).size < candidates.length)
      throw new Error('a code stands twice among the candidates of a description')
    return candidates.sort((a, b) => b.confidence - a.confidence).slice(0, limit)
  })
}

const LONGEST_LABEL = 300

function checkCandidate(candidate: unknown, isCode: ModuleTerms['isCode']): HsCandidate {
  const { code, label, heading, confidence, matchedTerms = [], questions = [] } = Object(candidate)
  const isSound =
    isCode(String(code)) &&
    typeof label === 'string' &&
    label.length <= LONGEST_LABEL &&
    typeof confidence === 'number' &&
    confidence >= 0 &&
    confidence <= 1 &&
    [matchedTerms, questions].every(
      (list) => Array.isArray(list) && list.every((each) => typeof each === 'string'),
    )
  if (!isSound)
    throw new Error(
      `a candidate needs a code of HS 2022, a label of at most ${LONGEST_LABEL} characters and a confidence from 0 to 1`,
    )
  return {
    code: String(code),
    label,
    heading: typeof heading === 'string' ? heading : undefined,
    confidence,
    matchedTerms,
    questions,
  }
}
