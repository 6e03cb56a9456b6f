/**
 * Every connector by its name, and which of them speaks for a carrier and an account: the rate cards name a carrier's
 * connector, the settings say where it goes and with what. The sandbox needs no settings; without a URL it is played
 * in this process.
 */
import { type ConnectorName, isConnectorName } from '../core/shipments/connector-names.ts'
import type { Connector, ConnectorType } from './connector.ts'
import { dhlExpress } from './dhl-express.ts'
import { dhlParcelDe } from './dhl-parcel-de.ts'
import { dpd } from './dpd.ts'
import { fedex } from './fedex.ts'
import type { Carriers } from './gateway.ts'
import { glsShipit } from './gls-shipit.ts'
import { sandbox, sandboxInProcess } from './sandbox/connector.ts'
import type { CarrierSettings, CarriersSettings } from './settings.ts'
import { ups } from './ups.ts'

/** What each name stands for. */
export const CONNECTORS: Readonly<Record<ConnectorName, ConnectorType>> = {
  sandbox,
  ups,
  fedex,
  'dhl-parcel-de': dhlParcelDe,
  'gls-shipit': glsShipit,
  'dhl-express': dhlExpress,
  dpd,
}

/** Where the sandbox is, and what the settings file says. */
export type CarriersChoice = {
  /** Absent: in this process. */
  readonly sandboxUrl: string | undefined
  readonly settings: CarriersSettings
}

/**
 * The carriers as the gateway reaches them; `connectorNameOf` is asked each time, for a new rate card may change it.
 * Each connector is opened once per set of credentials, so that those share their access token.
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
  return {
    connectorOf(carrierCode, accountId) {
      const type = typeOf(carrierCode)
      const own = settings.get(carrierCode)
      if (type === sandbox && own === undefined && sandboxUrl === undefined) return inProcess
      const shared = own ?? (type === sandbox && sandboxUrl !== undefined ? atUrl(sandboxUrl) : undefined)
      if (type === undefined || shared === undefined) return undefined
      const account = shared.accounts.get(accountId)
      const access = account ?? shared
      if (missingCredentials(type, access.credentials).length > 0) return undefined
      const key = JSON.stringify([connectorNameOf(carrierCode), carrierCode, account && accountId])
      const known = opened.get(key)
      if (known !== undefined) return known
      const connector = type.open(access)
      opened.set(key, connector)
      return connector
    },
    canTrack: (carrierCode) => typeOf(carrierCode) !== undefined,
  }
}

function atUrl(baseUrl: string): CarrierSettings {
  return { baseUrl, credentials: {}, accounts: new Map() }
}

function missingCredentials(type: ConnectorType, given: Readonly<Record<string, string>>): string[] {
  return type.credentials.filter((name) => given[name] === undefined)
}

/**
 * What is wrong with the settings of carriers, given the connectors they have: one line per fault, by path and without
 * a value. A carrier that no rate card knows is one, too.
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
    const places = [...accounts].map(([id, access]) => [`${code}.accounts.${id}`, access] as const)
    // Accounts may bring all credentials; the carrier's own are then for nobody.
    const own =
      accounts.size > 0 && Object.keys(shared.credentials).length === 0 ? [] : [[code, shared] as const]
    return [...own, ...places].flatMap(([path, { credentials }]) => [
      ...missingCredentials(type, credentials).map((missing) => `${path}.credentials.${missing}: required`),
      ...Object.keys(credentials)
        .filter((given) => !type.credentials.includes(given) && !type.optionalCredentials?.includes(given))
        .map((given) => `${path}.credentials.${given}: the connector ${name} has no such credential`),
    ])
  })
}
