/** What every resolver gets beside its arguments: who calls, what operations need, and this request's loaders. */
import type { Allowance, Caller, Ports, ReferenceData, Turns } from '../operations/ports.ts'
import { type Loaders, openLoaders } from './loaders.ts'
import { openPause, type Pause } from './turns.ts'

/** What a request brings along. */
export type RequestTerms = {
  readonly caller: Caller
  readonly ports: Ports
  /** What the caller's key may still spend. */
  readonly allowance: Allowance
  readonly turns: Turns
  /** Logs an error that the caller is not told about, under the request's id. */
  readonly logFault: (error: unknown) => void
  /** Notes in the log that the request reached its deadline. */
  readonly logDeadline: () => void
}

/**
 * One per request, so that nothing loaded for one caller is ever seen by another. The reference data is of one edition
 * throughout the request.
 */
export type Context = RequestTerms & {
  readonly loaders: Loaders
  /** Where large pieces of the answer queue. */
  readonly pause: Pause
}

/** The context of one request. Whatever is published meanwhile, it sees one edition of the reference data. */
export function openContext({
  caller,
  ports,
  allowance,
  turns,
  logFault,
  logDeadline,
}: RequestTerms): Context {
  const pinned = { ...ports, reference: pinReference(ports.reference) }
  const loaders = openLoaders(pinned, caller, turns)
  return { caller, ports: pinned, allowance, turns, logFault, logDeadline, loaders, pause: openPause(turns) }
}

/** Each reference as it is when it is first asked for. */
function pinReference(reference: ReferenceData): ReferenceData {
  return {
    rateBook: once(() => reference.rateBook()),
    customsTables: once(() => reference.customsTables()),
  }
}

function once<Value extends object>(read: () => Value): () => Value {
  let first: Value | undefined
  return () => {
    first ??= read()
    return first
  }
}
