/** Lookups: within the quota of the credentials, and in batches if the carrier offers them. */
import type { NotSent } from '../../core/shipments/cancellation.ts'
import type { CarrierTrackAnswer, TrackedParcel } from '../../core/shipments/tracking.ts'
import type { CallOrigin, CarrierGateway } from '../../operations/ports/carriers.ts'
import type { Alert } from '../../operations/ports/ports.ts'
import { type Connector, hintsOf } from '../connector.ts'
import { unknown } from '../connectors/judgement.ts'
import { checkedTrackAnswer, hasDotSegment, NOT_CONFIGURED, notSent, UNUSABLE_NUMBER } from './answers.ts'
import { isUnknown, type Run } from './calls.ts'
import {
  type CarrierChannel,
  type Carriers,
  channelAlert,
  freeBackgroundSlots,
  type Slots,
} from './channels.ts'
import { type LookupQuota, lookupQuota } from './lookup-quota.ts'

const CANNOT_TRACK = notSent('this carrier has no lookup')
const NOT_IN_BATCH = notSent('this parcel cannot be looked up now')

type LookupOptions = { readonly timeoutMs: number; readonly alert: (alert: Alert) => void }

/** The lookups of a gateway. */
export function lookups(
  carriers: Carriers,
  slots: Slots,
  run: Run,
  { timeoutMs, alert }: LookupOptions,
): Pick<CarrierGateway, 'track' | 'trackMany' | 'trackingRoom'> {
  const quotaOf = quotaFinder(carriers, alert)

  async function trackOne(
    parcel: TrackedParcel,
    purpose: 'routine' | 'decision',
    limitMs: number,
    by: CallOrigin,
  ): Promise<CarrierTrackAnswer | NotSent> {
    const { accountId, carrierCode, carrierRef } = parcel
    if (hasDotSegment(parcel)) return UNUSABLE_NUMBER
    const connector = carriers.connectorOf(carrierCode, accountId)
    if (connector === undefined) return NOT_CONFIGURED
    const { track } = connector
    if (track === undefined) return CANNOT_TRACK
    const quota = quotaOf(carrierCode, accountId)
    const answer = await run({
      kind: 'lookup',
      carrierCode,
      accountId,
      subject: carrierRef,
      limitMs,
      by,
      purpose: purpose === 'routine' ? 'tracking' : 'lookup',
      spend: () => quota.take(purpose, [carrierRef]),
      send: (signal) => track(carrierRef, signal, hintsOf(parcel)),
    })
    if (purpose === 'routine' && isOverrun(answer)) quota.overrun()
    return checkedTrackAnswer(answer)
  }

  return {
    track: (parcel, limitMs = timeoutMs, origin = 'caller') => trackOne(parcel, 'decision', limitMs, origin),
    async trackMany(parcels) {
      const [first] = parcels
      if (first === undefined) return []
      const { carrierCode, accountId } = first
      const trackMany = carriers.connectorOf(carrierCode, accountId)?.trackMany
      if (parcels.length > 1 && trackMany !== undefined)
        return trackBatch(parcels, first, trackMany, quotaOf(carrierCode, accountId), run, timeoutMs)
      return Promise.all(parcels.map((parcel) => trackOne(parcel, 'routine', timeoutMs, 'background')))
    },
    trackingRoom(carrierCode, accountId) {
      const channel = carriers.channelOf(carrierCode, accountId)
      const { everyMs = 0, batch = 1, tellsDeliveries = false } = channel.tracking ?? {}
      const offersBatches = carriers.connectorOf(carrierCode, accountId)?.trackMany !== undefined
      const room = freeBackgroundSlots(slots.limitsOf(channel), 'lookup')
      const calls = Math.min(room, quotaOf(carrierCode, accountId).room())
      return {
        key: trackingKeyOf(channel),
        everyMs,
        tellsDeliveries,
        batch: offersBatches ? batch : 1,
        calls,
      }
    },
  }
}

/** Opens the quota of each set of credentials when it is first needed. */
function quotaFinder(
  carriers: Carriers,
  alert: (alert: Alert) => void,
): (carrierCode: string, accountId: string) => LookupQuota {
  const quotas = new Map<string, LookupQuota>()
  return (carrierCode, accountId) => {
    const channel = carriers.channelOf(carrierCode, accountId)
    const key = trackingKeyOf(channel)
    const known = quotas.get(key)
    if (known !== undefined) return known
    const quota = lookupQuota(channel.tracking ?? {}, (detail) =>
      alert(channelAlert('LOOKUP_QUOTA_USED', carrierCode, channel, detail)),
    )
    quotas.set(key, quota)
    return quota
  }
}

/** Looks all parcels up in one call with the credentials of `first`. */
async function trackBatch(
  batch: readonly TrackedParcel[],
  { accountId, carrierCode, carrierRef: subject }: TrackedParcel,
  trackMany: NonNullable<Connector['trackMany']>,
  quota: LookupQuota,
  run: Run,
  limitMs: number,
): Promise<readonly (CarrierTrackAnswer | NotSent)[]> {
  const parcels = batch.filter((parcel) => !hasDotSegment(parcel) && quota.allows(parcel.carrierRef))
  if (parcels.length === 0) return batch.map(() => NOT_IN_BATCH)
  const unique = [...new Map(parcels.map((parcel) => [parcel.carrierRef, parcel])).values()]
  const answer = await run({
    kind: 'lookup',
    purpose: 'tracking',
    carrierCode,
    accountId,
    subject,
    limitMs,
    by: 'background',
    spend: () =>
      quota.take(
        'routine',
        unique.map(({ carrierRef }) => carrierRef),
      ),
    send: (signal) => trackMany(unique, signal),
  })
  if (isOverrun(answer)) quota.overrun()
  return batch.map((parcel) => {
    if (!parcels.includes(parcel)) return NOT_IN_BATCH
    if (answer.kind !== 'tracked') return checkedTrackAnswer(answer)
    return checkedTrackAnswer(answer.parcels.get(parcel.carrierRef) ?? unknown('missing in the reply'))
  })
}

function trackingKeyOf({ key, trackingKey = key }: CarrierChannel): string {
  return trackingKey
}

/** Too many calls, without a time after which the carrier accepts calls again. */
function isOverrun(answer: { readonly kind: string }): boolean {
  return isUnknown(answer) && answer.status === 429 && answer.retryAfterMs === undefined
}
