/** What a command of a sequence is: it runs on the database and on the model, and nothing may differ behind it. */
import fc from 'fast-check'
import type { CancelTicket } from '../../../src/core/shipments/cancellation.ts'
import type { About } from './cancelling.ts'
import type { Real } from './database.ts'
import { checkInvariants } from './invariants.ts'
import { compareRows } from './rows.ts'
import { ACCOUNTS, type Model, type ModelShipment, OWNERS } from './state.ts'

/** A kind of command: what it is given, whether it makes sense now, and both runs of it. */
export type Step<Given> = {
  readonly name: string
  /** How often it is chosen beside the others; 1 when left out. */
  readonly weight?: number
  readonly given: fc.Arbitrary<Given>
  readonly ready?: (model: Model, given: Given) => boolean
  /** Throws a Mismatch when the answer is not the model's. */
  readonly run: (model: Model, real: Real, given: Given) => Promise<void>
}

/** The arbitraries of a kind of command, as often as it is to be chosen beside the others. */
export type Commands = readonly fc.Arbitrary<fc.AsyncCommand<Model, Real>>[]

/** The arbitrary of a step's commands, as often as its weight. */
export function commandsOf<Given>(step: Step<Given>): Commands {
  const commands = step.given.map(
    (given): fc.AsyncCommand<Model, Real> => ({
      check: (model) => step.ready?.(model, given) ?? true,
      async run(model, real) {
        await step.run(model, real, given)
        compareRows(model, await real.read())
        checkInvariants(model)
      },
      toString: () => `${step.name}(${JSON.stringify(given)})`,
    }),
  )
  return Array.from({ length: step.weight ?? 1 }, () => commands)
}

/** The processes' names. */
export const owner = fc.constantFrom(...OWNERS)

/** Which shipment a command is about, and whether it is asked for as another account's. */
export const target = fc.record({
  shipment: fc.nat(5),
  asAnother: fc.constantFrom(false, false, false, false, false, false, false, true),
})

/** A choice of `target`. */
export type Target = { readonly shipment: number; readonly asAnother: boolean }

/** The shipment of a choice; there is always one. */
export function chosen(model: Model, { shipment }: Pick<Target, 'shipment'>): ModelShipment {
  return model.shipments[shipment % model.shipments.length]!
}

/** How the choice is asked for. */
export function aboutOf(model: Model, choice: Target): About {
  const { id: shipmentId, accountId } = chosen(model, choice)
  const another = ACCOUNTS.find((account) => account !== accountId)!
  return { shipmentId, accountId: choice.asAnother ? another : accountId }
}

/** A ticket, most likely a new one; `mixedUp` names another shipment with it, as nobody ever should. */
export const ticketChoice = fc.record({
  fromLast: fc.oneof(fc.nat(2), fc.nat(2), fc.nat(20)),
  mixedUp: fc.constantFrom(...Array.from({ length: 15 }, () => false), true),
})

/** A choice of `ticketChoice`. */
export type TicketChoice = { readonly fromLast: number; readonly mixedUp: boolean }

/** The ticket of a choice; only where there are tickets. */
export function ticketOf(model: Model, { fromLast, mixedUp }: TicketChoice): CancelTicket {
  const { tickets, shipments } = model
  const ticket = tickets[tickets.length - 1 - (fromLast % tickets.length)]!
  if (!mixedUp) return ticket
  const place = shipments.findIndex(({ id }) => id === ticket.shipmentId)
  return { ...ticket, shipmentId: shipments[(place + 1) % shipments.length]!.id }
}

/** True where there is a ticket to choose. */
export const hasTickets = ({ tickets }: Model): boolean => tickets.length > 0

/** Lengths of leases, in milliseconds. */
export const leaseMs = fc.constantFrom(1, 1_000, 12_000)

/** How long a refusal is remembered; START's refusals are 30 s old at the most. */
export const MEMORY_MS = 30_000

/** Ages at which an attempt is overdue and a kept scan is forgotten, in milliseconds. */
export const OVERDUE_AFTER_MS = 900_000
/** See OVERDUE_AFTER_MS. */
export const FORGET_AFTER_MS = 3_600_000
