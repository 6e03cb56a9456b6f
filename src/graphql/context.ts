/** What every resolver gets beside its arguments: who calls, what operations need, and this request's loaders. */
import type { Caller, Ports } from '../operations/ports.ts'
import { type Loaders, openLoaders } from './loaders.ts'

/** One per request, so that nothing loaded for one caller is ever seen by another. */
export type Context = {
  readonly caller: Caller
  readonly ports: Ports
  readonly loaders: Loaders
  /** Logs an error that the caller is not told about, under the request's id. */
  readonly logFault: (error: unknown) => void
}

/** The context of one request. */
export function openContext({ caller, ports, logFault }: Omit<Context, 'loaders'>): Context {
  return { caller, ports, logFault, loaders: openLoaders(ports, caller) }
}
