/**
 * The channels of carriers, with the slots and circuits of each one. A call needs a slot, and a circuit that is not
 * open. See docs/cancellation.md#protection-against-broken-carriers.
 */
import type { NotSent } from '../../core/shipments/cancellation.ts'
import type { Admission, CallOrigin, CarrierCallKind } from '../../operations/ports/carriers.ts'
import type { Alert } from '../../operations/ports/ports.ts'
import type { Connector, TrackingLimits } from '../connector.ts'
import { notSent } from './answers.ts'
import { type Bulkhead, type BulkheadLimits, bulkhead, CALLER_LIMITS } from './bulkhead.ts'
import { type BreakerCall, type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts'

/** One set of credentials at one carrier, with its own circuits and slots. */
export type CarrierChannel = {
  /** Identifies the set of credentials. Contains no secret. */
  readonly key: string
  /** The account that these credentials belong to. Absent: the carrier's credentials, which accounts share. */
  readonly accountId?: string
  /** The limits for lookups. */
  readonly tracking?: TrackingLimits
  /** Identifies the credentials that lookups are made with; other channels may share them. Default: `key`. */
  readonly trackingKey?: string
}

/** The configured carriers. */
export type Carriers = {
  /** The connector for an account's calls to a carrier; undefined if none is configured. */
  connectorOf(carrierCode: string, accountId: string): Connector | undefined
  /** The channel for an account's calls to a carrier. Returned even if no connector is configured. */
  channelOf(carrierCode: string, accountId: string): CarrierChannel
  /** The values of the credentials of an account's calls, which records must not contain. Absent: none. */
  secretsOf?(carrierCode: string, accountId: string): readonly string[]
  canLookUp(carrierCode: string): boolean
  /** See `ConnectorType.books`. Absent: every carrier does. True if the connector is not known. */
  books?(carrierCode: string): boolean
  /** See `ConnectorType.trackingNumberFault`. Absent: every number is valid. */
  trackingNumberFault?(carrierCode: string, carrierRef: string): string | undefined
  /** See `ConnectorType.cancels`. */
  cancelsEachParcel(carrierCode: string): boolean
  /** See `ConnectorType.lookupLagMs`. */
  lookupLagMs(carrierCode: string): number
}

/** Background work has its own slots, so it makes progress even if callers use all of theirs. */
const BACKGROUND_SLOTS = 32
/** The number of background slots that lookups cannot use. */
const SLOTS_FOR_COMMANDS = 8
/**
 * The part of a shared channel's caller slots that one account can use. It also applies while no other account calls,
 * because running calls cannot be stopped to make room for another account.
 */
const SHARE_OF_ONE_ACCOUNT = 0.5

type ChannelLimits = {
  readonly slots: Readonly<Record<CallOrigin, Bulkhead>>
  /** Separate breakers, so that a failing tracking interface does not stop cancellations. */
  readonly breakers: Readonly<Record<CarrierCallKind, CircuitBreaker>>
}

/** A call that needs a slot. */
export type SlotRequest = {
  readonly kind: CarrierCallKind
  readonly carrierCode: string
  readonly accountId: string
  /** Who calls, or the slot that is reserved for the call. */
  readonly by: CallOrigin | Admission
}

/** A slot of a channel, reserved for one call. */
export type Slot = {
  readonly kind: 'slot'
  readonly channel: CarrierChannel
  readonly call: BreakerCall
  leave(): void
}

const CIRCUIT_OPEN = notSent('calls to this carrier are paused after several failures')

export type Slots = {
  limitsOf(channel: CarrierChannel): ChannelLimits
  /** The slot that is reserved for the call, or a new one. */
  take(call: SlotRequest): Promise<Slot | NotSent>
  /** Reserves a slot for a command of a caller. */
  admit(carrierCode: string, accountId: string): Promise<Admission | NotSent>
}

/** Opens the slots and circuits of each channel when they are first needed. */
export function openSlots(carriers: Carriers, bulkheadLimits: BulkheadLimits | undefined): Slots {
  const limitsOf = limitsByChannel(bulkheadLimits)
  /** The slots of admissions that have not been used or returned yet. */
  const admitted = new WeakMap<Admission, Slot>()

  async function reserve(
    carrierCode: string,
    accountId: string,
    kind: CarrierCallKind,
    origin: CallOrigin,
  ): Promise<Slot | NotSent> {
    const channel = carriers.channelOf(carrierCode, accountId)
    const limits = limitsOf(channel)
    const places = limits.slots[origin]
    const breaker = limits.breakers[kind]
    if (breaker.state() === 'open') return CIRCUIT_OPEN
    if (!(await places.enter(accountId))) return notSent('too many calls are running')
    const leave = () => places.leave(accountId)
    // The circuit may have opened while this call was queued.
    if (breaker.state() !== 'open') return { kind: 'slot', channel, call: breaker.begin(), leave }
    leave()
    return CIRCUIT_OPEN
  }

  return {
    limitsOf,
    async take({ kind, carrierCode, accountId, by }) {
      if (typeof by === 'string') return reserve(carrierCode, accountId, kind, by)
      const slot = admitted.get(by)
      admitted.delete(by)
      return slot ?? notSent('the reserved slot was returned')
    },
    async admit(carrierCode, accountId) {
      const slot = await reserve(carrierCode, accountId, 'command', 'caller')
      if (slot.kind === 'not_sent') return slot
      const admission: Admission = {
        kind: 'admitted',
        leave() {
          if (!admitted.delete(admission)) return
          slot.call.dropped()
          slot.leave()
        },
      }
      admitted.set(admission, slot)
      return admission
    },
  }
}

function limitsByChannel(bulkheadLimits?: BulkheadLimits): (channel: CarrierChannel) => ChannelLimits {
  const opened = new Map<string, ChannelLimits>()
  return (channel) => {
    const known = opened.get(channel.key)
    if (known !== undefined) return known
    const limits = openLimits(channel, bulkheadLimits)
    opened.set(channel.key, limits)
    return limits
  }
}

function openLimits(channel: CarrierChannel, limits: BulkheadLimits = CALLER_LIMITS): ChannelLimits {
  const { slots, waitMs } = limits
  const slotsPerAccount = channel.accountId === undefined ? Math.ceil(slots * SHARE_OF_ONE_ACCOUNT) : slots
  return {
    slots: {
      caller: bulkhead({ slots, slotsPerAccount, waitMs }),
      // The sweeper divides these among accounts.
      background: bulkhead({ slots: Math.min(slots, BACKGROUND_SLOTS), waitMs }),
    },
    breakers: { command: circuitBreaker(), lookup: circuitBreaker() },
  }
}

export function freeBackgroundSlots({ slots, breakers }: ChannelLimits, kind: CarrierCallKind): number {
  const free = Math.max(0, slots.background.free() - (kind === 'lookup' ? SLOTS_FOR_COMMANDS : 0))
  switch (breakers[kind].state()) {
    case 'closed':
      return free
    case 'halfOpen':
      return Math.min(1, free)
    case 'open':
      return 0
  }
}

export function channelAlert(
  kind: Alert['kind'],
  carrierCode: string,
  { accountId }: CarrierChannel,
  detail: string,
): Alert {
  return { kind, carrierCode, ...(accountId !== undefined && { accountId }), detail }
}
