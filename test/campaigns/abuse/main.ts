/**
 * `npm run test:abuse`: attacks a production build from loopback while a partner uses it. Prints one line per
 * scenario and a JSON object at the end. The exit code is 1 after a violation.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'
import type { TestSource } from '../../support/database/test-server.ts'
import { removeAtTheEnd, withScratchDatabase } from '../scratch-database.ts'
import { createDatabase, type Population, populate } from './database.ts'
import { type CampaignOptions, readArguments } from './options.ts'
import type { Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios/index.ts'
import { openStage, type ScenarioReport } from './stage.ts'

const repository = path.resolve(import.meta.dirname, '../../..')
const options = readArguments(process.argv.slice(2))
if (options.build) {
  console.log('Building …')
  execFileSync('npm', ['run', 'build'], { cwd: repository, stdio: 'ignore' })
}
console.log(`${options.scenarios.length} scenarios, seed ${options.seed}`)
const reports = await withScratchDatabase({ durable: false }, async (template) =>
  runAll(options, template, await populate(template)),
)
const violations = Object.values(reports).reduce((sum, report) => sum + report.violations.length, 0)
console.log(JSON.stringify({ seed: options.seed, scenarios: reports, violations }))
if (violations > 0) process.exitCode = 1

async function runAll(
  { scenarios, rounds, minutes, seed }: CampaignOptions,
  template: TestSource,
  population: Population,
): Promise<Record<string, ScenarioReport>> {
  const reports: Record<string, ScenarioReport> = {}
  const endsAt = performance.now() + minutes * 60_000
  for (let round = 0; round < rounds; round++)
    for (const scenario of scenarios) {
      const name = round === 0 ? scenario.name : `${scenario.name} (round ${round + 1})`
      if (performance.now() >= endsAt) {
        // A scenario that never ran has not passed.
        if (round === 0) reports[name] = { violations: ['it did not run: the time limit was reached'] }
        continue
      }
      const report = await runOnCopy(
        scenario,
        seed + 1_000 * round + SCENARIOS.indexOf(scenario),
        template,
        population,
      )
      reports[name] = report
      print(name, report)
    }
  return reports
}

async function runOnCopy(
  scenario: Scenario,
  seed: number,
  template: TestSource,
  population: Population,
): Promise<ScenarioReport> {
  const database = await createDatabase(template, template)
  const folder = makeThrowAwayFolder()
  const removeFolder = removeAtTheEnd(() => rmSync(folder, { recursive: true, force: true }))
  try {
    const { settings, bystanderRate } = scenario
    const stage = await openStage({
      ...{ short: false, program: 'built', database, population, folder },
      ...(settings !== undefined && { settings }),
      ...(bystanderRate !== undefined && { bystanderRate }),
    })
    try {
      return await stage.run(scenario, seed)
    } finally {
      await stage.close()
    }
  } finally {
    await removeFolder()
    await database.drop()
  }
}

function print(name: string, { seconds, bystanders, calm, peakMemoryMb, violations }: ScenarioReport): void {
  const p99 = (figures: unknown): string => String((figures as { p99Ms?: number } | undefined)?.p99Ms ?? '–')
  console.log(
    `${violations.length === 0 ? 'passed' : 'FAILED'}  ${name}: ${seconds} s, partner's p99 ${p99(bystanders)} ms ` +
      `(${p99(calm)} ms before), ${peakMemoryMb} MB at the peak`,
  )
  for (const violation of violations) console.log(`        ${violation}`)
}
