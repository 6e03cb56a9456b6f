/**
 * The replicas of a campaign and their deaths: by their own hand at a named point, by SIGKILL from outside at any
 * moment (also while they start), and now and then an orderly stop. Decided here: whoever dies is followed at once by
 * one that has imported everything already.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Dice } from '../../../support/random/seeded-dice.ts'
import { deckOfDeaths, type Killing } from '../kill-points.ts'
import { type Child, startChild } from './child.ts'

/** What a fleet is made of. */
export type FleetOptions = {
  readonly dice: Dice
  readonly replicas: number
  /** Deaths to be reached. */
  readonly deaths: number
  /** How many serve on when those are reached. */
  readonly survivors: number
  /** Whether they share one data folder, which one replica alone can have. */
  readonly embedded: boolean
  /** Whether they die young. */
  readonly hasty: boolean
  readonly naive: boolean
  /** Of a replica; while they are awaited, the first ones import. */
  readonly settings: Promise<Readonly<Record<string, string>>>
  /** Where all of them die; undefined: each at a point of its own. */
  readonly killing: Killing | undefined
}

/** What happened to the replicas. */
export type FleetCounts = {
  deaths: number
  starts: number
  /** Orderly stops. */
  stops: number
  /** Starts that failed, as they may while the database is away. */
  failedStarts: number
  readonly deathsByPoint: Map<string, number>
  /** What they told people, by kind. */
  readonly alerts: Map<string, number>
  /** What no replica may do. */
  readonly faults: string[]
}

/** Replicas that live and die. */
export type Fleet = {
  readonly counts: FleetCounts
  /** Where those that serve can be called. */
  origins(): readonly string[]
  /** Whether one of them is coming up. */
  isStarting(): boolean
  /** Failures around now are the database's, not theirs. */
  noteDatabaseKill(): void
  /** SIGKILL for all of them. */
  killAll(): void
  /** Nobody is killed any more; resolves when those that survive serve. */
  calm(): Promise<void>
  close(): Promise<void>
  /** Rejects when the campaign cannot go on. */
  readonly broken: Promise<never>
}

/** A replica from its opening to its end. */
type Life = {
  readonly child: Child
  /** Where it can be called, from when it serves. */
  origin?: string
  /** Where it died by its own hand. */
  point?: string
  killedFromOutside: boolean
  stopping: boolean
  timer?: ReturnType<typeof setTimeout>
}

/** A replica that imports and waits; `listen` takes its lines from then on. */
type Spare = { readonly child: Child; listen: (onLine: (line: string) => void) => void }

type State = FleetOptions & {
  readonly counts: FleetCounts
  readonly lives: Set<Life>
  /** All processes, spares included. */
  readonly children: Set<Child>
  readonly nextDeath: () => Killing
  readonly spares: Spare[]
  phase: 'killing' | 'calm' | 'closed'
  databaseKilledAt: number
  failuresInARow: number
  breakOff: (error: Error) => void
}

const STOP_LIMIT_MS = 45_000
/** A killed server recovers, and its replicas' connections are found dead, within this time. */
const AFTERMATH_MS = 20_000
const HOPELESS_STARTS = 12

/** Starts the first replicas. */
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
      faults: [],
    },
    lives: new Set(),
    children: new Set(),
    nextDeath: deckOfDeaths(options.dice, options.hasty ? 4 : 10),
    spares: [],
    phase: 'killing',
    databaseKilledAt: Number.NEGATIVE_INFINITY,
    failuresInARow: 0,
    breakOff,
  }
  for (let place = 0; place < options.replicas; place += 1) state.spares.push(startSpare(state))
  const places = Array.from({ length: options.replicas }, () => occupyPlace(state))
  return {
    counts: state.counts,
    broken,
    origins: () => alive(state).flatMap(({ origin }) => origin ?? []),
    isStarting: () => alive(state).some(({ origin }) => origin === undefined),
    noteDatabaseKill() {
      state.databaseKilledAt = performance.now()
    },
    killAll() {
      for (const life of state.lives) kill(life)
    },
    async calm() {
      state.phase = 'calm'
      for (const life of alive(state)) {
        clearTimeout(life.timer)
        life.child.say('spare')
      }
      const isServing = ({ origin }: Life): boolean => origin !== undefined
      while (alive(state).length < state.survivors || !alive(state).every(isServing)) await pause(20)
    },
    async close() {
      state.phase = 'closed'
      for (const life of state.lives) clearTimeout(life.timer)
      for (const child of state.children) child.kill('SIGKILL')
      await Promise.all([...state.children].map(({ gone }) => gone))
      await Promise.all(places)
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

function needsMore(state: State): boolean {
  if (state.phase === 'closed') return false
  const deathsLeft = state.phase === 'calm' ? 0 : Math.max(0, state.deaths - state.counts.deaths)
  return alive(state).length < state.survivors + deathsLeft
}

/** One place in the fleet, with one replica after the other. */
async function occupyPlace(state: State): Promise<void> {
  // Whoever awaits the settings as well tells that there are none.
  const settings = await state.settings.catch(() => undefined)
  while (settings !== undefined && needsMore(state)) {
    const life = open(state, settings)
    const gone = life.child.gone.then((how) => bury(state, life, how))
    // A successor need not wait for one that is stopping, unless both want the same data folder.
    while (state.lives.has(life) && (state.embedded || !life.stopping)) await Promise.race([gone, pause(20)])
  }
}

/** Imports while others serve. */
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
  listen((line) => hear(state, life, line))
  const killing = state.phase === 'calm' ? undefined : (state.killing ?? state.nextDeath())
  child.say(`open ${JSON.stringify({ settings, ...(killing !== undefined && { killing }) })}`)
  // Some die while they start.
  if (state.killing === undefined && state.dice.chance(0.06)) planEnd(state, life, 50, 700)
  if (state.spares.length === 0 && needsMore(state)) state.spares.push(startSpare(state))
  return life
}

function hear(state: State, life: Life, line: string): void {
  const [, word, rest = ''] = /^(died|ready) (.+)$/.exec(line) ?? []
  if (word === 'died') life.point = rest
  else if (word === 'ready') {
    life.origin = rest.replace('localhost', '127.0.0.1')
    state.failuresInARow = 0
    if (!life.stopping) planEnd(state, life, state.hasty ? 400 : 1_500, state.hasty ? 1_800 : 7_000)
  } else {
    const kind = /"alert":\{"kind":"(\w+)"/.exec(line)?.[1]
    if (kind !== undefined) count(state.counts.alerts, kind)
  }
}

/** Death from outside, for those that do not reach their own point. */
function planEnd(state: State, life: Life, soonestMs: number, latestMs: number): void {
  clearTimeout(life.timer)
  if (state.phase !== 'killing') return
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
    counts.faults.push(`a replica was asked to stop and had not after ${STOP_LIMIT_MS / 1000} s`)
    kill(life)
  }, STOP_LIMIT_MS)
}

/** Sees what a replica died of. */
function bury(state: State, life: Life, how: number | string): void {
  const { counts } = state
  clearTimeout(life.timer)
  state.lives.delete(life)
  if (state.phase === 'closed') return
  const isAftermath = performance.now() - state.databaseKilledAt < AFTERMATH_MS
  const complaint = life.child.complaint()
  if (life.point !== undefined || life.killedFromOutside) {
    counts.deaths += 1
    count(counts.deathsByPoint, life.point ?? `from outside${life.origin === undefined ? ', starting' : ''}`)
  } else if (life.stopping) {
    if (how !== 0 && how !== 'SIGTERM' && !isAftermath)
      counts.faults.push(`a replica that was asked to stop ended with ${how}: ${complaint}`)
  } else if (life.origin === undefined) {
    counts.failedStarts += 1
    state.failuresInARow += 1
    if (!isAftermath) counts.faults.push(`a replica could not start (${how}): ${complaint}`)
    if (state.failuresInARow >= HOPELESS_STARTS)
      state.breakOff(new Error(`no replica comes up any more; the last one: ${complaint}`))
  } else counts.faults.push(`a replica ended by itself (${how}): ${complaint}`)
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
