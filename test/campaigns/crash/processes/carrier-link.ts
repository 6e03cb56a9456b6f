/**
 * The campaign's connection to its carrier process: start, announce parcels, stop the faults, read the
 * journal.
 */
import type { CarrierJournal, NewParcel } from './carrier-truth.ts'
import { startChild } from './child.ts'

export type CarrierLink = {
  readonly origin: string
  announce(parcels: readonly NewParcel[]): Promise<void>
  /** Stops faults and scans. */
  calm(): Promise<void>
  journal(): Promise<CarrierJournal>
  close(): Promise<void>
}

const PAGE = 2_000

/** Throws if the carrier does not start. */
export async function startCarrier(seed: number, isPatient: boolean, lagMs: number): Promise<CarrierLink> {
  let onReady: (origin: string) => void = () => {}
  const ready = new Promise<string>((resolve) => {
    onReady = resolve
  })
  const child = startChild({
    file: 'carrier.ts',
    argument: { seed, isPatient, lagMs },
    onLine: (line) => {
      if (line.startsWith('ready ')) onReady(line.slice('ready '.length))
    },
  })
  const failed = child.gone.then((how) => {
    throw new Error(`the carrier ended with ${how}: ${child.errorOutput()}`)
  })
  failed.catch(() => {})
  const origin = await Promise.race([ready, failed])

  async function ask(path: string, body?: object): Promise<unknown> {
    const text = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const reply = await fetch(`${origin}/admin/${path}`, text)
    if (!reply.ok) throw new Error(`the carrier answered ${reply.status} to ${path}`)
    return reply.json()
  }
  return {
    origin,
    async announce(parcels) {
      await ask('parcels', parcels)
    },
    async calm() {
      await ask('calm', {})
    },
    async journal() {
      const whole = { parcels: [], bookings: [], strays: [] } as {
        [Part in keyof CarrierJournal]: CarrierJournal[Part][number][]
      }
      for (let from = 0; ; from += PAGE) {
        const page = (await ask(`journal?from=${from}&size=${PAGE}`)) as CarrierJournal
        whole.parcels.push(...page.parcels)
        whole.bookings.push(...page.bookings)
        whole.strays.push(...page.strays)
        if (page.parcels.length < PAGE && page.bookings.length < PAGE) return whole
      }
    },
    async close() {
      child.kill('SIGKILL')
      await child.gone
    },
  }
}
