/**
 * Lists all connectors by name, and selects the one for an account's calls to a carrier. Rate cards name the connector
 * of a carrier; the settings file contains its URL and credentials. The sandbox needs no settings: without a URL it
 * runs in this process. See docs/carriers.md.
 */
import { type ConnectorName, isConnectorName } from '../core/connector-names.ts'
import type { Connector, ConnectorType } from './connector.ts'
import { dhlExpress } from './connectors/dhl-express.ts'
import { dhlParcelDe } from './connectors/dhl-parcel-de.ts'
import { dpd } from './connectors/dpd.ts'
import { fedex } from './connectors/fedex.ts'
import { glsShipit } from './connectors/gls-shipit.ts'
import { ups } from './connectors/ups.ts'
import type { CarrierChannel, Carriers } from './gateway.ts'
import { sandbox, sandboxInProcess } from './sandbox/connector.ts'
import type { CarrierSettings, CarriersSettings } from './settings.ts'

export const CONNECTORS: Readonly<Record<ConnectorName, ConnectorType>> = {
  sandbox,
  ups,
  fedex,
  'dhl-parcel-de': dhlParcelDe,
  'gls-shipit': glsShipit,
  'dhl-express': dhlExpress,
  dpd,
}

/** For carriers whose documentation gives no figure. */
const LOOKUP_LAG_MS = 60_000

export type CarriersChoice = {
  /** Undefined: the sandbox runs in this process. */
  readonly sandboxUrl: string | undefined
  readonly settings: CarriersSettings
}

/**
 * The carriers for the gateway. Each connector is opened once per channel, so that all calls with the same credentials
 * share an access token. `connectorNameOf` is called each time, because a new rate card may change the result.
 */
export function openCarriers(
  connectorNameOf: (carrierCode: string) => string | undefined,
  { sandboxUrl, settings }: CarriersChoice,
): Carriers {
  const opened = new Map<string, Connector>()
  const inProcess = sandboxInProcess()

  const typeOf = (carrierCode: string): ConnectorType | undefined => {
    const name = connectorNameOf(carrierCode)
    return name !== undefined && isConnectorName(name) ? CONNECTORS[name] : undefined
  }
  const channelOf = (carrierCode: string, accountId: string): CarrierChannel => {
    const hasAccess = settings.get(carrierCode)?.accounts.has(accountId) ?? false
    // The connector is part of the key, because a circuit opened by one connector does not concern another.
    const key = JSON.stringify([connectorNameOf(carrierCode), carrierCode, hasAccess ? accountId : null])
    return hasAccess ? { key, accountId } : { key }
  }
  return {
    channelOf,
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
      const connector = type.open(access)
      opened.set(key, connector)
      return connector
    },
    canLookUp: (carrierCode) => typeOf(carrierCode) !== undefined,
    lookupLagMs: (carrierCode) => typeOf(carrierCode)?.lookupLagMs ?? LOOKUP_LAG_MS,
  }
}

function atUrl(baseUrl: string): CarrierSettings {
  return { baseUrl, credentials: {}, accounts: new Map() }
}

function missingCredentials(type: ConnectorType, given: Readonly<Record<string, string>>): string[] {
  return type.credentials.filter((name) => given[name] === undefined)
}

/**
 * Faults in the settings that depend on connectors, one line each: unknown carriers, and missing or unknown credentials.
 * Contains paths, never values.
 */
export function settingsFaults(
  connectorNameOf: (carrierCode: string) => string | undefined,
  settings: CarriersSettings,
): string[] {
  return [...settings].flatMap(([code, { accounts, ...shared }]) => {
    const name = connectorNameOf(code)
    if (name === undefined) return [`${code}: no rate card has this carrier`]
    if (!isConnectorName(name)) return [`${code}: there is no connector ${name}`]
    const type = CONNECTORS[name]
    const accountLevel = [...accounts].map(([id, access]) => [`${code}.accounts.${id}`, access] as const)
    // If every account supplies credentials, the carrier-level ones are unused.
    const carrierLevel =
      accounts.size > 0 && Object.keys(shared.credentials).length === 0 ? [] : [[code, shared] as const]
    return [...carrierLevel, ...accountLevel].flatMap(([path, { credentials }]) => [
      ...missingCredentials(type, credentials).map((missing) => `${path}.credentials.${missing}: required`),
      ...Object.keys(credentials)
        .filter((given) => !type.credentials.includes(given) && !type.optionalCredentials?.includes(given))
        .map((given) => `${path}.credentials.${given}: the connector ${name} has no such credential`),
    ])
  })
}
