/** Ports that work in memory and record calls of the shipment store. */

import { createHash } from 'node:crypto'
import { groupBy } from '../../src/core/group-by.ts'
import type {
  CancelAttempt,
  ContentSizes,
  Shipment,
  ShipmentContents,
} from '../../src/core/shipments/shipment.ts'
import type { TrackingEvent } from '../../src/core/shipments/tracking.ts'
import type { Caller } from '../../src/operations/ports/caller.ts'
import type { Page } from '../../src/operations/ports/pages.ts'
import type { Ports } from '../../src/operations/ports/ports.ts'
import type { ShipmentStore } from '../../src/operations/ports/shipments.ts'
import { openInFlight } from '../../src/operations/ports/work.ts'
import { readDescriptionWords } from '../../src/reference/description-words.ts'
import { openWorkCalendar } from '../../src/reference/work-calendar.ts'
import { checkoutTokens } from '../../src/store/accounts/checkout-tokens.ts'
import { DRAFT_TERMS } from '../support/app/draft-terms.ts'
import { memoryCredentials } from '../support/app/memory-credentials.ts'
import { estimatePorts } from '../support/app/memory-estimates.ts'
import { OPTION_TOKEN_PORTS } from '../support/app/option-token-ports.ts'
import { demoRateBook } from '../support/rates/demo-rate-book.ts'
import { NO_RATES } from '../support/rates/exchange-rates.ts'

const CALLER: Caller = {
  accountId: 'demo',
  accountName: 'Demo Shop',
  transitForm: 'single',
  priceBreakdown: true,
  countAverages: true,
}

const SECRET = createHash('sha256').update('demo-secret').digest()

/** A booked shipment of the demo account. */
export function shipment(overrides: Partial<Shipment> = {}): Shipment {
  return {
    shipmentId: 'demo-booked',
    state: 'booked',
    productId: 1201,
    carrierCode: 'rondeel',
    carrierRef: 'RP123',
    from: { country: 'NL', zipcode: '1012 JS', city: 'Amsterdam' },
    to: { country: 'ES' },
    priceCents: 1250,
    createdAt: '2026-11-20T09:30:00.000Z',
    updatedAt: '2026-11-20T09:30:00.000Z',
    ...overrides,
  }
}

export type FakePorts = Ports & {
  /** The names of the methods of the shipment store, in the order in which they were called. */
  readonly calls: string[]
}

/** The data in memory, and replacements for methods of the ports. */
export type FakeMemory = {
  readonly shipments?: readonly Shipment[]
  readonly attempts?: readonly CancelAttempt[]
  readonly trackingEvents?: readonly TrackingEvent[]
  readonly contents?: readonly ShipmentContents[]
  readonly store?: Partial<ShipmentStore>
  readonly reference?: Partial<Ports['reference']>
  readonly classifier?: Ports['classifier']
}

/** As the database counts them, except for the spaces in its text. */
function sizesIn(contents: readonly ShipmentContents[] = [], id: string): ContentSizes {
  const { parcels = [], contentItems = [] } = contents.find(({ shipmentId }) => shipmentId === id) ?? {}
  return {
    parcelRows: parcels.length,
    items: contentItems.length,
    quantities: contentItems.reduce((sum, { quantities = [] }) => sum + quantities.length, 0),
    bytes: Buffer.byteLength(JSON.stringify([parcels, contentItems])),
  }
}

/** All entries on one page. Their cursors are their numbers. */
function wholePage<Node>(nodes: readonly Node[]): Page<Node> {
  const edges = nodes.map((node, index) => ({ cursor: String(index), node }))
  return { kind: 'Page', edges, hasNextPage: false, hasPreviousPage: false }
}

/** Ports of the demo account. Cursors are the shipments' ids; lists are filtered by state only. */
export function fakePorts(memory: FakeMemory = {}): FakePorts {
  const calls: string[] = []
  const shipments = memory.shipments ?? [shipment()]
  const unused = async (): Promise<never> => {
    throw new Error('not faked')
  }
  const store: ShipmentStore = {
    find: async (_account, id) => shipments.find(({ shipmentId }) => shipmentId === id),
    findMany: async (_account, ids) => shipments.filter(({ shipmentId }) => ids.includes(shipmentId)),
    list: async (_account, { filter, sort, size, direction, cursor }) => {
      const matching = shipments.filter(({ state }) => filter.states?.includes(state) ?? true)
      const listed = sort === 'newest' ? matching : matching.toReversed()
      const at = listed.findIndex(({ shipmentId }) => shipmentId === cursor)
      if (cursor !== undefined && at === -1) return { kind: 'InvalidCursor', reason: 'malformed' }
      const end = direction === 'forward' ? at + 1 + size : cursor === undefined ? listed.length : at
      const start = direction === 'forward' ? at + 1 : Math.max(0, end - size)
      return {
        kind: 'Page',
        edges: listed.slice(start, end).map((node) => ({ cursor: node.shipmentId, node })),
        hasNextPage: listed.length > end,
        hasPreviousPage: start > 0,
      }
    },
    count: async (_account, { states }) =>
      shipments.filter(({ state }) => states?.includes(state) ?? true).length,
    contentSizes: async (_account, ids) => new Map(ids.map((id) => [id, sizesIn(memory.contents, id)])),
    contents: async (_account, ids) =>
      (memory.contents ?? []).filter(({ shipmentId }) => ids.includes(shipmentId)),
    attempts: async (_account, ids) =>
      (memory.attempts ?? []).filter(({ shipmentId }) => ids.includes(shipmentId)),
    trackingEvents: async (_account, ids, { cursor }) => {
      if (cursor !== undefined) return { kind: 'InvalidCursor', reason: 'malformed' }
      const found = groupBy(memory.trackingEvents ?? [], ({ shipmentId }) => shipmentId)
      return new Map(ids.map((id) => [id, wholePage(found.get(id) ?? [])]))
    },
    draftUsage: unused,
    pricedRequest: unused,
    expireDrafts: unused,
    insertDraft: unused,
    keyedDraft: unused,
    insertKeyedDraft: unused,
    expireDraftKeys: unused,
    beginBooking: unused,
    markBooked: unused,
    settleBooking: unused,
    confirmDraft: unused,
    beginCancellation: async () => undefined,
    cancelProgress: unused,
    acceptCancellation: unused,
    refuseCancellation: unused,
    releaseCancellation: unused,
    recordParcel: unused,
    recordPartAlert: unused,
    releaseLeases: unused,
    ...memory.store,
  }
  const book = demoRateBook()
  return {
    calls,
    clock: () => new Date('2026-11-20T12:00:00Z'),
    monotonicMs: () => 0,
    sleep: async () => {},
    random: () => 0,
    inFlight: openInFlight(),
    reportFault: () => {},
    alert: () => {},
    draftTerms: DRAFT_TERMS,
    ...OPTION_TOKEN_PORTS,
    reference: {
      rateBook: () => book,
      customsTables: () => NO_RATES,
      ...memory.reference,
    },
    calendar: openWorkCalendar(),
    descriptionWords: readDescriptionWords(),
    ...estimatePorts(() => Date.parse('2026-11-21T10:00:00Z')),
    classifier: memory.classifier ?? { classify: unused },
    credentials: memoryCredentials({
      findKey: async (keyId) =>
        keyId === 'demo' ? { keyId, caller: CALLER, secretDigests: [SECRET] } : undefined,
      isKnown: (keyId) => keyId === 'demo',
    }),
    checkoutTokens,
    secrets: {
      matches: (secret, digests) =>
        digests.some((digest) => digest.equals(createHash('sha256').update(secret).digest())),
    },
    shipments: recordCalls(store, calls),
    recovery: {
      dueWork: async () => [],
      claimAttempts: unused,
      claimVerifications: unused,
      settleVerification: unused,
      claimReports: unused,
      settleReport: unused,
      claimBookings: unused,
      claimLookups: unused,
      eraseShipments: unused,
      overdueAttempts: async () => [],
      recordOverdueAlerts: unused,
    },
    tracking: {
      recordScan: unused,
      applyUnmatchedScans: unused,
      recordCancelledAtCarrier: unused,
      recordDelivery: unused,
      bookedAfter: unused,
      forgetUnmatchedScans: unused,
    },
    webhookLog: { endpoints: async () => [], deliveries: unused, replay: unused },
    carriers: {
      ...{ admit: unused, cancel: unused, book: unused, findBooking: unused, track: unused },
      ...{ canLookUp: () => false, lookupLagMs: () => 0, channelOf: () => 'channel', room: () => 0 },
      cancelsEachParcel: () => false,
      trackingRoom: () => ({ key: 'channel', everyMs: 0, batch: 1, calls: 0 }),
      trackMany: unused,
    },
  }
}

function recordCalls(store: ShipmentStore, calls: string[]): ShipmentStore {
  return new Proxy(store, {
    get: (target, name, receiver) => {
      if (typeof name === 'string') calls.push(name)
      return Reflect.get(target, name, receiver)
    },
  })
}
