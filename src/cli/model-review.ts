/**
 * The part of `waybill classify` that asks a language model about uncertain rows. See
 * docs/hs-classification.md#ask-a-model.
 */
import path from 'node:path'
import { exchange, retryAfterMs, sendThroughProxy, valueAt } from '../carriers/http-exchange.ts'
import { dailyRequests } from '../classifiers/daily-requests.ts'
import { keptAnswers } from '../classifiers/kept-answers.ts'
import { askModel, type ModelAnswer, type ModelOptions } from '../classifiers/model-suggestions.ts'
import type { ClassifierModelSetting, Config } from '../config/config.ts'
import { interview } from '../core/classification/classify.ts'
import type { DescribedGoods } from '../core/goods-facts.ts'
import type { Interview } from '../core/hs-candidate.ts'
import { loadLexicon } from '../reference/lexicon-reader/lexicon.ts'
import { announce, counted, type Output } from './terminal/output.ts'

export const MODEL_COLUMNS = ['suggested_code', 'suggested_by']

export type ModelReview = {
  /** The cells of `MODEL_COLUMNS` by row. */
  readonly cells: readonly (readonly string[])[]
  readonly counts: object
  readonly lines: readonly string[]
}

export type ReviewedRow = {
  readonly item: DescribedGoods
  readonly found: Interview
  /** Whether a person has agreed on a code. */
  readonly isAgreed: boolean
}

/** How many codes the model chooses from. */
const CHOICES = 12

/** Undefined without a model in the settings. */
export async function reviewByModel(
  rows: readonly ReviewedRow[],
  { classifierModel, carrierProxy, dataDir }: Config,
  output: Output,
  json: boolean | undefined,
): Promise<ModelReview | undefined> {
  if (classifierModel === undefined) return undefined
  const { url, model, requestsPerDay, belowPercent } = classifierModel
  sendThroughProxy(carrierProxy)
  const asked = rows.flatMap(({ item, found, isAgreed }, row) => {
    const [best] = found.candidates
    if (best === undefined || isAgreed) return []
    const isUncertain = best.confidence * 100 < belowPercent || found.hasConflict
    return isUncertain ? [{ row, goods: item }] : []
  })
  announce(output, json, `Asking ${model} about ${counted(asked.length, 'row')}`)
  const lexicon = loadLexicon()
  const questions = asked.map(({ goods }) => ({
    goods,
    candidates: interview(lexicon, goods, CHOICES).candidates,
  }))
  const folder = path.resolve(dataDir)
  const mayAsk = dailyRequests(folder, requestsPerDay)
  const kept = keptAnswers(folder, url, model)
  const answers = await askModel(questions, { model, send: sender(classifierModel), mayAsk, kept })
  const cells = rows.map(() => ['', ''])
  answers.forEach((answer, nth) => {
    if (answer.kind === 'Suggested') cells[asked[nth]!.row] = [answer.code, model]
  })
  return { cells, ...summaryOf(model, answers) }
}

/** Sends to the endpoint, through the proxy of carriers if there is one. */
export function sender({ url, key }: ClassifierModelSetting): ModelOptions['send'] {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return async (body, signal) => {
    const reply = await exchange({ method: 'POST', url: `${url}/chat/completions`, headers, body }, signal)
    const pauseMs = retryAfterMs(reply)
    return {
      status: reply.status,
      content: valueAt(reply.json, 'choices', 0, 'message', 'content'),
      ...(pauseMs !== undefined && { retryAfterMs: pauseMs }),
    }
  }
}

function summaryOf(model: string, answers: readonly ModelAnswer[]): Pick<ModelReview, 'counts' | 'lines'> {
  const count = (kind: ModelAnswer['kind']): number => answers.filter((answer) => answer.kind === kind).length
  const reasons = new Map<string, number>()
  for (const answer of answers)
    if (answer.kind === 'Unanswered') reasons.set(answer.reason, (reasons.get(answer.reason) ?? 0) + 1)
  const [suggested, abstained, unanswered] = [count('Suggested'), count('Abstained'), count('Unanswered')]
  const kept = answers.filter((answer) => answer.kind !== 'Unanswered' && answer.isKept === true).length
  return {
    counts: {
      model,
      asked: answers.length,
      suggested,
      abstained,
      kept,
      unanswered: Object.fromEntries(reasons),
    },
    lines: [
      `Of ${counted(answers.length, 'row')}, ${model} suggested a code for ${suggested} and abstained for ${abstained}; ${unanswered} were not answered.`,
      ...(kept > 0 ? [`${counted(kept, 'answer is', 'answers are')} from an earlier run.`] : []),
      ...[...reasons].map(([reason, times]) => `Not answered: ${counted(times, 'row')}, ${reason}.`),
    ],
  }
}
