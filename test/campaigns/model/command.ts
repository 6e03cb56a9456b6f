/** Commands of a sequence. Each runs on the database and on the model, and both must agree afterwards. */
import fc from 'fast-check'
import type { CancelTicket } from '../../../src/core/shipments/cancellation.ts'
import type { About } from './cancelling.ts'
import type { Real } from './database.ts'
import { checkInvariants } from './invariants.ts'
import { compareRows } from './rows.ts'
import { ACCOUNTS, type Model, type ModelShipment, OWNERS, visibleState } from './state.ts'

/** A kind of command with its arguments and its precondition. */
export type Step<Args> = {
  readonly name: string
  /** Relative frequency; default 1. */
  readonly weight?: number
  readonly args: fc.Arbitrary<Args>
  readonly ready?: (model: Model, args: Args) => boolean
  /** Throws a Mismatch if the result differs from the model's. */
  readonly run: (model: Model, real: Real, args: Args) => Promise<void>
}

/** One entry per unit of weight. */
export type Commands = readonly fc.Arbitrary<fc.AsyncCommand<Model, Real>>[]

/** Repeats the commands of a step as often as its weight. */
export function commandsOf<Args>(step: Step<Args>): Commands {
  const commands = step.args.map(
    (args): fc.AsyncCommand<Model, Real> => ({
      check: (model) => step.ready?.(model, args) ?? true,
      async run(model, real) {
        const before = model.shipments.map(visibleState)
        await step.run(model, real, args)
        for (const [index, shipment] of model.shipments.entries())
          if (index < before.length && visibleState(shipment) !== before[index])
            shipment.updatedAt = model.now
        compareRows(model, await real.read())
        checkInvariants(model)
      },
      toString: () => `${step.name}(${JSON.stringify(args)})`,
    }),
  )
  return Array.from({ length: step.weight ?? 1 }, () => commands)
}

export const owner = fc.constantFrom(...OWNERS)

/** The shipment of a command, and whether another account asks for it. */
export const target = fc.record({
  shipment: fc.nat(5),
  asAnother: fc.constantFrom(false, false, false, false, false, false, false, true),
})

export type Target = { readonly shipment: number; readonly asAnother: boolean }

export function chosen(model: Model, { shipment }: Pick<Target, 'shipment'>): ModelShipment {
  return model.shipments[shipment % model.shipments.length]!
}

export function aboutOf(model: Model, choice: Target): About {
  const { id: shipmentId, accountId } = chosen(model, choice)
  const another = ACCOUNTS.find((account) => account !== accountId)!
  return { shipmentId, accountId: choice.asAnother ? another : accountId }
}

/** A ticket, usually a recent one. `mixedUp` combines it with another shipment, which must have no effect. */
export const ticketChoice = fc.record({
  fromLast: fc.oneof(fc.nat(2), fc.nat(2), fc.nat(20)),
  mixedUp: fc.constantFrom(...Array.from({ length: 15 }, () => false), true),
})

export type TicketChoice = { readonly fromLast: number; readonly mixedUp: boolean }

/** Requires at least one ticket. */
export function ticketOf(model: Model, { fromLast, mixedUp }: TicketChoice): CancelTicket {
  const { tickets, shipments } = model
  const ticket = tickets[tickets.length - 1 - (fromLast % tickets.length)]!
  if (!mixedUp) return ticket
  const index = shipments.findIndex(({ id }) => id === ticket.shipmentId)
  const { id: shipmentId, accountId } = shipments[(index + 1) % shipments.length]!
  return { ...ticket, shipmentId, accountId }
}

export const hasTickets = ({ tickets }: Model): boolean => tickets.length > 0

export const leaseMs = fc.constantFrom(1, 1_000, 12_000)

/** How long a refusal is remembered. The refusals at the start are at most 30 s old. */
export const MEMORY_MS = 30_000

/** Ages in milliseconds after which an attempt is overdue and an unmatched scan is deleted. */
export const OVERDUE_AFTER_MS = 900_000
export const FORGET_AFTER_MS = 3_600_000
