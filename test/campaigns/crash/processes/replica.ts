/**
 * A replica of the campaign: the real app in a process that can kill itself. It imports the code, then waits
 * for the line that opens it, so that a successor starts quickly.
 *
 * | input | effect |
 * |---|---|
 * | `open {"settings": …, "killing": …, "times": …}` | opens the app |
 * | `spare` | cancels the planned death |
 * | `clock <milliseconds>` | sets the wall clock ahead, or back |
 * | `hold {"points": […], "count": 1}` | the next calls at these points wait |
 * | `go` | lets them continue |
 *
 * Output: `imported`, `ready <origin>`, `held <point>` and `died <point>`. It ends when its standard input
 * closes.
 */
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { type App, openApp } from '../../../../src/app/app.ts'
import { readConfig } from '../../../../src/config/config.ts'
import type { Ports } from '../../../../src/operations/ports/ports.ts'
import { runningServer } from '../../../../src/store/embedded-postgres/server.ts'
import { deadly, type Killing } from '../kill-points.ts'
import { openGates } from './gates.ts'
import { naive } from './naive.ts'
import { limitAnswers, setClock, setTimes, type TestTimes, withLookupLag } from './test-times.ts'

const { isNaive } = JSON.parse(process.argv[2] ?? '{}') as { readonly isNaive: boolean }

type Order = {
  readonly settings: Readonly<Record<string, string>>
  readonly killing?: Killing
  readonly times?: TestTimes
}

let killing: Killing | undefined
let app: App | undefined
let stopping = false
const gates = openGates()

const print = (line: string): void => {
  writeSync(1, `${line}\n`)
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const [, word, rest = ''] = /^(\w+) ?(.*)$/.exec(line) ?? []
    switch (word) {
      case 'spare':
        killing = undefined
        return
      case 'clock':
        return setClock(Number(rest))
      case 'hold': {
        const { points, count } = JSON.parse(rest) as { points: readonly string[]; count: number }
        return gates.close(points, count)
      }
      case 'go':
        return gates.open()
      case 'open': {
        const order = JSON.parse(rest) as Order
        killing = order.killing
        open(order).catch(fail)
      }
    }
  })
  .on('close', () => process.exit(3))
process.on('SIGTERM', () => {
  if (stopping || app === undefined) process.exit(0)
  stopping = true
  app.close().then(() => process.exit(0), fail)
})
print('imported')

async function open({ settings, times = {} }: Order): Promise<void> {
  setTimes(times)
  const config = readConfig({ ...process.env, ...settings })
  const sourceOf = () => {
    const source = config.databaseUrl ?? runningServer(config.dataDir)
    if (source === undefined) throw new Error('the embedded server is not running')
    return source
  }
  const wrapPorts = (ports: Ports): Ports => {
    const mortal = gates.wrap(deadly(withLookupLag(ports, times), () => killing))
    return isNaive ? naive(mortal, sourceOf) : mortal
  }
  app = await openApp(config, {
    wrapPorts,
    // As in main.ts: without its database, an embedded service ends.
    onDatabaseLost: (reason) => fail(new Error(`the embedded database ended: ${reason}`)),
  })
  const origin = await app.listen()
  limitAnswers(times)
  print(`ready ${origin}`)
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(1)
}
