/**
 * Loaded into a measured service with `--import`. Answers messages of the benchmark with figures of the process, and
 * ends the process when the benchmark ends.
 *
 * - `memory`: bytes in use after a full collection.
 * - `delays`: the delays of the event loop since the last such message, in milliseconds. `adjusted` excludes the time
 *   that the main thread waited for a processor, which other processes cause. `collections` are the pauses for garbage
 *   collection meanwhile. The first such message begins to record them.
 * - `profile`, `profiled`: begins to sample allocations, and lists the functions that allocated what is still in use.
 * - `leak`: from now on, keeps 10 KB for each request, so that tests can check that a leak is found.
 */
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const TICK_MS = 2

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
const schedstat = `/proc/self/task/${process.pid}/schedstat`
/** How long the main thread has waited for a processor, in milliseconds; 0 if the system does not report it. */
function waitedMs() {
  try {
    return Number(readFileSync(schedstat, 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

const loop = monitorEventLoopDelay({ resolution: TICK_MS })
let adjusted = []
let collections = { count: 0, totalMs: 0, maxMs: 0 }
let isWatching = false

function watchDelays() {
  isWatching = true
  loop.enable()
  let last = { at: performance.now(), waited: waitedMs() }
  setInterval(() => {
    const now = { at: performance.now(), waited: waitedMs() }
    adjusted.push(Math.max(0, now.at - last.at - (now.waited - last.waited) - TICK_MS))
    last = now
  }, TICK_MS).unref()
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      collections.count++
      collections.totalMs += duration
      collections.maxMs = Math.max(collections.maxMs, duration)
    }
  }).observe({ entryTypes: ['gc'] })
}

/** Begins to watch when it is first called, because the delays take 2 MB of memory in 10 minutes. */
function takeDelays() {
  if (!isWatching) watchDelays()
  const sorted = adjusted.sort((a, b) => a - b)
  const at = (share) => sorted[Math.floor(sorted.length * share)] ?? 0
  const beyondTick = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - TICK_MS)
  const delays = {
    p50: beyondTick(loop.percentile(50)),
    p99: beyondTick(loop.percentile(99)),
    max: beyondTick(loop.max),
    adjusted: { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 },
    collections,
  }
  collections = { count: 0, totalMs: 0, maxMs: 0 }
  loop.reset()
  adjusted = []
  return delays
}

function memory() {
  collectGarbage()
  collectGarbage()
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heapUsed, external, rss }
}

function leak() {
  const kept = []
  subscribe('http.server.request.start', () => kept.push(new Array(1_280).fill(0)))
  return {}
}

const SAMPLE_BYTES = 32 * 1024
const LISTED_FUNCTIONS = 25
const session = new Session()

async function startProfile() {
  session.connect()
  await session.post('HeapProfiler.startSampling', { samplingInterval: SAMPLE_BYTES })
  return {}
}

async function takeProfile() {
  collectGarbage()
  const { profile } = await session.post('HeapProfiler.stopSampling')
  const bytes = new Map()
  const visit = ({ callFrame, selfSize, children }, callers) => {
    const { functionName, url, lineNumber } = callFrame
    const name = `${functionName || 'anonymous'} (${url.split('/').slice(-2).join('/')}:${lineNumber + 1})`
    const path = [name, ...callers].slice(0, 4)
    const key = path.join(' < ')
    bytes.set(key, (bytes.get(key) ?? 0) + selfSize)
    for (const child of children) visit(child, path)
  }
  visit(profile.head, [])
  return [...bytes]
    .sort(([, a], [, b]) => b - a)
    .slice(0, LISTED_FUNCTIONS)
    .map(([name, size]) => `${(size / 1e6).toFixed(2).padStart(8)} MB  ${name}`)
}

process.on('message', async (message) => {
  if (message === 'profile') process.send(await startProfile())
  if (message === 'profiled') process.send(await takeProfile())
  if (message === 'leak') process.send(leak())
  if (message === 'memory') process.send(memory())
  if (message === 'delays') process.send(takeDelays())
})
process.on('disconnect', () => process.exit(0))
process.channel?.unref()
