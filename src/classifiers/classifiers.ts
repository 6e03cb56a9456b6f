/**
 * The shipped classifier, which uses the lexicon in src/reference/lexicon, and the classifier of an operator, which is
 * the module that WAYBILL_CLASSIFIER names. The results of a module are checked. If it fails, is too slow or returns an
 * invalid result, the shipped classifier is used instead. See docs/hs-classification.md.
 */
import { pathToFileURL } from 'node:url'
import { classify, interview } from '../core/classification/classify.ts'
import { compileLexicon, type Lexicon } from '../core/classification/compile-lexicon.ts'
import type { LexiconSource } from '../core/classification/lexicon.ts'
import type { HsCandidate, LegalNote } from '../core/hs-candidate.ts'
import type { Classifier } from '../operations/ports/ports.ts'
import { inTurns, UNLIMITED_TURNS, withTimeout } from '../operations/ports/work.ts'

/** The default export of the module. It may use the built-in classifier, and change the candidates that it returns. */
export type ClassifierModule = (builtIn: Classifier) => Classifier | Promise<Classifier>

export type ModuleOptions = {
  /** Time limit for the descriptions of one request. */
  readonly timeoutMs: number
  /** True for six digits that are a code of HS 2022. */
  readonly isCode: (code: string) => boolean
  readonly reportFault: (error: unknown) => void
}

/** Throws if the module cannot be loaded, or its default export does not return a classifier. */
export async function moduleClassifier(
  path: string,
  builtIn: Classifier,
  options: ModuleOptions,
): Promise<Classifier> {
  const module = await loadModule(path)
  if (typeof module.default !== 'function')
    throw new Error(`WAYBILL_CLASSIFIER: the default export of ${path} is not a function`)
  const custom: Classifier = await (module.default as ClassifierModule)(withCopies(builtIn))
  if (typeof custom?.classify !== 'function')
    throw new Error(
      `WAYBILL_CLASSIFIER: the default export of ${path} did not return an object with a method "classify"`,
    )
  return withFallback(custom, builtIn, options)
}

async function loadModule(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(`WAYBILL_CLASSIFIER: ${path} cannot be loaded: ${message}`, { cause: error })
  }
}

/** The module may change its results, and the built-in classifier shares them between requests. */
function withCopies(builtIn: Classifier): Classifier {
  return { classify: async (...given) => structuredClone(await builtIn.classify(...given)) }
}

/** Uses `builtIn` for a request if `custom` fails, and for questions. */
export function withFallback(custom: Classifier, builtIn: Classifier, options: ModuleOptions): Classifier {
  return {
    ...builtIn,
    classify: async (descriptions, limit, turns) => {
      try {
        const result = await withTimeout(custom.classify(descriptions, limit), options.timeoutMs, () => {
          throw new Error(`no answer within ${options.timeoutMs} ms`)
        })
        return checkResult(result, descriptions.length, limit, options.isCode)
      } catch (error) {
        options.reportFault(new Error('the classifier of WAYBILL_CLASSIFIER failed', { cause: error }))
        return builtIn.classify(descriptions, limit, turns)
      }
    },
  }
}

function checkResult(
  result: unknown,
  count: number,
  limit: number,
  isCode: ModuleOptions['isCode'],
): readonly (readonly HsCandidate[])[] {
  if (!Array.isArray(result) || result.length !== count)
    throw new Error(`expected ${count} lists of candidates`)
  return result.map((list: unknown) => {
    if (!Array.isArray(list)) throw new Error('expected a list of candidates for each description')
    const candidates = list.map((candidate) => checkCandidate(candidate, isCode))
    if (new Set(candidates.map(({ code }) => code)).size < candidates.length)
      throw new Error('a description has two candidates with the same code')
    return candidates.sort((a, b) => b.confidence - a.confidence).slice(0, limit)
  })
}

const LABEL_MAX = 300

function checkCandidate(candidate: unknown, isCode: ModuleOptions['isCode']): HsCandidate {
  const { code, label, heading, confidence, matchedTerms = [], questions = [], becauseOf } = Object(candidate)
  const isValid =
    isCode(String(code)) &&
    typeof label === 'string' &&
    label.length <= LABEL_MAX &&
    typeof confidence === 'number' &&
    confidence >= 0 &&
    confidence <= 1 &&
    [matchedTerms, questions].every(
      (list) => Array.isArray(list) && list.every((text) => typeof text === 'string'),
    )
  if (!isValid)
    throw new Error(
      `a candidate needs a code of HS 2022, a label of at most ${LABEL_MAX} characters and a confidence from 0 to 1`,
    )
  return {
    code: String(code),
    label,
    heading: typeof heading === 'string' ? heading : undefined,
    confidence,
    matchedTerms,
    questions,
    becauseOf: noteIn(becauseOf),
  }
}

function noteIn(note: unknown): LegalNote | undefined {
  const { citation, summary } = Object(note)
  return isShortText(citation) && isShortText(summary) ? { citation, summary } : undefined
}

function isShortText(text: unknown): text is string {
  return typeof text === 'string' && text.trim() !== '' && text.length <= LABEL_MAX
}

/** Compiles a lexicon. For the shipped one this takes half a second; see `loadLexicon`. */
export function lexiconClassifier(source: LexiconSource): Classifier {
  return compiledClassifier(compileLexicon(source))
}

export function compiledClassifier(lexicon: Lexicon): Classifier {
  return {
    // One description takes at most a few milliseconds, so a turn ends soon after its time is over.
    classify: (descriptions, limit, turns = UNLIMITED_TURNS) =>
      inTurns(descriptions, turns, (description) => classify(lexicon, description, limit)),
    interview: async (goods, limit) => interview(lexicon, goods, limit),
  }
}
