/** Runs scenarios, each on a copy of one database, and prints a table and the violations by kind. */
import { performance } from 'node:perf_hooks'
import { openDatabase } from '../../../../src/store/database/open.ts'
import { seedDemo } from '../../../../src/store/demo/reset.ts'
import { runStatements, sourceFor, type TestSource } from '../../../support/database/test-server.ts'
import { diceOf } from '../../../support/random/seeded-dice.ts'
import { withStage } from '../../outages/stage.ts'
import { withScratchDatabase } from '../../scratch-database.ts'
import { SCENARIOS } from './index.ts'
import { type CrashScenario, FINDINGS, type Finding, type FindingKind } from './scenario.ts'

export type ScenarioOptions = {
  /** Part of the names of the scenarios; `all`. */
  readonly scenario: string
  readonly seed: number
  /** Number of shipments of each scenario; 0: its own. */
  readonly shipments: number
  /** No scenario begins after this time. */
  readonly minutes: number
}

type Result = {
  readonly name: string
  readonly shipments: number
  readonly seconds: number
  /** Number of answers by kind. */
  readonly answers: ReadonlyMap<string, number>
  readonly findings: readonly Finding[]
}

const PRINTED_PER_KIND = 3

/** Returns the number of violations. Throws if no scenario has such a name. */
export async function runScenarios({ scenario, seed, shipments, minutes }: ScenarioOptions): Promise<number> {
  const chosen = Object.entries(SCENARIOS).filter(([name]) => scenario === 'all' || name.includes(scenario))
  if (chosen.length === 0)
    throw new Error(`--scenario takes all or a part of: ${Object.keys(SCENARIOS).join(', ')}`)
  console.log(`seed ${seed}`)
  const endsAt = performance.now() + minutes * 60_000
  const results = await withScratchDatabase({ durable: false }, async (template) => {
    const db = openDatabase(template, { statementTimeoutMs: 0 })
    await seedDemo(db).finally(() => db.destroy())
    const done: Result[] = []
    for (const [index, [name, one]] of chosen.entries()) {
      if (performance.now() > endsAt) {
        console.log(`no time for ${name}`)
        continue
      }
      console.log(`${name}: ${one.about}`)
      const result = await runOnCopy(template, index, name, one, {
        seed,
        shipments: shipments || one.shipments,
      })
      for (const line of firstOfEach(result.findings)) console.log(`    ${line}`)
      done.push(result)
    }
    return done
  })
  for (const line of tableOf(results)) console.log(line)
  const findings = results.flatMap((result) => result.findings)
  const counts = countBy(findings.map(({ kind }) => kind))
  for (const [kind, count] of counts) console.log(`VIOLATED ${count} times: ${kind}, ${FINDINGS[kind]}`)
  console.log(
    JSON.stringify({
      scenarios: results.length,
      shipments: results.reduce((sum, result) => sum + result.shipments, 0),
      violations: findings.length,
      ...Object.fromEntries(counts),
      seed,
    }),
  )
  return findings.length + (chosen.length - results.length)
}

async function runOnCopy(
  template: TestSource,
  index: number,
  name: string,
  scenario: CrashScenario,
  { seed, shipments }: { readonly seed: number; readonly shipments: number },
): Promise<Result> {
  const copy = `waybill_crash_${process.pid}_${index}`
  const maintenance = sourceFor(template, 'postgres')
  const original = typeof template === 'string' ? new URL(template).pathname.slice(1) : template.database
  await runStatements(maintenance, `create database "${copy}" template "${original}"`)
  const startedAt = performance.now()
  try {
    return await withStage(sourceFor(template, copy), diceOf(seed), async (stage) => {
      const findings = await scenario.run(stage, shipments)
      const answers = countBy(stage.asked.map(({ answer }) => answer.kind))
      return { name, shipments, seconds: (performance.now() - startedAt) / 1_000, answers, findings }
    })
  } finally {
    await runStatements(maintenance, `drop database "${copy}" with (force)`)
  }
}

function countBy<Name extends string>(names: readonly Name[]): Map<Name, number> {
  const counts = new Map<Name, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function firstOfEach(findings: readonly Finding[]): string[] {
  const kinds = Object.keys(FINDINGS) as FindingKind[]
  return kinds.flatMap((kind) =>
    findings
      .filter((finding) => finding.kind === kind)
      .slice(0, PRINTED_PER_KIND)
      .map(({ what }) => `${kind} ${what}`),
  )
}

function tableOf(results: readonly Result[]): string[] {
  const rows = results.map(({ name, shipments, seconds, answers, findings }) => [
    name,
    String(shipments),
    seconds.toFixed(0),
    [...answers].map(([kind, count]) => `${kind} ${count}`).join(', '),
    [...countBy(findings.map(({ kind }) => kind))].map(([kind, count]) => `${kind} ${count}`).join(', ') ||
      'none',
  ])
  const table = [['SCENARIO', 'SHIPMENTS', 'SECONDS', 'ANSWERS', 'VIOLATIONS'], ...rows]
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)))
  return table.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
