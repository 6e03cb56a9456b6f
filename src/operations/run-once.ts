/**
 * Work that must run once per key in this process, however many ask for it, and that a shutdown waits for.
 * Nobody can abort it: whoever asked may go away, the work goes on.
 */

const RUNNING = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * Starts `work` under `key`, or joins the one that is running: all who joined get the same end, also the same
 * error. `owner` (a port) keeps apart two apps in one process. A key belongs to one kind of work.
 */
export function runOnce<Outcome>(owner: object, key: string, work: () => Promise<Outcome>): Promise<Outcome> {
  const running = runningOf(owner)
  const joined = running.get(key)
  if (joined !== undefined) return joined as Promise<Outcome>
  const started = work().finally(() => running.delete(key))
  running.set(key, started)
  return started
}

/** The end of `work`, or what `late` says when it has none within `limitMs`; the work goes on. */
export async function withinDeadline<Outcome>(
  work: Promise<Outcome>,
  limitMs: number,
  late: () => Outcome,
): Promise<Outcome> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve(late()), limitMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}

/** Resolves when all work of `owner` has ended, work that starts meanwhile included. Never rejects. */
export async function drain(owner: object): Promise<void> {
  const running = runningOf(owner)
  while (running.size > 0) await Promise.allSettled(running.values())
}

function runningOf(owner: object): Map<string, Promise<unknown>> {
  const known = RUNNING.get(owner)
  if (known !== undefined) return known
  const fresh = new Map<string, Promise<unknown>>()
  RUNNING.set(owner, fresh)
  return fresh
}
