/** The carriers of the settings file. It can be read again, and its URLs and credentials can be tested. */
import { type AccessReport, testAccess } from './access-test.ts'
import {
  accessesOf,
  BUILT_IN,
  type ConnectorTypes,
  openCarriers,
  type ReplaceableCarriers,
  type SettingsRules,
  settingsFaults,
} from './registry.ts'
import { type CarriersSettings, carrierSettings, readCarriersFile, refuseFaultySettings } from './settings.ts'
import type { SharedTokens } from './shared-tokens.ts'

export type ConfiguredCarriers = {
  readonly carriers: ReplaceableCarriers
  /** Signs the scan events of a carrier. */
  eventSecretOf(carrierCode: string): string | undefined
  /** Reads the file again. Throws a CarrierSettingsError if it is faulty; the previous settings then stay in use. */
  reload(): void
  /**
   * Tests every set of credentials, or those of one carrier, one after the other. Never rejects, and ends early if
   * `signal` is aborted.
   */
  test(signal: AbortSignal, onReport: (report: AccessReport) => void, onlyCarrier?: string): Promise<void>
}

export type CarriersFileOptions = SettingsRules & {
  /** Undefined: no carrier has settings. */
  readonly carriersFile: string | undefined
  readonly sandboxUrl: string | undefined
  /** Default: those of this repository. */
  readonly connectors?: ConnectorTypes
  /** Absent: tokens are not shared, such as in commands, which test the credentials themselves. */
  readonly sharedTokens?: SharedTokens
}

/**
 * The content of the settings file that was accepted last, as a JSON value with secrets. Worker processes pass it to
 * their replacements, because the file may have been changed, and refused, in the meantime.
 */
export type AcceptedCarriers = {
  /** Used at start instead of the file. Undefined: the file is read. */
  readonly first: unknown
  /** Called with each content that was accepted. */
  onAccepted(content: unknown): void
}

/** Throws a CarrierSettingsError if the file is faulty. `connectorNameOf` is called each time. */
export function configuredCarriers(
  connectorNameOf: (carrierCode: string) => string | undefined,
  options: CarriersFileOptions,
  accepted?: AcceptedCarriers,
): ConfiguredCarriers {
  const { carriersFile, sandboxUrl, connectors = BUILT_IN, sharedTokens } = options
  const read = (): CarriersSettings => {
    if (carriersFile === undefined) return new Map()
    const content = readCarriersFile(carriersFile)
    const settings = carrierSettings(content)
    refuseFaultySettings(settingsFaults(connectorNameOf, settings, options, connectors))
    accepted?.onAccepted(content)
    return settings
  }
  let settings = accepted?.first === undefined ? read() : carrierSettings(accepted.first)
  const carriers = openCarriers(connectorNameOf, { sandboxUrl, settings, connectors, sharedTokens })
  return {
    carriers,
    eventSecretOf: (carrierCode) => settings.get(carrierCode)?.eventSecret,
    reload() {
      settings = read()
      carriers.replaceSettings(settings)
    },
    async test(signal, onReport, onlyCarrier) {
      const tested = [...settings].filter(([code]) => onlyCarrier === undefined || code === onlyCarrier)
      for (const access of accessesOf(connectorNameOf, new Map(tested), connectors)) {
        // '' is no account, so it has the carrier's credentials.
        const connector = carriers.connectorOf(access.carrierCode, access.accountId ?? '')
        if (connector === undefined) continue
        const report = await testAccess(access, connector, signal)
        if (signal.aborted) return
        onReport(report)
      }
    },
  }
}
