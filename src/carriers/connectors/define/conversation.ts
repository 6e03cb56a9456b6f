/**
 * The requests of one call of a function. They have a signal of their own, which is aborted when the function has
 * ended, so that nothing leaves afterwards: by then Waybill may have said that nothing was sent.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HttpReply } from '../../http-exchange.ts'
import { partSignal } from '../../not-sent.ts'
import type { CarrierRequest, Conversation, Settings } from './definition.ts'
import type { Send } from './requests.ts'

/** A copy that cannot be changed, of a JSON value. */
export function frozenCopy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  const copy = Array.isArray(value)
    ? value.map(frozenCopy)
    : Object.fromEntries(Object.entries(value).map(([name, field]) => [name, frozenCopy(field)]))
  return Object.freeze(copy) as Value
}

/** A function that goes on after its call was aborted is left alone after this. */
const GRACE_MS = 100
/** Later failures wait for a turn of the event loop, so that a function that repeats at once stops nobody else. */
const FAILURES_AT_ONCE = 10

type OpenConversation = {
  readonly conversation: Conversation
  /** Ends with the function and the requests that it sent. */
  run<Answer>(call: () => Promise<Answer>): Promise<Answer>
}

export function openConversation(settings: Settings, send: Send, callSignal: AbortSignal): OpenConversation {
  const { signal, abort } = partSignal(callSignal)
  const pending = new Set<Promise<HttpReply>>()
  let hasEnded = false
  let failures = 0

  /** After the end it never settles, so that nothing goes on. */
  const sendOne = async (request: CarrierRequest, limitMs: number | undefined): Promise<HttpReply> => {
    if (hasEnded) return never()
    const sent = send(request, signal, limitMs)
    pending.add(sent)
    try {
      return await sent
    } catch (error) {
      failures += 1
      if (failures > FAILURES_AT_ONCE) await nextTurn()
      if (hasEnded) return never()
      throw error
    } finally {
      pending.delete(sent)
    }
  }

  return {
    conversation: {
      settings,
      send(request, { limitMs } = {}) {
        const reply = sendOne(request, limitMs)
        // A function may not wait for it, and the process must not end for that.
        reply.catch(() => {})
        return reply
      },
    },
    async run(call) {
      try {
        return await unlessAborted(call, callSignal)
      } finally {
        hasEnded = true
        abort(new Error('the call has ended'))
        // What was sent has to be counted first.
        await Promise.allSettled(pending)
      }
    },
  }
}

function never(): Promise<never> {
  return new Promise(() => {})
}

/** The result of `call`. Rejects if `call` is still running GRACE_MS after `signal` was aborted. */
async function unlessAborted<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined
  let onAbort = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(new Error('the call was aborted')), GRACE_MS)
    }
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([call(), aborted])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
