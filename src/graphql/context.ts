/** What every resolver gets beside its arguments: who calls, what operations need, and this request's loaders. */
import type { Caller, Ports, ReferenceData } from '../operations/ports.ts'
import { type Loaders, openLoaders } from './loaders.ts'
import { openTurns, type TakeTurn } from './turns.ts'

/** One per request, so that nothing loaded for one caller is ever seen by another. */
export type Context = {
  readonly caller: Caller
  /** The reference data is of one edition throughout the request. */
  readonly ports: Ports
  readonly loaders: Loaders
  /** Where large pieces of the answer queue. */
  readonly takeTurn: TakeTurn
  /** Logs an error that the caller is not told about, under the request's id. */
  readonly logFault: (error: unknown) => void
}

/** The context of one request. Whatever is published meanwhile, it sees one edition of the reference data. */
export function openContext({ caller, ports, logFault }: Omit<Context, 'loaders' | 'takeTurn'>): Context {
  const pinned = { ...ports, reference: pinReference(ports.reference) }
  return { caller, ports: pinned, logFault, loaders: openLoaders(pinned, caller), takeTurn: openTurns() }
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
