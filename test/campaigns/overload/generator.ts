/**
 * The process that generates the load. It receives the steps of a phase from the campaign, one at a time, and answers
 * each with its figures.
 */
import { Agent } from 'node:http'
import { closedLoop, openLoop, type Request, send } from './client.ts'
import { type Figures, figuresOf, openFiguresOf } from './figures.ts'

export type Step =
  | { readonly kind: 'closed'; readonly request: Request; readonly callers: number; readonly seconds: number }
  | {
      readonly kind: 'open'
      readonly request: Request
      readonly perSecond: number
      readonly seconds: number
      /** True: every request has a new connection. */
      readonly isNewConnection: boolean
    }

/** `late`: the longest time that the generator itself was late, in milliseconds. */
export type StepResult = { readonly figures: Figures; readonly lateMs: number }

// By default, Node closes idle connections beyond 256, and would open new ones during the whole load.
const agent = new Agent({ keepAlive: true, maxFreeSockets: Number.POSITIVE_INFINITY })

async function run(step: Step): Promise<StepResult> {
  let lateMs = 0
  switch (step.kind) {
    case 'closed': {
      const outcomes = await closedLoop(step.callers, step.seconds, () => send(step.request, agent))
      return { figures: figuresOf(outcomes, step.seconds), lateMs }
    }
    case 'open': {
      const outcomes = await openLoop(step.perSecond, step.seconds, (dueAt) => {
        lateMs = Math.max(lateMs, performance.now() - dueAt)
        return send(step.request, step.isNewConnection ? undefined : agent, dueAt)
      })
      return { figures: openFiguresOf(outcomes, step.perSecond, step.seconds), lateMs: Math.round(lateMs) }
    }
  }
}

process.on('message', (step: Step) => {
  void run(step).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit(0))
