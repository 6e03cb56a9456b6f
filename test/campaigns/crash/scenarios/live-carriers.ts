/** Fakes of real carriers, each behind a front, with the settings file that configures them. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DHL_CREDENTIALS, startDhlParcelFake } from '../../../carriers/fakes/dhl-parcel-de.ts'
import type { FakeCarrier, FakeParcels } from '../../../carriers/fakes/fake-carrier.ts'
import { FEDEX_CREDENTIALS, startFedexFake } from '../../../carriers/fakes/fedex.ts'
import { GLS_CREDENTIALS, startGlsFake } from '../../../carriers/fakes/gls-shipit.ts'
import { startUpsFake, UPS_CREDENTIALS } from '../../../carriers/fakes/ups.ts'
import type { Stage } from '../../outages/stage.ts'
import { type Front, type FrontKind, type FrontRequest, startFront } from './front.ts'

export type LiveName = 'ups' | 'gls-shipit' | 'fedex' | 'dhl-parcel-de'

export type LiveCarrier = {
  /** The carrier code, which is the name of the connector too. */
  readonly code: LiveName
  readonly front: Front
  readonly parcels: FakeParcels
  /** Whether its reply about an unknown number is documented. Of FedEx's it is not. */
  readonly refusesUnknown: boolean
  /** A tracking number of this carrier; different for each `index`. */
  numberOf(index: number): string
}

type Kind = FrontKind & {
  readonly credentials: Readonly<Record<string, string>>
  start(): Promise<FakeCarrier & { readonly parcels: FakeParcels }>
  numberOf(index: number): string
}

function lastSegment({ url }: FrontRequest): string {
  return decodeURIComponent(url.pathname.split('/').at(-1) ?? '')
}

function digits(index: number, length: number): string {
  return String(index).padStart(length, '0')
}

const KINDS: Readonly<Record<LiveName, Kind>> = {
  ups: {
    credentials: UPS_CREDENTIALS,
    start: () => startUpsFake(),
    tokenPath: '/security/v1/oauth/token',
    cancelledNumber: (request) => (request.method === 'DELETE' ? lastSegment(request) : undefined),
    numberOf: (index) => withCheckDigit(`1Z999AA101${digits(index, 7)}`),
  },
  'gls-shipit': {
    credentials: GLS_CREDENTIALS,
    start: () => startGlsFake(),
    tokenPath: '/oauth2/v2/token',
    cancelledNumber: (request) =>
      request.url.pathname.includes('/shipments/cancel/') ? lastSegment(request) : undefined,
    numberOf: (index) => `ZK${digits(index, 6)}`,
  },
  fedex: {
    credentials: FEDEX_CREDENTIALS,
    start: () => startFedexFake(),
    tokenPath: '/oauth/token',
    cancelledNumber: ({ method, text }) =>
      method === 'PUT'
        ? (JSON.parse(text) as { readonly trackingNumber?: string }).trackingNumber
        : undefined,
    numberOf: (index) => `79461${digits(index, 7)}`,
  },
  'dhl-parcel-de': {
    credentials: DHL_CREDENTIALS,
    start: () => startDhlParcelFake(),
    cancelledNumber: ({ method, url }) =>
      method === 'DELETE' ? (url.searchParams.get('shipment') ?? undefined) : undefined,
    numberOf: (index) => `0034043400000${digits(index, 7)}`,
  },
}

/** The check digit of UPS: letters count as (code - 63) modulo 10, even positions twice. */
function withCheckDigit(start: string): string {
  const sum = [...start.slice(2)].reduce((total, letter, index) => {
    const value = /\d/.test(letter) ? Number(letter) : (letter.charCodeAt(0) - 63) % 10
    return total + value * (index % 2 === 0 ? 1 : 2)
  }, 0)
  return `${start}${(10 - (sum % 10)) % 10}`
}

/** Starts the carriers and enters them in the database. Returns them with the settings of a replica. */
export async function openLiveCarriers(
  stage: Stage,
  names: readonly LiveName[],
): Promise<{ carriers: LiveCarrier[]; settings: Readonly<Record<string, string>> }> {
  const carriers: LiveCarrier[] = []
  const entries: Record<string, object> = {}
  for (const code of names) {
    const { credentials, start, numberOf, ...kind } = KINDS[code]
    const fake = await start()
    stage.atEnd(() => fake.close())
    const front = await startFront(fake.baseUrl, kind)
    stage.atEnd(() => front.close())
    entries[code] = { baseUrl: front.baseUrl, credentials }
    carriers.push({ code, front, parcels: fake.parcels, refusesUnknown: code !== 'fedex', numberOf })
    await stage.query(
      'INSERT INTO carrier (carrier_code, name, connector) VALUES ($1, $1, $1) ON CONFLICT DO NOTHING',
      [code],
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'waybill-carriers-'))
  stage.atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'carriers.json')
  writeFileSync(path, JSON.stringify(entries), { mode: 0o600 })
  chmodSync(path, 0o600)
  // The test at start would get the tokens whose outage a scenario plays.
  return { carriers, settings: { WAYBILL_CARRIERS: path, WAYBILL_CARRIER_TEST: 'false' } }
}
