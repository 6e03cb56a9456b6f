/**
 * `npm run test:soak -- [minutes] [requests per second]`: measures whether the memory of a production build grows under
 * a constant load, by default for 60 minutes at 100 requests per second. Sends the mix in requests.ts through both
 * doors on loopback, and reads the heap and external memory after a full collection. Prints the growth in MB per 10
 * minutes after a warm-up: of all samples, and of the lowest ones of five parts of the run. Fails if the latter is
 * above 1 MB. The warm-up is a number of requests as fast as possible, and then a quarter of the time.
 *
 * Options: `--warm-up 300000` (requests as fast as possible), `--no-build`, `--folder` (another checkout to run),
 * `--seed 1`, `--setting NAME=VALUE` (of the service; several are possible), `--profile` (prints which functions
 * allocated the memory that is still in use and was not at the end of the warm-up).
 */
import { execFileSync } from 'node:child_process'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startMeasuredService } from '../../bench/service/measured-service.ts'
import { diceOf } from '../../support/random/seeded-dice.ts'
import { populate, urlOf } from '../abuse/database.ts'
import { withScratchDatabase } from '../scratch-database.ts'
import { growthPer10Minutes, lowestSamples, type Sample } from './growth.ts'
import { loadOf } from './load.ts'

const MAX_MB_PER_10_MINUTES = 1
const MIN_SAMPLES = 40
const SAMPLES_PER_MINUTE = 2
/** After the warm-up. */
const PARTS = 5
const MAX_MINUTES = 240
const MAX_PER_SECOND = 2_000
const MAX_WARM_UP = 5_000_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'warm-up': { type: 'string', default: '300000' },
    'no-build': { type: 'boolean', default: false },
    folder: { type: 'string' },
    setting: { type: 'string', multiple: true, default: [] },
    profile: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
})
const [minutes = 60, perSecond = 100] = positionals.map(Number)
const warmUp = Number(values['warm-up'])
const isValid = minutes > 0 && minutes <= MAX_MINUTES && perSecond > 0 && perSecond <= MAX_PER_SECOND
if (!(isValid && warmUp >= 0 && warmUp <= MAX_WARM_UP)) {
  console.error('usage: npm run test:soak -- [minutes, at most 240] [requests per second, at most 2,000]')
  process.exit(2)
}

const settings = Object.fromEntries(values.setting.map((text) => text.split('=', 2)))
const sampleCount = Math.max(MIN_SAMPLES, Math.round(minutes * SAMPLES_PER_MINUTE))
const warmUpSamples = Math.round(sampleCount / 4)
const repository = path.resolve(import.meta.dirname, '../../..')
if (!values['no-build'])
  execFileSync('npm', ['run', 'build'], { cwd: values.folder ?? repository, stdio: 'ignore' })
const { samples, statuses, faults, omitted, warnings } = await withScratchDatabase(
  { durable: false },
  async (source) => {
    const { acme, bravo } = await populate(source)
    const service = await startMeasuredService({
      ...{ program: 'built', folder: values.folder, databaseUrl: urlOf(source), settings },
    })
    const load = loadOf(service.port, [...acme.keys, ...bravo.keys], diceOf(Number(values.seed)))
    try {
      await load.sendAtOnce(warmUp)
      const stop = load.sendEverySecond(perSecond)
      const taken = await sampleMemory(service)
      await stop()
      const { statuses, faults } = load
      return { samples: taken, statuses, faults, omitted: load.omitted(), warnings: service.warnings() }
    } finally {
      load.close()
    }
  },
)
const afterWarmUp = samples.slice(warmUpSamples)
const lowest = lowestSamples(afterWarmUp, PARTS)
const [growth, growthOfAll] = [growthPer10Minutes(lowest), growthPer10Minutes(afterWarmUp)]
const byStatus = Object.fromEntries([...statuses].sort(([a], [b]) => a - b))
for (const [reason, count] of faults) console.log(`VIOLATION ${count} responses: ${reason}`)
for (const warning of warnings) console.log(warning)
if (omitted > 0) console.log(`${omitted} requests were not sent, because responses took too long`)
console.log(`lowest in each part: ${lowest.map(({ mb }) => mb.toFixed(2)).join(', ')} MB`)
console.log(
  `memory grows by ${growth.toFixed(2)} MB per 10 minutes, that is ` +
    `${((growth * 1e6) / (perSecond * 600)).toFixed(1)} bytes per request; ${growthOfAll.toFixed(2)} MB in all samples`,
)
console.log(
  JSON.stringify({
    ...{
      mb_per_10_minutes: Number(growth.toFixed(3)),
      of_all: Number(growthOfAll.toFixed(3)),
      minutes,
      perSecond,
    },
    ...{ statuses: byStatus, omitted, loadAverage: os.loadavg() },
  }),
)
if (growth > MAX_MB_PER_10_MINUTES || faults.size > 0) process.exitCode = 1

async function sampleMemory(
  service: Awaited<ReturnType<typeof startMeasuredService>>,
): Promise<readonly Sample[]> {
  const taken: Sample[] = []
  const startedAt = performance.now()
  while (taken.length < sampleCount) {
    const dueAt = startedAt + (minutes * 60_000 * (taken.length + 1)) / sampleCount
    await pause(Math.max(0, dueAt - performance.now()))
    const { heapUsed, external, rss } = await service.memory()
    const sample = { minutes: (performance.now() - startedAt) / 60_000, mb: (heapUsed + external) / 1e6 }
    taken.push(sample)
    if (values.profile && taken.length === warmUpSamples) await service.startHeapProfile()
    console.log(
      `${sample.minutes.toFixed(1)} min  ${sample.mb.toFixed(2)} MB in use, ${(rss / 1e6).toFixed(0)} MB resident`,
    )
  }
  if (values.profile) for (const line of await service.heapProfile()) console.log(line)
  return taken
}
