/** Signed requests, and a scan events door without a database. */
import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { carrierEventsDoor } from '../../src/carrier-events/routes.ts'
import type { Scan, ScanEffect } from '../../src/core/shipments/tracking.ts'
import type { ServerOptions } from '../../src/http/server.ts'
import type { Alert } from '../../src/operations/ports/ports.ts'
import type { TrackingStore } from '../../src/operations/ports/recovery.ts'
import { testServer } from '../http/test-socket.ts'

/** The time of the test clock. */
export const NOW = Date.parse('2026-11-20T09:15:00Z')
/** The secret of the carrier rondeel. No other carrier has one. */
export const SECRET = 'rondeel-canary-0123456789-0123456789'

/** The value of the signature header. */
export function signatureOf(body: string, secret = SECRET, seconds: number | string = NOW / 1_000): string {
  return `t=${seconds},v1=${digestOf(body, secret, seconds)}`
}

export function digestOf(body: string, secret = SECRET, seconds: number | string = NOW / 1_000): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
}

export function anEvent(overrides: Readonly<Record<string, unknown>> = {}): object {
  return {
    eventId: 'evt-1',
    trackingNumber: 'SBX-OK-1',
    at: '2026-11-20T09:00:00Z',
    type: 'scan',
    ...overrides,
  }
}

export type EventsDoor = {
  readonly app: FastifyInstance
  readonly lines: string[]
  readonly recorded: Scan[]
  readonly alerts: Alert[]
}

/** Opens a door. `record` returns the effect of each scan, or throws. */
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

/** Sends a body. Default: with a valid signature. */
export async function sendEvents(
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
