/** Requests whose bodies arrive byte by byte, with and without credentials. */
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { answerReader, headOf, openSocket } from '../raw-client.ts'
import { REST } from '../requests/rest-bodies.ts'
import type { Scenario, Stage } from '../scenario.ts'

/** The number of initial connections. This once occupied all 512 slots of the service. */
const FIRST = 520
const PER_SECOND = 50
const SECONDS = 30
const KEYED_CONNECTIONS = 560
/** Longer than the bytes sent, so no body is complete within the service's time limit. */
const LENGTHS = [64, 4_096, 200_000]
const TRICKLE_MS = 900
const AFTERWARDS_MS = 8_000

/** The door for carrier events, which is open to everyone. */
export const slowSignedBodies: Scenario = {
  name: 'slow-signed-bodies',
  rule: 'Slow bodies at /carrier-events without a valid signature do not affect partners.',
  async attack(stage) {
    const from = sourceAddresses(stage)
    const signature = stage.dice.pick(['absent', 'malformed', 'stale', 'recent', 'mixed'] as const)
    stage.note(`signature ${signature}`, 1)
    const [first, count] = stage.short ? [FIRST, FIRST] : [FIRST, FIRST + PER_SECOND * SECONDS]
    await slowly(stage, { first, count }, (n) => ({
      from: from(n),
      head: headOf(`POST /carrier-events/${carrierOf(stage, n)}`, [
        'Content-Type: application/json',
        `Content-Length: ${stage.dice.pick(LENGTHS)}`,
        ...signatureHeader(stage, signature),
      ]),
    }))
  },
}

/** One valid key that sends most of its requests with slow bodies. */
export const slowKeyedBodies: Scenario = {
  name: 'slow-keyed-bodies',
  rule: 'Slow bodies with one valid key do not affect other partners.',
  async attack(stage) {
    const key = stage.newKey()
    await slowly(stage, { first: KEYED_CONNECTIONS, count: KEYED_CONNECTIONS }, () => ({
      from: undefined,
      head: headOf(`POST ${stage.dice.pick([REST.rates, REST.estimate, '/graphql'])}`, [
        `X-PP-API: ${key}`,
        'Content-Type: application/json',
        `Content-Length: ${stage.dice.pick(LENGTHS)}`,
      ]),
    }))
  },
}

/** From the partner's address, from another one, or from many. */
function sourceAddresses({ dice }: Stage): (n: number) => string | undefined {
  switch (dice.pick(['same', 'other', 'many'] as const)) {
    case 'same':
      return () => undefined
    case 'other':
      return () => (process.platform === 'linux' ? '127.0.0.2' : undefined)
    case 'many':
      return (n) => (process.platform === 'linux' ? `127.0.1.${1 + (n % 100)}` : undefined)
  }
}

function carrierOf({ dice }: Stage, n: number): string {
  return dice.pick(['rondeel', `z${n}`, 'noordster', '__proto__', 'a'.repeat(70)])
}

function signatureHeader({ dice }: Stage, kind: string): string[] {
  const now = Math.floor(Date.now() / 1000)
  const signatures = {
    absent: [],
    malformed: ['X-Waybill-Signature: t=1,v1=zz'],
    stale: [`X-Waybill-Signature: t=${now - 3_600},v1=${'a'.repeat(64)}`],
    recent: [`X-Waybill-Signature: t=${now},v1=${'a'.repeat(64)}`],
  }
  if (kind === 'mixed') return dice.pick(Object.values(signatures))
  return signatures[kind as keyof typeof signatures]
}

type Slow = { readonly from: string | undefined; readonly head: string }

/**
 * Opens the first connections at once and the others at a steady rate. Each sends a head and then single
 * bytes.
 */
async function slowly(
  stage: Stage,
  { first, count }: { readonly first: number; readonly count: number },
  make: (n: number) => Slow,
): Promise<void> {
  const open = new Set<Socket>()
  const trickle = setInterval(() => {
    for (const socket of open) socket.write('1')
  }, TRICKLE_MS)
  const startedAt = performance.now()
  try {
    for (let n = 0; n < count && stage.goesOn(); n++) {
      const { from, head } = make(n)
      const socket = openSocket(stage.port, from)
      open.add(socket)
      socket.once('close', () => open.delete(socket))
      socket.setEncoding('latin1').on(
        'data',
        answerReader((answer) => stage.judge('a slow body', answer)),
      )
      socket.write(`${head}1`)
      const due = startedAt + ((n + 1 - first) / PER_SECOND) * 1_000
      if (due > performance.now()) await pause(due - performance.now())
    }
    stage.note('connections still open', open.size)
    await pause(stage.short ? 1_500 : AFTERWARDS_MS)
  } finally {
    clearInterval(trickle)
    for (const socket of open) socket.destroy()
  }
}
