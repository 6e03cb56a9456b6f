/**
 * The crash campaign: kills replicas and their database while shipments are cancelled, and checks that no
 * cancellation is lost. Example: `npm run test:crash -- --deaths 500 --db-kills 50 --seed 7`. With `--scenario` it
 * runs directed scenarios instead, such as an outage of a carrier's token endpoint. See README.md
 * in this folder for the options. The last line is a JSON object. The exit code is 1 after a violation, or if
 * too few processes died in time.
 */
import { runCampaign } from './campaign.ts'
import { type CampaignOptions, readArguments } from './options.ts'
import { runScenarios, type ScenarioOptions } from './scenarios/run.ts'

const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    // A second signal ends at once; the child processes end with this one.
    if (interruption.signal.aborted) process.exit(130)
    process.stdout.write('interrupted: cleaning up\n')
    interruption.abort()
  })

try {
  const options = readArguments(process.argv.slice(2))
  process.exitCode = await (options.scenario === 'kills' ? runKills(options) : runDirected(options))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exitCode = 2
}

async function runKills(options: CampaignOptions): Promise<number> {
  const result = await runCampaign({ ...options, signal: interruption.signal })
  const { deaths, dbKills, pauses, partitions, clockJumps, shipments, violations, seed, complete } = result
  if (!complete)
    process.stdout.write(
      `stopped before ${options.deaths} deaths, ${options.dbKills} database kills and ${options.shipments} shipments, or before all disturbances\n`,
    )
  const faults = { deaths, db_kills: dbKills, pauses, partitions, clock_jumps: clockJumps }
  const summary = { ...faults, shipments, violations: violations.length, seed }
  process.stdout.write(`${JSON.stringify(summary)}\n`)
  if (interruption.signal.aborted) return 130
  return violations.length > 0 || !complete ? 1 : 0
}

async function runDirected(options: ScenarioOptions): Promise<number> {
  return (await runScenarios(options)) > 0 ? 1 : 0
}
