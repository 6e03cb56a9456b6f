/** Command-line options of the campaign. */
import { parseArgs } from 'node:util'
import type { Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios/index.ts'

export type CampaignOptions = {
  readonly seed: number
  readonly scenarios: readonly Scenario[]
  /** Number of rounds over all scenarios. Each round has different sizes and shapes. */
  readonly rounds: number
  /** No scenario starts after this time. */
  readonly minutes: number
  /** Whether to run `npm run build` first. */
  readonly build: boolean
}

/** Reads the command line. Throws on an invalid option. */
export function readArguments(argv: readonly string[]): CampaignOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      scenario: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: '1' },
      minutes: { type: 'string', default: '60' },
      'no-build': { type: 'boolean', default: false },
    },
  })
  const scenarios = values.scenario.map((name) => {
    const found = SCENARIOS.find((scenario) => scenario.name === name)
    if (found !== undefined) return found
    throw new Error(
      `There is no scenario ${name}. There are: ${SCENARIOS.map((scenario) => scenario.name).join(', ')}.`,
    )
  })
  return {
    seed: whole('seed', values.seed),
    scenarios: scenarios.length === 0 ? SCENARIOS : scenarios,
    rounds: whole('rounds', values.rounds),
    minutes: whole('minutes', values.minutes),
    build: !values['no-build'],
  }
}

function whole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} takes a whole number, not "${text}".`)
  return Number(text)
}
