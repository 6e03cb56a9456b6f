/** What a scenario is: one kind of abuse, with sizes and shapes drawn from a seed, against a service of its own. */
import type { Dice } from '../../support/random/seeded-dice.ts'
import type { DatabaseWork, OwnDatabase, Partner, Population } from './database.ts'
import type { FailingCarrier } from './failing-carrier.ts'
import type { Attack, Reply } from './http-client.ts'
import type { RawAnswer } from './raw-client.ts'
import type { Service, ServiceOptions } from './service.ts'

/** One kind of abuse. */
export type Scenario = {
  /** The name that `--scenario` takes. */
  readonly name: string
  /** The rule that it tests, in one sentence. */
  readonly rule: string
  /** Settings of the service beside the defaults. */
  readonly settings?: Readonly<Record<string, string>>
  /** Requests of the bystanders per second; 20 unless given, 0 for none. */
  readonly bystanderRate?: number
  /** The attack. It must stop soon after `stage.goesOn()` is false. */
  attack(stage: Stage): Promise<void>
}

/** What a scenario has to work with. */
export type Stage = {
  /** True in the short form of the test suite: sizes are small, so that it takes a few seconds. */
  readonly short: boolean
  readonly dice: Dice
  readonly port: number
  readonly service: Service
  readonly program: ServiceOptions['program']
  readonly database: OwnDatabase
  readonly population: Population
  readonly bravo: Partner
  /** The carrier that `acme` has credentials of its own for; it answers nothing useful. */
  readonly carrier: FailingCarrier
  /** How many cores the service uses for the bystanders alone; an estimate in the short form. */
  readonly calmCores: number
  /** A key of `acme` that has not been used. */
  newKey(): string
  /** False when the time of the scenario is over or the service has died too often. */
  goesOn(): boolean
  /** Sends a request of the attacker when the service is up, and judges the answer. */
  send(attack: Attack): Promise<Reply>
  /** Counts and judges an answer that came another way. */
  judge(label: string, answer: RawAnswer): void
  /** Reports a violation. */
  violate(kind: string, detail?: string): void
  /** Lines of level error in the log since the scenario began, shortened. */
  errorLines(): readonly string[]
  /** Adds to a figure of the report. */
  note(figure: string, value: number): void
  /** What the database does during `work` and for a moment after it, for the bystanders as well. */
  databaseWorkOf(work: () => Promise<void>): Promise<DatabaseWork & { readonly seconds: number }>
}

/** Runs `work` `times` times, `atOnce` of them at a time, for as long as the scenario goes on. */
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
