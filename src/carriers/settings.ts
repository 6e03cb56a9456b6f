/**
 * Reads the carriers' settings file: for each carrier the URL, the credentials (for all accounts or for one) and the
 * secret that signs its scan events. The file is refused if other users can read it. Messages contain the path of a
 * fault, never a value. Format: docs/carriers.md.
 */
import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { isJsonObject } from '../core/input.ts'
import { valueAt } from './http-exchange.ts'

/** Which credentials are required depends on the connector. */
export type AccessSettings = {
  readonly baseUrl: string
  readonly credentials: Readonly<Record<string, string>>
  /** Replaces limits of the connector. */
  readonly tracking?: TrackingSettings
}

export type TrackingSettings = {
  /** Shortest interval between routine lookups of one parcel. Shorter than the connector's: has no effect. */
  readonly everyMs?: number
  /** The carrier's quota: lookup calls from 00:00 to 24:00 UTC. */
  readonly callsPerDay?: number
}

export type CarrierSettings = AccessSettings & {
  /** Accounts with their own credentials, by account id. Each has its own circuits and slots. */
  readonly accounts: ReadonlyMap<string, AccessSettings>
  /** Signs this carrier's scan events. Absent: its events are refused. */
  readonly eventSecret?: string
}

/** By carrier code. */
export type CarriersSettings = ReadonlyMap<string, CarrierSettings>

/** The message lists every fault, one per line. */
export class CarrierSettingsError extends Error {}

/** In characters. */
const EVENT_SECRET_MIN = 32

/** Mode bits: any access by others, any access by the group, write access by the group. */
const [OTHERS, GROUP, GROUP_WRITES] = [0o007, 0o070, 0o020]

/** Throws CarrierSettingsError if the file cannot be read, is readable by other users, or has faults. */
export function readCarrierSettings(path: string): CarriersSettings {
  return carrierSettings(readCarriersFile(path))
}

/** The JSON value in the file. Throws CarrierSettingsError if the file cannot be read, or other users can read it. */
export function readCarriersFile(path: string): unknown {
  try {
    return JSON.parse(readPrivately(path))
  } catch (error) {
    if (error instanceof CarrierSettingsError) throw error
    const { code } = error as { code?: unknown }
    throw new CarrierSettingsError(
      `the carriers' settings ${path} cannot be read: ${typeof code === 'string' ? code : 'not valid JSON'}`,
    )
  }
}

/** Checks and reads through one descriptor, so that the file cannot be exchanged in between. */
function readPrivately(path: string): string {
  const file = openSync(path, 'r')
  try {
    const stats = fstatSync(file)
    if (isExposed(stats, process.getuid?.())) throw new CarrierSettingsError(exposedMessage(path, stats))
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/**
 * Whether other users can read or change a file. If the file belongs to root or to another user, its group may read it,
 * as Kubernetes and Docker mount secrets that way. PostgreSQL has the same rule for its TLS key. `uid` is the service's
 * user; undefined on Windows, where the mode is not checked.
 */
export function isExposed(
  { mode, uid: owner }: Pick<Stats, 'mode' | 'uid'>,
  uid: number | undefined,
): boolean {
  if (uid === undefined) return false
  const isOwn = owner === uid && owner !== 0
  return (mode & (OTHERS | (isOwn ? GROUP : GROUP_WRITES))) !== 0
}

function exposedMessage(path: string, { mode }: Stats): string {
  const octal = (mode & 0o777).toString(8).padStart(4, '0')
  return (
    `the carriers' settings ${path} hold credentials, and other users of this machine can read or change them` +
    ` (mode ${octal}): chmod 600 ${path} (a mounted secret needs mode 0400 or 0440)`
  )
}

/** Throws CarrierSettingsError. */
export function carrierSettings(json: unknown): CarriersSettings {
  const faults: string[] = []
  const carriers = new Map<string, CarrierSettings>()
  const secrets = new Map<string, string>()
  for (const [code, entry] of entriesOf(json, '', faults)) {
    onlyKnown(entry, code, ['baseUrl', 'credentials', 'tracking', 'accounts', 'eventSecret'], faults)
    const shared = accessOf(entry, code, undefined, faults)
    const accounts = new Map<string, AccessSettings>()
    for (const [account, access] of entriesOf(valueAt(entry, 'accounts') ?? {}, `${code}.accounts`, faults)) {
      const path = `${code}.accounts.${account}`
      onlyKnown(access, path, ['baseUrl', 'credentials', 'tracking'], faults)
      accounts.set(account, accessOf(access, path, shared, faults))
    }
    const eventSecret = secretOf(entry, code, secrets, faults)
    carriers.set(code, { ...shared, accounts, ...(eventSecret !== undefined && { eventSecret }) })
  }
  refuseFaultySettings(faults)
  return carriers
}

/** Throws CarrierSettingsError if there are faults. */
export function refuseFaultySettings(faults: readonly string[]): void {
  if (faults.length > 0)
    throw new CarrierSettingsError(`the carriers' settings were refused:\n  ${faults.join('\n  ')}`)
}

function entriesOf(json: unknown, path: string, faults: string[]): [string, unknown][] {
  if (isJsonObject(json)) return Object.entries(json)
  faults.push(`${path === '' ? 'the file' : path}: expected an object`)
  return []
}

function onlyKnown(entry: unknown, path: string, known: readonly string[], faults: string[]): void {
  for (const [name] of entriesOf(entry, path, faults))
    if (!known.includes(name)) faults.push(`${path}.${name}: unknown setting`)
}

function accessOf(
  entry: unknown,
  path: string,
  shared: AccessSettings | undefined,
  faults: string[],
): AccessSettings {
  const url = valueAt(entry, 'baseUrl') ?? shared?.baseUrl
  const baseUrl = typeof url === 'string' && isHttpUrl(url) ? withoutTrailingSlashes(url) : undefined
  if (baseUrl === undefined) faults.push(`${path}.baseUrl: expected an http or https URL without a query`)
  const credentials: Record<string, string> = { ...shared?.credentials }
  for (const [name, value] of entriesOf(valueAt(entry, 'credentials') ?? {}, `${path}.credentials`, faults)) {
    if (typeof value === 'string' && (name.endsWith('Url') ? isHttpUrl(value) : value !== ''))
      credentials[name] = value
    else faults.push(`${path}.credentials.${name}: expected ${name.endsWith('Url') ? 'a URL' : 'text'}`)
  }
  const tracking = {
    ...shared?.tracking,
    ...trackingOf(valueAt(entry, 'tracking') ?? {}, `${path}.tracking`, faults),
  }
  return { baseUrl: baseUrl ?? '', credentials, ...(Object.keys(tracking).length > 0 && { tracking }) }
}

const WEEK_MINUTES = 10_080
const CALLS_PER_DAY_MAX = 10_000_000

function trackingOf(entry: unknown, path: string, faults: string[]): TrackingSettings {
  onlyKnown(entry, path, ['everyMinutes', 'callsPerDay'], faults)
  const numberAt = (name: string, max: number): number | undefined => {
    const value = valueAt(entry, name)
    if (value === undefined) return undefined
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value
    faults.push(`${path}.${name}: expected a whole number from 1 to ${max}`)
    return undefined
  }
  const everyMinutes = numberAt('everyMinutes', WEEK_MINUTES)
  const callsPerDay = numberAt('callsPerDay', CALLS_PER_DAY_MAX)
  return {
    ...(everyMinutes !== undefined && { everyMs: everyMinutes * 60_000 }),
    ...(callsPerDay !== undefined && { callsPerDay }),
  }
}

/** Uses a loop, because `/\/+$/` takes quadratic time. */
export function withoutTrailingSlashes(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username, password } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && search + hash + username + password === ''
}

/**
 * `secrets` maps the secrets read so far to their carriers. Two carriers must not share a secret: the signature does
 * not cover the carrier code, so each could report scans of the other's parcels.
 */
function secretOf(
  entry: unknown,
  code: string,
  secrets: Map<string, string>,
  faults: string[],
): string | undefined {
  const secret = valueAt(entry, 'eventSecret')
  if (secret === undefined) return undefined
  if (typeof secret !== 'string' || secret.length < EVENT_SECRET_MIN) {
    faults.push(`${code}.eventSecret: expected at least ${EVENT_SECRET_MIN} characters`)
    return undefined
  }
  const other = secrets.get(secret)
  if (other !== undefined) faults.push(`${code}.eventSecret: must differ from ${other}.eventSecret`)
  else secrets.set(secret, code)
  return secret
}
