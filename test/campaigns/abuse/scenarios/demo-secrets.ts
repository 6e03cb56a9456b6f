/** Public demo secrets on a production database. */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { createDatabase, type OwnDatabase, urlOf } from '../database.ts'
import { send } from '../http-client.ts'
import { REST, restRates } from '../requests/rest-bodies.ts'
import type { Scenario, Stage } from '../scenario.ts'
import { argumentsFor, plainEnvironment, startService } from '../service.ts'

const DEMO_KEYS = ['demo@demo-secret', 'other@other-secret']
const repository = path.resolve(import.meta.dirname, '../../../..')
const COMMAND_MS = 60_000

/** Also tries commands without NODE_ENV, because it is often missing in an operator's shell. */
export const demoSecrets: Scenario = {
  name: 'demo-secrets',
  rule: 'The demo secrets work neither on a production database nor on an external one without demo data.',
  async attack(stage) {
    const exitCode = await demoReset(stage)
    stage.note('exit code of "demo reset"', exitCode)
    await probe(stage, stage.port, 'after "demo reset" without NODE_ENV')
    await startsAgain(stage)
    if (stage.short) return
    await onNewDatabase(stage, stage.database, async (database) => {
      const service = await startService({
        ...{ program: stage.program, databaseUrl: urlOf(database.source) },
        settings: { NODE_ENV: '' },
      })
      await probe(stage, service.port, 'on an external database without NODE_ENV')
      await service.stop()
    })
  },
}

function demoReset({ database, program }: Stage): Promise<number> {
  const args = [...argumentsFor(program, 'cli/waybill'), 'demo', 'reset']
  const env = { ...plainEnvironment(), DATABASE_URL: urlOf(database.source) }
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: repository, env, timeout: COMMAND_MS }, (error) =>
      resolve(error === null ? 0 : Number(error.code ?? 1)),
    )
  })
}

/** Tries both keys at both doors. */
async function probe(stage: Stage, port: number, when: string): Promise<void> {
  for (const key of DEMO_KEYS)
    for (const [path, body] of [
      [REST.rates, restRates(stage.dice, 1)],
      ['/graphql', '{"query":"{__typename}"}'],
    ] as const) {
      const { status } = await send(port, { label: 'a demo secret', path, key, body })
      // 429: other scenarios have used up the failures of this address.
      if (status !== 401 && status !== 429) stage.violate(`a demo secret works ${when}`, `status ${status}`)
    }
}

/** Checks that the service can still start. Otherwise the next restart would cause an outage. */
async function startsAgain(stage: Stage): Promise<void> {
  try {
    const again = await startService({ program: stage.program, databaseUrl: urlOf(stage.database.source) })
    await probe(stage, again.port, 'after a restart')
    await again.stop()
  } catch (error) {
    stage.violate('production no longer starts', String(error))
  }
}

async function onNewDatabase(
  stage: Stage,
  { source }: OwnDatabase,
  work: (database: OwnDatabase) => Promise<void>,
): Promise<void> {
  const database = await createDatabase(source, undefined)
  try {
    await work(database)
  } catch (error) {
    stage.violate('the service does not start on an empty external database', String(error))
  } finally {
    await database.drop()
  }
}
