/**
 * Counts executed blocks of code, so that tests can limit work without measuring time. Uses V8's precise coverage,
 * which covers only code that is loaded after it was started, so import the code under test dynamically.
 */
import { Session } from 'node:inspector'

type Coverage = {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[]
  }[]
}

/** Returns the number of blocks executed during a call. The same call always gives the same number. */
export type CountWork = (call: () => void) => number

/** Starts counting. Only scripts whose URL contains `folder` count. */
export function startCounting(folder: string): CountWork {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const take = (): number => {
    let taken: Coverage | undefined
    session.post('Profiler.takePreciseCoverage', (_, coverage) => {
      taken = coverage
    })
    if (taken === undefined) throw new Error('V8 gave no coverage')
    return taken.result
      .filter(({ url }) => url.includes(folder))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((sum, { count }) => sum + count, 0)
  }
  return (call) => {
    take()
    call()
    return take()
  }
}
