/** Requests as a carrier signs them, and a door to send them to without a database. */
import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { carrierEventsDoor } from '../../src/carrier-events/routes.ts'
import type { Scan, ScanEffect } from '../../src/core/shipments/tracking.ts'
import type { ServerOptions } from '../../src/http/server.ts'
import type { Alert } from '../../src/operations/ports/ports.ts'
import type { TrackingStore } from '../../src/operations/ports/recovery.ts'
import { testServer } from '../http/test-socket.ts'

/** When the tests take place. */
export const NOW = Date.parse('2026-11-20T09:15:00Z')
/** The signing secret of the carrier rondeel; no other has one. */
export const SECRET = 'rondeel-canary-0123456789-0123456789'

/** The header's value for a body: by the secret, at that second. */
export function signatureOf(body: string, secret = SECRET, seconds: number | string = NOW / 1_000): string {
  return `t=${seconds},v1=${digestOf(body, secret, seconds)}`
}

/** One digest of it. */
export function digestOf(body: string, secret = SECRET, seconds: number | string = NOW / 1_000): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
}

/** An event as a carrier tells it. */
export function anEvent(overrides: Readonly<Record<string, unknown>> = {}): object {
  return {
    eventId: 'evt-1',
    trackingNumber: 'SBX-OK-1',
    at: '2026-11-20T09:00:00Z',
    type: 'scan',
    ...overrides,
  }
}

/** A door over a store that keeps what it is told. */
export type EventsDoor = {
  readonly app: FastifyInstance
  readonly lines: string[]
  readonly recorded: Scan[]
  readonly alerts: Alert[]
}

/** Opens a door; `record` says what each scan did, or throws. */
export function eventsDoor(
  record: (scan: Scan) => ScanEffect = () => 'moved',
  options: Partial<ServerOptions> = {},
): EventsDoor {
  const recorded: Scan[] = []
  const alerts: Alert[] = []
  const tracking: Pick<TrackingStore, 'recordScan' | 'applyUnmatchedScans'> = {
    applyUnmatchedScans: async () => {},
    recordScan: async (scan) => {
      recorded.push(scan)
      return record(scan)
    },
  }
  const ports = {
    clock: () => new Date(NOW),
    tracking: tracking as TrackingStore,
    alert: (alert: Alert) => void alerts.push(alert),
  }
  const door = carrierEventsDoor(ports, (code) => (code === 'rondeel' ? SECRET : undefined))
  return { ...testServer([door], options), recorded, alerts }
}

/** Sends a body, signed unless the headers say otherwise. */
export async function tell(
  app: FastifyInstance,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  carrierCode = 'rondeel',
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return app.inject({
    method: 'POST',
    url: `/carrier-events/${carrierCode}`,
    headers: {
      'content-type': 'application/json',
      'x-waybill-signature': signatureOf(text),
      ...headers,
    },
    payload: text,
  })
}
