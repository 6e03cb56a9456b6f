import type { Service } from '../abuse/service.ts'

/** Returns a function that returns how much slower the service has been than on a processor of its own. */
export function watchSlowdown(service: Service): () => number {
  const before = service.mainThreadTimes()
  return () => {
    const after = service.mainThreadTimes()
    if (before === undefined || after === undefined) return 1
    const run = after.runSeconds - before.runSeconds
    return run === 0 ? 1 : (run + after.waitSeconds - before.waitSeconds) / run
  }
}
