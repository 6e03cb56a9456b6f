/** Tests the credentials of the carriers in the background, and reads their settings again. Logs what it finds. */
import type { Alert } from '../operations/ports/ports.ts'
import { type AccessReport, isAccessFault, verdictText } from './access-test.ts'
import type { CarrierLog } from './call-log.ts'
import type { ConfiguredCarriers } from './configured-carriers.ts'

export type CarrierTestOptions = {
  readonly log: CarrierLog
  readonly alert: (alert: Alert) => void
  /** For the log. */
  readonly carriersFile: string | undefined
  /** False: credentials are never tested. */
  readonly isEnabled: boolean
  readonly atStart: boolean
}

export type CarrierTests = {
  /**
   * Reads the settings again, and tests the credentials unless `tests` is false. A faulty file raises an alert and
   * changes nothing.
   */
  reload(tests?: boolean): void
  /** Ends a running test. */
  close(): Promise<void>
}

/** Tests the credentials at start and after each reload. Only the newest test goes on. */
export function startCarrierTests(
  configured: Pick<ConfiguredCarriers, 'reload' | 'test'>,
  { log, alert, carriersFile, isEnabled, atStart }: CarrierTestOptions,
): CarrierTests {
  let running = new AbortController()
  const test = async (): Promise<void> => {
    running.abort()
    running = new AbortController()
    if (isEnabled) await configured.test(running.signal, (report) => reportAccess(log, report, alert))
  }
  if (atStart) void test()
  const reload: CarrierTests['reload'] = (tests = true) => {
    try {
      configured.reload()
      log.info({ event: 'carriers.reloaded', carriersFile }, 'the settings of the carriers were read again')
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      return alert({ kind: 'CARRIERS_FILE_REFUSED', detail })
    }
    // A test of the previous credentials says nothing about these.
    running.abort()
    if (tests) void test()
  }
  return { reload, close: async () => running.abort() }
}

function reportAccess(log: CarrierLog, report: AccessReport, alert: (alert: Alert) => void): void {
  const { carrierCode, accountId, detail, isTestUrl } = report
  const about = { carrierCode, ...(accountId !== undefined && { accountId }) }
  const verdict = verdictText(report)
  if (isTestUrl)
    log.warn(
      { event: 'carriers.test_interface', ...about },
      'the settings name a test interface of the carrier',
    )
  if (isAccessFault(report))
    alert({ kind: 'CARRIER_CONFIGURATION', ...about, detail: `${verdict}: ${detail ?? ''}` })
  else
    log[report.verdict === 'unclear' ? 'warn' : 'info'](
      { event: 'carriers.tested', ...about, verdict, detail },
      'the credentials of a carrier were tested',
    )
}
