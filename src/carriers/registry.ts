/**
 * Lists all connectors by name, and selects the one for an account's calls to a carrier. Rate cards name the connector
 * of a carrier; the settings file contains its URL and credentials. The sandbox needs no settings: without a URL it
 * runs in this process. See docs/carriers.md.
 */
import { createHash } from 'node:crypto'
import type { ConnectorName } from '../core/connector-names.ts'
import type { Access } from './access-test.ts'
import type { Connector, ConnectorType, TrackingLimits } from './connector.ts'
import { connectorTypeOf } from './connectors/define/connector-type.ts'
import { dhlExpress } from './connectors/dhl-express.ts'
import { dhlParcelDe } from './connectors/dhl-parcel-de/dhl-parcel-de.ts'
import { dpd } from './connectors/dpd.ts'
import { fedex } from './connectors/fedex.ts'
import { glsShipit } from './connectors/gls-shipit.ts'
import { ups } from './connectors/ups.ts'
import type { CarrierChannel, Carriers } from './gateway/channels.ts'
import { sandbox, sandboxInProcess } from './sandbox/connector.ts'
import type { AccessSettings, CarrierSettings, CarriersSettings } from './settings.ts'
import type { SharedTokens } from './shared-tokens.ts'
import { productionFault } from './test-urls.ts'
import { type TokenLimiter, tokenLimiter } from './token-source.ts'

export const CONNECTORS: Readonly<Record<ConnectorName, ConnectorType>> = {
  sandbox,
  ups: connectorTypeOf(ups),
  fedex: connectorTypeOf(fedex),
  'dhl-parcel-de': connectorTypeOf(dhlParcelDe),
  'gls-shipit': connectorTypeOf(glsShipit),
  'dhl-express': connectorTypeOf(dhlExpress),
  dpd: connectorTypeOf(dpd),
}

/** Connectors by the name that rate cards give. */
export type ConnectorTypes = ReadonlyMap<string, ConnectorType>

/** Those of this repository. Files can add others; see connector-files.ts. */
export const BUILT_IN: ConnectorTypes = new Map(Object.entries(CONNECTORS))

/** For carriers whose documentation gives no figure. Tracking of many carriers is fed in batches. */
const LOOKUP_LAG_MS = 30 * 60_000

export type CarriersChoice = {
  /** Undefined: the sandbox runs in this process. */
  readonly sandboxUrl: string | undefined
  readonly settings: CarriersSettings
  /** Default: those of this repository. */
  readonly connectors?: ConnectorTypes
  /** Absent: tokens are not shared. */
  readonly sharedTokens?: SharedTokens | undefined
}

/** Carriers whose settings can be replaced. */
export type ReplaceableCarriers = Carriers & {
  /**
   * Uses other settings from now on. Running calls end with the previous ones. A set of credentials that stays the same
   * keeps its access token, circuits and quota; a changed one begins with new ones. Connectors of credentials that are
   * in no entry are dropped.
   */
  replaceSettings(settings: CarriersSettings): void
}

/**
 * The carriers for the gateway. Each connector is opened once per channel, so that all calls with the same credentials
 * share an access token. `connectorNameOf` is called each time, because a new rate card may change the result.
 */
export function openCarriers(
  connectorNameOf: (carrierCode: string) => string | undefined,
  { sandboxUrl, settings: first, connectors = BUILT_IN, sharedTokens }: CarriersChoice,
): ReplaceableCarriers {
  let settings = first
  const opened = new Map<string, Connector>()
  const limiterOf = limitersByType()
  const inProcess = sandboxInProcess()

  const typeOf = (carrierCode: string) => connectors.get(connectorNameOf(carrierCode) ?? '')
  const names = { channel: keyNames(), lookups: keyNames() }
  let findChannel = channelFinder(connectorNameOf, connectors, settings, names)
  const channelOf: Carriers['channelOf'] = (carrierCode, accountId) => findChannel(carrierCode, accountId)
  return {
    channelOf,
    replaceSettings(next) {
      settings = next
      findChannel = channelFinder(connectorNameOf, connectors, settings, names)
      // '' is no account, so it has the carrier's credentials.
      const used = new Set(
        entriesOf(next).map(({ carrierCode, accountId }) => channelOf(carrierCode, accountId ?? '').key),
      )
      for (const key of opened.keys()) if (!used.has(key)) opened.delete(key)
    },
    connectorOf(carrierCode, accountId) {
      const type = typeOf(carrierCode)
      const configured = settings.get(carrierCode)
      if (type === sandbox && configured === undefined && sandboxUrl === undefined) return inProcess
      const shared =
        configured ?? (type === sandbox && sandboxUrl !== undefined ? atUrl(sandboxUrl) : undefined)
      if (type === undefined || shared === undefined) return undefined
      const access = shared.accounts.get(accountId) ?? shared
      if (missingCredentials(type, access.credentials).length > 0) return undefined
      const { key } = channelOf(carrierCode, accountId)
      const known = opened.get(key)
      if (known !== undefined) return known
      const connector = type.open({ ...access, tokenLimiter: limiterOf(type), sharedTokens })
      opened.set(key, connector)
      return connector
    },
    secretsOf: (carrierCode, accountId) => {
      const configured = settings.get(carrierCode)
      return Object.values((configured?.accounts.get(accountId) ?? configured)?.credentials ?? {})
    },
    trackingNumberFault: (carrierCode, number) => typeOf(carrierCode)?.trackingNumberFault?.(number),
    cancelsEachParcel: (carrierCode) => typeOf(carrierCode)?.cancels === 'parcel',
    canLookUp: (carrierCode) => typeOf(carrierCode) !== undefined,
    books: (carrierCode) => {
      const type = typeOf(carrierCode)
      return type === undefined || type.books === true
    },
    lookupLagMs: (carrierCode) => typeOf(carrierCode)?.lookupLagMs ?? LOOKUP_LAG_MS,
  }
}

/** Opens the limiter of each type of connector when it is first needed. */
function limitersByType(): (type: ConnectorType) => TokenLimiter {
  const opened = new Map<ConnectorType, TokenLimiter>()
  return (type) => {
    const known = opened.get(type)
    if (known !== undefined) return known
    const limiter = tokenLimiter(type.tokenRequests)
    opened.set(type, limiter)
    return limiter
  }
}

/** The credentials of a carrier (`accountId` null) or of one of its accounts. */
type CredentialsEntry = {
  readonly carrierCode: string
  readonly accountId: string | null
  readonly access: AccessSettings
}

type KeyNames = (words: readonly unknown[], identity: string) => string

/**
 * Returns a function that names the channel of a set of credentials. `identity` is the set itself, and `words` name it
 * without secrets. A set keeps its first name when the settings are replaced, even if the entry in the name was
 * removed. Other credentials under the same words get another name.
 */
function keyNames(): KeyNames {
  const names = new Map<string, string>()
  const changes = new Map<string, number>()
  return (words, identity) => {
    const base = JSON.stringify(words)
    // Hashed, so that replaced secrets do not stay in memory.
    const hash = createHash('sha256').update(identity).digest('hex')
    const known = names.get(hash)
    if (known !== undefined) return known
    const count = changes.get(base) ?? 0
    changes.set(base, count + 1)
    const name = count === 0 ? base : JSON.stringify([...words, count])
    names.set(hash, name)
    return name
  }
}

/**
 * Returns the function that finds the channel of an account at a carrier. Entries of the settings file that have the
 * same connector, URL and credentials share a channel, because the carrier counts and rejects their calls together. The
 * key names one of them, so it contains no secret. Channels are found once per entry and connector.
 */
function channelFinder(
  connectorNameOf: (carrierCode: string) => string | undefined,
  connectors: ConnectorTypes,
  settings: CarriersSettings,
  names: { readonly channel: KeyNames; readonly lookups: KeyNames },
): Carriers['channelOf'] {
  const entries = entriesOf(settings)
  const found = new Map<string, CarrierChannel>()

  const find = (name: string | undefined, carrierCode: string, account: string | null): CarrierChannel => {
    const type = connectors.get(name ?? '')
    const own = entries.find((entry) => entry.carrierCode === carrierCode && entry.accountId === account)
    const sharing = (names?: readonly string[]): readonly CredentialsEntry[] => {
      // Without credentials, such as in the sandbox, every carrier has its own channel.
      if (own === undefined || type === undefined || type.credentials.length === 0) return []
      const identity = identityOf(own.access, names)
      return entries.filter(
        (entry) =>
          connectorNameOf(entry.carrierCode) === name && identityOf(entry.access, names) === identity,
      )
    }
    // The connector is part of the key, because a circuit opened by one connector does not concern another.
    const wordsOf = ([first]: readonly CredentialsEntry[]) => {
      const { carrierCode: code, accountId } = first ?? { carrierCode, accountId: account }
      return [name, code, accountId]
    }
    // An entry without credentials is identified by its place in the file.
    const identity = (shared: readonly CredentialsEntry[], names?: readonly string[]) =>
      JSON.stringify([
        ...(shared.length === 0 ? wordsOf(shared) : [name]),
        own === undefined ? null : identityOf(own.access, names),
      ])
    const sameCredentials = sharing()
    const sameLookups = sharing(type?.tracking?.credentials)
    const isShared = sameCredentials.some(({ accountId }) => accountId !== account)
    const tracking = trackingLimits(type, own, sameLookups)
    // A changed quota counts from the start.
    const lookups = JSON.stringify([
      identity(sameLookups, type?.tracking?.credentials),
      tracking.callsPerDay ?? null,
    ])
    return {
      key: names.channel(wordsOf(sameCredentials), identity(sameCredentials)),
      ...(account !== null && !isShared && { accountId: account }),
      trackingKey: names.lookups(wordsOf(sameLookups), lookups),
      tracking,
    }
  }
  return (carrierCode, accountId) => {
    const name = connectorNameOf(carrierCode)
    const account = settings.get(carrierCode)?.accounts.has(accountId) ? accountId : null
    const entry = JSON.stringify([name, carrierCode, account])
    const known = found.get(entry)
    if (known !== undefined) return known
    const channel = find(name, carrierCode, account)
    found.set(entry, channel)
    return channel
  }
}

function entriesOf(settings: CarriersSettings): CredentialsEntry[] {
  return [...settings].flatMap(([carrierCode, carrier]): CredentialsEntry[] => [
    { carrierCode, accountId: null, access: carrier },
    ...[...carrier.accounts].map(([accountId, access]) => ({ carrierCode, accountId, access })),
  ])
}

/** Every complete set of credentials of the settings, once. */
export function accessesOf(
  connectorNameOf: (carrierCode: string) => string | undefined,
  settings: CarriersSettings,
  connectors: ConnectorTypes = BUILT_IN,
): readonly Access[] {
  const found = new Map<string, Access>()
  for (const { carrierCode, accountId, access } of entriesOf(settings)) {
    const name = connectorNameOf(carrierCode)
    const type = connectors.get(name ?? '')
    if (name === undefined || type === undefined) continue
    if (missingCredentials(type, access.credentials).length > 0) continue
    // The sandbox has no credentials, so each of its entries is a set of its own.
    const own = type.credentials.length === 0 ? [carrierCode, accountId] : []
    const identity = JSON.stringify([name, identityOf(access), ...own])
    const account = accountId === null ? {} : { accountId }
    if (!found.has(identity))
      found.set(identity, { ...access, carrierCode, ...account, connectorName: name, type })
  }
  return [...found.values()]
}

/** Equal for equal credentials at one URL. Contains secrets: only for comparisons. */
function identityOf(
  { baseUrl, credentials }: AccessSettings,
  names: readonly string[] = Object.keys(credentials),
): string {
  return JSON.stringify([baseUrl, [...names].sort().map((name) => [name, credentials[name] ?? null])])
}

/** The limits of the connector with those of the settings. `callsPerDay` applies to all entries with these lookups. */
function trackingLimits(
  type: ConnectorType | undefined,
  own: CredentialsEntry | undefined,
  sameLookups: readonly CredentialsEntry[],
): TrackingLimits {
  const { everyMs = 0, ...limits } = type?.tracking ?? {}
  const quotas = [own, ...sameLookups].flatMap((entry) => entry?.access.tracking?.callsPerDay ?? [])
  return {
    ...limits,
    everyMs: Math.max(everyMs, own?.access.tracking?.everyMs ?? 0),
    ...(quotas.length > 0 && { callsPerDay: Math.min(...quotas) }),
  }
}

/** Why a number cannot be one of the connector's carrier; undefined if its format is valid, or not known. */
export function trackingNumberFault(
  connectorName: string | undefined,
  carrierRef: string,
  connectors: ConnectorTypes = BUILT_IN,
): string | undefined {
  return connectors.get(connectorName ?? '')?.trackingNumberFault?.(carrierRef)
}

/** Why a shipment cannot have this number of an order, or none; undefined if it can. */
export function orderRefFault(
  type: ConnectorType | undefined,
  orderRef: string | undefined,
): string | undefined {
  if (type === undefined) return undefined
  if (type.orderRefFault === undefined)
    return orderRef === undefined ? undefined : 'must be empty: the connector uses no order numbers'
  return orderRef === undefined ? 'is required: the connector cancels by it' : type.orderRefFault(orderRef)
}

function atUrl(baseUrl: string): CarrierSettings {
  return { baseUrl, credentials: {}, accounts: new Map() }
}

function missingCredentials(type: ConnectorType, given: Readonly<Record<string, string>>): string[] {
  return type.credentials.filter((name) => given[name] === undefined)
}

/** Which settings are refused besides faulty ones. */
export type SettingsRules = {
  readonly production: boolean
  /** Whether production accepts test interfaces of carriers, and URLs without TLS. */
  readonly allowTestCarriers: boolean
}

/**
 * Faults in the settings that depend on connectors, one line each: unknown carriers, missing or unknown credentials,
 * and in production test interfaces and URLs without TLS. Contains paths and hosts, never secrets.
 */
export function settingsFaults(
  connectorNameOf: (carrierCode: string) => string | undefined,
  settings: CarriersSettings,
  { production, allowTestCarriers }: SettingsRules = { production: false, allowTestCarriers: false },
  connectors: ConnectorTypes = BUILT_IN,
): string[] {
  return [...settings].flatMap(([code, { accounts, ...shared }]) => {
    const name = connectorNameOf(code)
    if (name === undefined) return [`${code}: no rate card has this carrier`]
    const type = connectors.get(name)
    if (type === undefined) return [`${code}: there is no connector ${name}`]
    const accountLevel = [...accounts].map(([id, access]) => [`${code}.accounts.${id}`, access] as const)
    // If every account supplies credentials, the carrier-level ones are unused.
    const carrierLevel =
      accounts.size > 0 && Object.keys(shared.credentials).length === 0 ? [] : [[code, shared] as const]
    return [...carrierLevel, ...accountLevel].flatMap(([path, { baseUrl, credentials }]) => [
      ...(production && !allowTestCarriers ? urlFaults(path, type, baseUrl, credentials) : []),
      ...missingCredentials(type, credentials).map((missing) => `${path}.credentials.${missing}: required`),
      ...Object.keys(credentials)
        .filter((given) => !type.credentials.includes(given) && !type.optionalCredentials?.includes(given))
        .map((given) => `${path}.credentials.${given}: the connector ${name} has no such credential`),
      ...Object.entries(credentials).flatMap(([given, value]) => {
        const fault = type.credentialFault?.(given, value)
        return fault === undefined ? [] : [`${path}.credentials.${given}: ${fault}`]
      }),
    ])
  })
}

/** What production refuses in `baseUrl`, and in the credentials that are URLs. */
function urlFaults(
  path: string,
  { testUrls }: ConnectorType,
  baseUrl: string,
  credentials: Readonly<Record<string, string>>,
): string[] {
  const urls = Object.entries(credentials)
    .filter(([name]) => name.endsWith('Url'))
    .map(([name, url]) => [`${path}.credentials.${name}`, url] as const)
  return [[`${path}.baseUrl`, baseUrl] as const, ...urls].flatMap(([field, url]) => {
    const fault = productionFault(url, testUrls)
    if (fault === undefined) return []
    return [`${field}: ${fault}, which production refuses unless WAYBILL_ALLOW_TEST_CARRIERS=true`]
  })
}
