/**
 * The carriers' settings file: where each carrier's interface is, with which credentials it is entered (for all
 * accounts, or for one), and the secret that its scan events are signed with. The whole file is a secret; faults in it
 * are named by their path and never repeat a value. Format: README, "Carriers".
 */
import { readFileSync } from 'node:fs'
import { at } from './http-exchange.ts'

/** Access without the carrier's own rules. */
export type AccessSettings = {
  readonly baseUrl: string
  readonly credentials: Readonly<Record<string, string>>
}

/** One carrier. */
export type CarrierSettings = AccessSettings & {
  /** By account: what replaces the above for it. */
  readonly accounts: ReadonlyMap<string, AccessSettings>
  /** Absent: no events are taken in from this carrier. */
  readonly eventSecret?: string
}

/** By carrier code. */
export type CarriersSettings = ReadonlyMap<string, CarrierSettings>

/** The file cannot be used; the message lists every fault, one per line. */
export class CarrierSettingsError extends Error {}

/** Shortest secret that signs events, in characters. */
const EVENT_SECRET_MIN = 32

/** Reads a settings file. Throws CarrierSettingsError. */
export function readCarrierSettings(path: string): CarriersSettings {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const { code } = error as { code?: unknown }
    throw new CarrierSettingsError(
      `the carriers' settings ${path} cannot be read: ${typeof code === 'string' ? code : 'it is not JSON'}`,
    )
  }
  return carrierSettings(json)
}

/** Checks settings that are parsed already. */
export function carrierSettings(json: unknown): CarriersSettings {
  const faults: string[] = []
  const carriers = new Map<string, CarrierSettings>()
  for (const [code, entry] of entriesOf(json, '', faults)) {
    onlyKnown(entry, code, ['baseUrl', 'credentials', 'accounts', 'eventSecret'], faults)
    const shared = accessOf(entry, code, undefined, faults)
    const accounts = new Map<string, AccessSettings>()
    for (const [account, own] of entriesOf(at(entry, 'accounts') ?? {}, `${code}.accounts`, faults)) {
      const path = `${code}.accounts.${account}`
      onlyKnown(own, path, ['baseUrl', 'credentials'], faults)
      accounts.set(account, accessOf(own, path, shared, faults))
    }
    const eventSecret = secretOf(entry, code, faults)
    carriers.set(code, { ...shared, accounts, ...(eventSecret !== undefined && { eventSecret }) })
  }
  if (faults.length > 0)
    throw new CarrierSettingsError(`the carriers' settings were refused:\n  ${faults.join('\n  ')}`)
  return carriers
}

function entriesOf(json: unknown, path: string, faults: string[]): [string, unknown][] {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return Object.entries(json)
  faults.push(`${path === '' ? 'the file' : path}: expected an object`)
  return []
}

function onlyKnown(entry: unknown, path: string, known: readonly string[], faults: string[]): void {
  for (const [name] of entriesOf(entry, path, faults))
    if (!known.includes(name)) faults.push(`${path}.${name}: there is no such setting`)
}

function accessOf(
  entry: unknown,
  path: string,
  shared: AccessSettings | undefined,
  faults: string[],
): AccessSettings {
  const url = at(entry, 'baseUrl') ?? shared?.baseUrl
  const baseUrl = typeof url === 'string' && isHttpUrl(url) ? url.replace(/\/+$/, '') : undefined
  if (baseUrl === undefined) faults.push(`${path}.baseUrl: expected an http or https URL without a query`)
  const credentials: Record<string, string> = { ...shared?.credentials }
  for (const [name, value] of entriesOf(at(entry, 'credentials') ?? {}, `${path}.credentials`, faults)) {
    if (typeof value === 'string' && (name.endsWith('Url') ? isHttpUrl(value) : value !== ''))
      credentials[name] = value
    else faults.push(`${path}.credentials.${name}: expected ${name.endsWith('Url') ? 'a URL' : 'text'}`)
  }
  return { baseUrl: baseUrl ?? '', credentials }
}

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, search, hash, username, password } = new URL(text)
  return ['http:', 'https:'].includes(protocol) && search + hash + username + password === ''
}

function secretOf(entry: unknown, path: string, faults: string[]): string | undefined {
  const secret = at(entry, 'eventSecret')
  if (secret === undefined) return undefined
  if (typeof secret === 'string' && secret.length >= EVENT_SECRET_MIN) return secret
  faults.push(`${path}.eventSecret: expected at least ${EVENT_SECRET_MIN} characters`)
  return undefined
}
