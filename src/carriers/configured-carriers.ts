/** The carriers of the settings file. It can be read again, and its URLs and credentials can be tested. */
import { type AccessReport, testAccess } from './access-test.ts'
import {
  accessesOf,
  openCarriers,
  type ReplaceableCarriers,
  type SettingsRules,
  settingsFaults,
} from './registry.ts'
import { type CarriersSettings, readCarrierSettings, refuseFaultySettings } from './settings.ts'

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
}

/** Throws a CarrierSettingsError if the file is faulty. `connectorNameOf` is called each time. */
export function configuredCarriers(
  connectorNameOf: (carrierCode: string) => string | undefined,
  options: CarriersFileOptions,
): ConfiguredCarriers {
  const { carriersFile, sandboxUrl } = options
  const read = (): CarriersSettings => {
    if (carriersFile === undefined) return new Map()
    const settings = readCarrierSettings(carriersFile)
    refuseFaultySettings(settingsFaults(connectorNameOf, settings, options))
    return settings
  }
  let settings = read()
  const carriers = openCarriers(connectorNameOf, { sandboxUrl, settings })
  return {
    carriers,
    eventSecretOf: (carrierCode) => settings.get(carrierCode)?.eventSecret,
    reload() {
      settings = read()
      carriers.replaceSettings(settings)
    },
    async test(signal, onReport, onlyCarrier) {
      const tested = [...settings].filter(([code]) => onlyCarrier === undefined || code === onlyCarrier)
      for (const access of accessesOf(connectorNameOf, new Map(tested))) {
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
