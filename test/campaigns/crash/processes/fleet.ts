/**
 * Starts, kills and replaces the replicas of a campaign. A replica dies at a named point, by SIGKILL from
 * outside at any moment (also during its start), or stops in order. A spare process, which has already
 * imported the code, replaces it.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Dice } from '../../../support/random/seeded-dice.ts'
import { deckOfDeaths, type Killing } from '../kill-points.ts'
import { alertIn, type Child, startChild } from './child.ts'
import type { TestTimes } from './test-times.ts'

export type FleetOptions = {
  readonly dice: Dice
  readonly replicas: number
  /** Number of deaths to reach. */
  readonly deaths: number
  /** Number of replicas that serve afterwards. */
  readonly survivors: number
  /** Whether all replicas use one data folder, which only one can open at a time. */
  readonly embedded: boolean
  /** Shorter lives. */
  readonly hasty: boolean
  readonly naive: boolean
  /** Settings of the replicas, by position. The first replicas import their code before these resolve. */
  readonly settings: Promise<readonly Readonly<Record<string, string>>[]>
  /** Where all replicas die; undefined: each at its own point. */
  readonly killing: Killing | undefined
}

export type FleetCounts = {
  deaths: number
  starts: number
  /** Stops by SIGTERM. */
  stops: number
  /** Failed starts, which are expected while the database is unavailable. */
  failedStarts: number
  readonly deathsByPoint: Map<string, number>
  /** Alerts in the log, by kind. */
  readonly alerts: Map<string, number>
  /** Kinds of the alerts about a shipment, by its id. */
  readonly alertsOf: Map<string, Set<string>>
  pauses: number
  clockJumps: number
  /** Violations by replicas, such as ending by themselves. */
  readonly faults: string[]
}

export type Fleet = {
  readonly counts: FleetCounts
  /** Addresses of the replicas that serve. */
  origins(): readonly string[]
  /** Whether a replica is starting. */
  isStarting(): boolean
  /** Failures soon after this are attributed to the database. */
  noteDatabaseKill(): void
  /** Kills all replicas. */
  killAll(): void
  /** Stops the process of a serving replica (SIGSTOP) for so long. False if none serves. */
  pause(milliseconds: number): Promise<boolean>
  /** Whether the replica at this address was ever paused. */
  wasPaused(origin: string): boolean
  /** When the replica at this address ended, in milliseconds since 1970; infinite if it has not. */
  diedAt(origin: string): number
  /** Sets the wall clock of a serving replica ahead, or back. False if none serves. */
  skewClock(aheadMs: number): boolean
  /** Stops killing; resolves when the survivors serve. */
  calm(): Promise<void>
  close(): Promise<void>
  /** Rejects if the campaign cannot continue. */
  readonly broken: Promise<never>
}

/** One replica process from its opening to its end. */
type Life = {
  readonly child: Child
  /** Set when it serves. */
  origin?: string
  /** Where it killed itself. */
  point?: string
  killedFromOutside: boolean
  stopping: boolean
  /** Since when its process is stopped. */
  pausedAt?: number
  timer?: ReturnType<typeof setTimeout>
}

/** A process that has imported the code and waits. `listen` sets the receiver of its output. */
type Spare = { readonly child: Child; listen: (onLine: (line: string) => void) => void }

type State = FleetOptions & {
  readonly counts: FleetCounts
  readonly lives: Set<Life>
  /** All processes, spares included. */
  readonly children: Set<Child>
  /** Addresses of replicas that were paused. */
  readonly paused: Set<string>
  /** When replicas ended, by address. */
  readonly ends: Map<string, number>
  readonly nextDeath: () => Killing
  readonly spares: Spare[]
  phase: 'killing' | 'calm' | 'closed'
  databaseKilledAt: number
  failuresInARow: number
  breakOff: (error: Error) => void
}

/**
 * Longer than the lookups of the campaign's carrier lag. With half an hour, as in the service, campaigns take too long.
 */
const TIMES: TestTimes = { lookupLagMs: 60_000 }
const STOP_LIMIT_MS = 45_000
/** Time in which a killed server recovers and replicas drop their broken connections. */
const AFTERMATH_MS = 20_000
const HOPELESS_STARTS = 40
/** After this time, callers are no longer directed to a paused replica. */
const UNNOTICED_PAUSE_MS = 500

export function startFleet(options: FleetOptions): Fleet {
  const { promise: broken, breakOff } = breakable()
  const state: State = {
    ...options,
    counts: {
      deaths: 0,
      starts: 0,
      stops: 0,
      failedStarts: 0,
      deathsByPoint: new Map(),
      alerts: new Map(),
      alertsOf: new Map(),
      pauses: 0,
      clockJumps: 0,
      faults: [],
    },
    lives: new Set(),
    children: new Set(),
    nextDeath: deckOfDeaths(options.dice, options.hasty ? 4 : 10),
    spares: [],
    paused: new Set(),
    ends: new Map(),
    phase: 'killing',
    databaseKilledAt: Number.NEGATIVE_INFINITY,
    failuresInARow: 0,
    breakOff,
  }
  for (let position = 0; position < options.replicas; position += 1) state.spares.push(startSpare(state))
  const positions = Array.from({ length: options.replicas }, (_unused, position) =>
    occupyPosition(state, position),
  )
  return {
    counts: state.counts,
    broken,
    origins: () => serving(state).flatMap(({ origin }) => origin ?? []),
    isStarting: () => alive(state).some(({ origin }) => origin === undefined),
    noteDatabaseKill() {
      state.databaseKilledAt = performance.now()
    },
    killAll() {
      for (const life of state.lives) kill(life)
    },
    pause: (milliseconds) => pauseReplica(state, milliseconds),
    wasPaused: (origin) => state.paused.has(origin),
    diedAt: (origin) => state.ends.get(origin) ?? Number.POSITIVE_INFINITY,
    skewClock: (aheadMs) => skewReplica(state, aheadMs),
    async calm() {
      state.phase = 'calm'
      for (const life of alive(state)) {
        clearTimeout(life.timer)
        life.child.send('spare')
      }
      const isServing = ({ origin }: Life): boolean => origin !== undefined
      while (alive(state).length < state.survivors || !alive(state).every(isServing)) await pause(20)
    },
    async close() {
      state.phase = 'closed'
      for (const life of state.lives) clearTimeout(life.timer)
      for (const child of state.children) child.kill('SIGKILL')
      await Promise.all([...state.children].map(({ gone }) => gone))
      await Promise.all(positions)
    },
  }
}

function breakable(): { promise: Promise<never>; breakOff: (error: Error) => void } {
  let breakOff: (error: Error) => void = () => {}
  const promise = new Promise<never>((_resolve, reject) => {
    breakOff = reject
  })
  promise.catch(() => {})
  return { promise, breakOff }
}

function alive({ lives }: State): Life[] {
  return [...lives].filter(({ stopping }) => !stopping)
}

/** The replicas that answer, and those whose pause nobody has noticed yet. */
function serving(state: State): Life[] {
  const now = performance.now()
  return alive(state).filter(
    ({ origin, pausedAt = now }) => origin !== undefined && now - pausedAt <= UNNOTICED_PAUSE_MS,
  )
}

async function pauseReplica(state: State, milliseconds: number): Promise<boolean> {
  const candidates = serving(state).filter(({ pausedAt }) => pausedAt === undefined)
  if (candidates.length === 0) return false
  const life = state.dice.pick(candidates)
  clearTimeout(life.timer)
  life.pausedAt = performance.now()
  state.paused.add(life.origin ?? '')
  state.counts.pauses += 1
  life.child.kill('SIGSTOP')
  await Promise.race([pause(milliseconds), life.child.gone])
  if (state.lives.has(life)) {
    life.child.kill('SIGCONT')
    delete life.pausedAt
    planEnd(state, life, 4_000, 8_000)
  }
  return true
}

function skewReplica(state: State, aheadMs: number): boolean {
  const candidates = serving(state)
  if (candidates.length === 0) return false
  state.dice.pick(candidates).child.send(`clock ${aheadMs}`)
  state.counts.clockJumps += 1
  return true
}

function needsMore(state: State): boolean {
  if (state.phase === 'closed') return false
  const deathsLeft = state.phase === 'calm' ? 0 : Math.max(0, state.deaths - state.counts.deaths)
  return alive(state).length < state.survivors + deathsLeft
}

/** Keeps one position of the fleet occupied by one replica after the other. */
async function occupyPosition(state: State, position: number): Promise<void> {
  // The campaign reports this error itself.
  const settings = (await state.settings.catch(() => []))[position]
  while (settings !== undefined && needsMore(state)) {
    const life = open(state, settings)
    const gone = life.child.gone.then((how) => recordEnd(state, life, how))
    // A successor waits for a stopping replica only if both use the same data folder.
    while (state.lives.has(life) && (state.embedded || !life.stopping)) await Promise.race([gone, pause(20)])
  }
}

/** Starts a process that imports the code while others serve. */
function startSpare(state: State): Spare {
  let listener: (line: string) => void = () => {}
  const child = startChild({
    file: 'replica.ts',
    argument: { isNaive: state.naive },
    onLine: (line) => listener(line),
  })
  state.children.add(child)
  void child.gone.then(() => state.children.delete(child))
  return {
    child,
    listen: (onLine) => {
      listener = onLine
    },
  }
}

function open(state: State, settings: Readonly<Record<string, string>>): Life {
  const { child, listen } = state.spares.shift() ?? startSpare(state)
  const life: Life = { child, killedFromOutside: false, stopping: false }
  state.lives.add(life)
  state.counts.starts += 1
  listen((line) => onOutput(state, life, line))
  const killing = state.phase === 'calm' ? undefined : (state.killing ?? state.nextDeath())
  const order = { settings, times: TIMES, ...(killing !== undefined && { killing }) }
  child.send(`open ${JSON.stringify(order)}`)
  // Some replicas die during their start.
  if (state.killing === undefined && state.dice.chance(0.06)) planEnd(state, life, 50, 700)
  if (state.spares.length === 0 && needsMore(state)) state.spares.push(startSpare(state))
  return life
}

function onOutput(state: State, life: Life, line: string): void {
  const [, word, rest = ''] = /^(died|ready) (.+)$/.exec(line) ?? []
  if (word === 'died') life.point = rest
  else if (word === 'ready') {
    life.origin = rest.replace('localhost', '127.0.0.1')
    state.failuresInARow = 0
    if (!life.stopping) planEnd(state, life, state.hasty ? 400 : 1_500, state.hasty ? 1_800 : 7_000)
  } else {
    const { kind, shipmentId } = alertIn(line) ?? {}
    if (kind === undefined) return
    const { alerts, alertsOf } = state.counts
    count(alerts, kind)
    if (shipmentId === undefined) return
    const kinds = alertsOf.get(shipmentId) ?? new Set()
    alertsOf.set(shipmentId, kinds.add(kind))
  }
}

/** Plans an end from outside, for replicas that do not reach their own point. */
function planEnd(state: State, life: Life, soonestMs: number, latestMs: number): void {
  clearTimeout(life.timer)
  // With a given point, no replica dies before it has reached that.
  if (state.phase !== 'killing' || state.killing !== undefined) return
  const isOrderly = state.dice.chance(0.15)
  life.timer = setTimeout(
    () => (isOrderly ? stop(state, life) : kill(life)),
    state.dice.int(soonestMs, latestMs),
  )
}

function kill(life: Life): void {
  life.killedFromOutside = true
  life.child.kill('SIGKILL')
}

function stop({ counts }: State, life: Life): void {
  life.stopping = true
  counts.stops += 1
  life.child.kill('SIGTERM')
  life.timer = setTimeout(() => {
    counts.faults.push(`a replica did not stop within ${STOP_LIMIT_MS / 1000} s`)
    kill(life)
  }, STOP_LIMIT_MS)
}

/** Records why a replica ended. */
function recordEnd(state: State, life: Life, how: number | string): void {
  const { counts } = state
  clearTimeout(life.timer)
  state.lives.delete(life)
  if (life.origin !== undefined) state.ends.set(life.origin, Date.now())
  if (state.phase === 'closed') return
  const isAftermath = performance.now() - state.databaseKilledAt < AFTERMATH_MS
  const errorOutput = life.child.errorOutput()
  if (life.point !== undefined || life.killedFromOutside) {
    counts.deaths += 1
    count(counts.deathsByPoint, life.point ?? `from outside${life.origin === undefined ? ', starting' : ''}`)
  } else if (life.stopping) {
    if (how !== 0 && how !== 'SIGTERM' && !isAftermath)
      counts.faults.push(`a stopping replica ended with ${how}: ${errorOutput}`)
  } else if (life.origin === undefined) {
    counts.failedStarts += 1
    state.failuresInARow += 1
    // Without the condition on failures in a row, a busy machine would cause violations.
    if (!isAftermath && state.failuresInARow > 4 * state.replicas)
      counts.faults.push(`a replica could not start (${how}): ${errorOutput}`)
    if (state.failuresInARow >= HOPELESS_STARTS)
      state.breakOff(new Error(`replicas fail to start; the last one: ${errorOutput}`))
  } else counts.faults.push(`a replica ended by itself (${how}): ${errorOutput}`)
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
