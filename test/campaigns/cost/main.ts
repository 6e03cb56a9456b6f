/**
 * `npm run test:cost`: sends documents over the largest stored data to a production build, and reports its CPU time per
 * charged point and the longest stop of its event loop. The exit code is 1 above the limits. See docs/testing.md.
 */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildASTSchema } from 'graphql'
import { readTypeDefinitions } from '../../../src/graphql/schema-files.ts'
import { withScratchDatabase } from '../scratch-database.ts'
import { fixedDocuments, randomDocuments } from './documents.ts'
import { type CostFigures, measure } from './run.ts'
import { store } from './stored.ts'

const MAX_CPU_MS_PER_POINT = 5
const MAX_STOP_MS = 50

const repository = path.resolve(import.meta.dirname, '../../..')
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    documents: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '15' },
    // Multiplies both limits, because a busy processor is slower.
    slack: { type: 'string', default: '1.5' },
    // Another checkout with a build, to compare.
    folder: { type: 'string', default: repository },
    'no-build': { type: 'boolean', default: false },
  },
})
const slack = Number(values.slack)
if (!values['no-build']) {
  console.log('Building …')
  execFileSync('npm', ['run', 'build'], { cwd: values.folder, stdio: 'ignore' })
}
console.log(
  `seed ${values.seed}; limits ${MAX_CPU_MS_PER_POINT} ms of CPU per point and stops of ${MAX_STOP_MS} ms, both times ${slack} for a busy machine`,
)
const figures = await withScratchDatabase({ durable: false }, async (source) => {
  const random = Number(values.documents)
  const stored = await store(source, { keys: random + 50, large: 400, long: 300, small: 1_000 })
  const schema = buildASTSchema(readTypeDefinitions())
  const documents = [
    ...fixedDocuments(stored),
    ...randomDocuments(schema, stored, Number(values.seed), random),
  ]
  const warmUp = randomDocuments(schema, stored, Number(values.seed) + 1, 60)
  const endsAt = performance.now() + Number(values.minutes) * 60_000
  return measure({
    source,
    program: 'built',
    folder: values.folder,
    documents,
    warmUp,
    keys: stored.keys,
    times: { min: 4, max: 20 },
    endsAt,
  })
})
const perPoint = ({ cpuMs, points }: CostFigures): number => cpuMs / points
const violations = figures.filter(
  (figure) =>
    perPoint(figure) > slack * MAX_CPU_MS_PER_POINT ||
    figure.longestStopMs > slack * MAX_STOP_MS ||
    figure.statuses.some((status) => status === undefined || (status >= 500 && status !== 503)),
)
const sorted = [...figures].sort((a, b) => perPoint(b) - perPoint(a))
for (const figure of sorted)
  if (!figure.label.startsWith('random') || violations.includes(figure)) print(figure)
console.log(
  JSON.stringify({
    seed: Number(values.seed),
    documents: figures.length,
    cpuMsPerPoint: Number(Math.max(...figures.map(perPoint)).toFixed(2)),
    longestStopMs: Math.max(...figures.map(({ longestStopMs }) => longestStopMs)),
    violations: violations.length,
  }),
)
if (violations.length > 0) process.exitCode = 1

function print(figure: CostFigures): void {
  const { label, statuses, requests, points, cpuMs, longestStopMs, bytes, peakMemoryMb } = figure
  console.log(
    `${perPoint(figure).toFixed(2)} ms per point, stop ${longestStopMs} ms: ${requests} times ${statuses.join(' or ')}; ${points} points, ${Math.round(cpuMs)} ms, ${bytes} bytes, ${peakMemoryMb} MB; ${label}`,
  )
}
