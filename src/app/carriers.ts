/** Opens the carriers: their settings file, connectors, shared access tokens, and the gateway. */
import { recordCalls } from '../carriers/call-log.ts'
import { type ConfiguredCarriers, configuredCarriers } from '../carriers/configured-carriers.ts'
import { withConnectorFiles } from '../carriers/connectors/define/connector-files.ts'
import { carrierGateway } from '../carriers/gateway/gateway.ts'
import { sendThroughProxy } from '../carriers/http-exchange.ts'
import { sharedTokens } from '../carriers/shared-tokens.ts'
import type { CarrierGateway } from '../operations/ports/carriers.ts'
import type { Alert } from '../operations/ports/ports.ts'
import { carrierTokenStore } from '../store/carrier-tokens.ts'
import type { Pools } from '../store/database/pool/pools.ts'
import type { Traces } from '../tracing/traces.ts'
import type { Context, Opened } from './context.ts'
import { openRecords } from './observation.ts'

export type OpenCarriersOptions = {
  /** The connector of a carrier, from the rate book. */
  connectorNameOf(carrierCode: string): string | undefined
  alert(alert: Alert): void
  reportFault(error: unknown): void
  readonly traces: Traces | undefined
}

/** Throws a CarrierSettingsError if the settings file is faulty. */
export async function openGateway(
  context: Context,
  pools: Pools,
  opened: Opened,
  { connectorNameOf, alert, reportFault, traces }: OpenCarriersOptions,
): Promise<{ readonly configured: ConfiguredCarriers; readonly gateway: CarrierGateway }> {
  const { config, options } = context
  sendThroughProxy(config.carrierProxy)
  const connectors = await withConnectorFiles(config.connectorFiles)
  const configured = configuredCarriers(
    connectorNameOf,
    { ...config, connectors, sharedTokens: sharedTokens(carrierTokenStore(pools.own), reportFault) },
    options.acceptedCarriers,
  )
  const record = recordCalls(context.log, openRecords(context, pools, opened))
  const gateway = carrierGateway(configured.carriers, {
    alert,
    record: traces?.carrierCalls(record) ?? record,
  })
  return { configured, gateway }
}
