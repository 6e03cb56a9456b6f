/** The interface of a scenario: one kind of abuse, with sizes and shapes drawn from a seed. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Dice } from '../../support/random/seeded-dice.ts'
import type { DatabaseWork, OwnDatabase, Partner, Population } from './database.ts'
import type { FailingCarrier } from './failing-carrier.ts'
import type { Attack, Reply } from './http-client.ts'
import type { RawAnswer } from './raw-client.ts'
import type { Service, ServiceOptions } from './service.ts'

export type Scenario = {
  /** The name for `--scenario`. */
  readonly name: string
  /** The rule that it tests, in one sentence. */
  readonly rule: string
  /** Settings of the service besides the defaults. */
  readonly settings?: Readonly<Record<string, string>>
  /** Requests of the bystanders per second; default 20, 0 for none. */
  readonly bystanderRate?: number
  /** The attack. It must stop soon after `stage.goesOn()` returns false. */
  attack(stage: Stage): Promise<void>
}

/** What a scenario can use. */
export type Stage = {
  /** True in the test suite: small sizes, a few seconds. */
  readonly short: boolean
  readonly dice: Dice
  readonly port: number
  readonly service: Service
  readonly program: ServiceOptions['program']
  readonly database: OwnDatabase
  readonly population: Population
  readonly bravo: Partner
  /** The carrier for which `acme` has its own credentials. All its answers are failures. */
  readonly carrier: FailingCarrier
  /** Cores that the service uses for the bystanders alone; an estimate in the short form. */
  readonly calmCores: number
  /** Returns an unused key of `acme`. */
  newKey(): string
  /** False when the time of the scenario is over or the service has died too often. */
  goesOn(): boolean
  /** Sends a request of the attacker while the service is up, and checks the answer. */
  send(attack: Attack): Promise<Reply>
  /** Counts and checks an answer that was read in another way. */
  judge(label: string, answer: RawAnswer): void
  /** Reports a violation. */
  violate(kind: string, detail?: string): void
  /** Lines of level error in the log since the start of the scenario, shortened. */
  errorLines(): readonly string[]
  /** Adds to a figure of the report. */
  note(figure: string, value: number): void
  /** Database work during `work` and shortly afterwards, including that for the bystanders. */
  databaseWorkOf(work: () => Promise<void>): Promise<DatabaseWork & { readonly seconds: number }>
}

const REPEAT_MS = 250

/**
 * Sends a request that must succeed. In the short form it is repeated after 503 and 504, which the service also sends
 * if the machine stalls.
 */
export async function sendUntilServed(stage: Stage, attack: Attack): Promise<Reply> {
  for (;;) {
    const reply = await stage.send(attack)
    const isTemporary = reply.status === 503 || reply.status === 504
    if (!stage.short || !isTemporary || !stage.goesOn()) return reply
    await pause(REPEAT_MS)
  }
}

/** Runs `work` `times` times, at most `atOnce` at the same time, while the scenario goes on. */
export async function inParallel(
  stage: Pick<Stage, 'goesOn'>,
  { times, atOnce }: { readonly times: number; readonly atOnce: number },
  work: (n: number) => Promise<unknown>,
): Promise<void> {
  let begun = 0
  const channel = async (): Promise<void> => {
    while (begun < times && stage.goesOn()) {
      begun += 1
      await work(begun - 1)
    }
  }
  await Promise.all(Array.from({ length: Math.min(times, atOnce) }, channel))
}
