/** The rules, the dashboard and the runbooks in deploy and docs, compared with docs/metrics.md. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readPage } from '../docs/pages.ts'

const RULES = 'deploy/prometheus/waybill.rules.yml'

type Rule = {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

const { groups }: { groups: { rules: Rule[] }[] } = parse(readFileSync(RULES, 'utf8'))
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter(({ alert }) => alert !== undefined)
const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  readFileSync('deploy/grafana/waybill.json', 'utf8'),
)
const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

/** test/app/metrics.test.ts compares the page with the metrics that the service serves. */
const types = new Map(
  [...readPage('docs/metrics.md').text.matchAll(/^\| `(waybill_\w+)` \| (\w+) \|/gm)].map(
    ([, name = '', type = '']) => [name, type],
  ),
)
/** Of prom-client. */
const OF_PROCESS = [
  'waybill_nodejs_eventloop_lag_p99_seconds',
  'waybill_process_resident_memory_bytes',
  'waybill_process_start_time_seconds',
]
const recorded = rules.flatMap(({ record }) => record ?? [])

function unknownNames(expr: string): readonly string[] {
  const names = expr.match(/\bwaybill[_:][\w:]+/g) ?? []
  const histograms = [...types].filter(([, type]) => type === 'histogram').map(([name]) => name)
  const known = new Set([
    ...[...types.keys(), ...OF_PROCESS, ...recorded],
    ...histograms.flatMap((name) => [`${name}_bucket`, `${name}_count`, `${name}_sum`]),
  ])
  return names.filter((name) => !known.has(name))
}

test('rules and panels use only metrics that exist, and every metric has a panel', () => {
  expect([...rules.map(({ expr }) => expr), ...shown].flatMap(unknownNames)).toEqual([])
  const recordedOf = rules.filter(
    ({ record }) => record !== undefined && shown.some((expr) => expr.includes(record)),
  )
  const all = [...recordedOf.map(({ expr }) => expr), JSON.stringify(dashboard)].join('\n')
  expect([...types.keys()].filter((name) => !all.includes(name))).toEqual([])
})

test('every alert has a severity and a runbook, and every runbook an alert', () => {
  const headings = [...readPage('docs/runbooks.md').text.matchAll(/^## (\w+)$/gm)].map(([, name]) => name)
  expect(headings).toEqual(expect.arrayContaining(alerts.map(({ alert }) => alert)))
  expect(headings).toHaveLength(alerts.length)
  for (const { alert = '', labels, annotations } of alerts) {
    expect(['page', 'ticket']).toContain(labels?.['severity'])
    expect(annotations?.['runbook']).toBe(`docs/runbooks.md#${alert.toLowerCase()}`)
  }
})

const promtool = [process.env['PROMTOOL'], '/usr/bin/promtool'].find(
  (path) => path !== undefined && existsSync(path),
)
if (promtool === undefined)
  console.log('the rules in promtool: skipped, not installed (Debian: apt-get install prometheus)')

test.skipIf(promtool === undefined)('promtool accepts the rules, and their alerts fire and resolve', () => {
  for (const command of [
    ['check', 'rules', RULES],
    ['test', 'rules', RULES.replace('.yml', '.test.yml')],
  ])
    execFileSync(promtool ?? '', command, { encoding: 'utf8' })
})
