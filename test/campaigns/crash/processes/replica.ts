/**
 * A replica of the campaign: the real app in a process that can kill itself. It imports the code, then waits
 * for the line that opens it, so that a successor starts quickly.
 *
 * Input: `open {"settings": …, "killing": …}` and `spare` (cancels the planned death). Output: `imported`,
 * `ready <origin>` and `died <point>`. It ends when its standard input closes.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type App, openApp } from '../../../../src/app.ts'
import { readConfig } from '../../../../src/config.ts'
import type { Ports } from '../../../../src/operations/ports/ports.ts'
import { runningServer } from '../../../../src/store/embedded-postgres/server.ts'
import { deadly, type Killing } from '../kill-points.ts'
import { naive } from './naive.ts'

const { isNaive } = JSON.parse(process.argv[2] ?? '{}') as { readonly isNaive: boolean }

type Order = { readonly settings: Readonly<Record<string, string>>; readonly killing?: Killing }

let killing: Killing | undefined
let app: App | undefined
let stopping = false

const print = (line: string): void => {
  writeSync(1, `${line}\n`)
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line === 'spare') killing = undefined
    else {
      const order = JSON.parse(line.replace(/^open /, '')) as Order
      killing = order.killing
      open(order.settings).catch(fail)
    }
  })
  .on('close', () => process.exit(3))
process.on('SIGTERM', () => {
  if (stopping || app === undefined) process.exit(0)
  stopping = true
  app.close().then(() => process.exit(0), fail)
})
print('imported')

async function open(settings: Order['settings']): Promise<void> {
  const config = readConfig({ ...process.env, ...settings })
  const sourceOf = () => {
    const source = config.databaseUrl ?? runningServer(config.dataDir)
    if (source === undefined) throw new Error('the embedded server is not running')
    return source
  }
  const wrapPorts = (ports: Ports): Ports => {
    const mortal = deadly(ports, () => killing)
    return isNaive ? naive(mortal, sourceOf) : mortal
  }
  app = await openApp(config, {
    wrapPorts,
    // As in main.ts: without its database, an embedded service ends.
    onDatabaseLost: (reason) => fail(new Error(`the embedded database ended: ${reason}`)),
  })
  print(`ready ${await app.listen()}`)
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
}
