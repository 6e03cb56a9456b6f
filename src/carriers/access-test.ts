/**
 * Tests the URLs and credentials of the settings file with calls that change nothing at the carriers: a token, and the
 * read that the connector names (`Connector.check`). For `waybill carrier test`, and at start. The requests are those
 * of real calls, so they pass the same proxy and fail for the same reasons. See docs/carriers.md#test-the-settings.
 */
import { withTimeout } from '../operations/ports/work.ts'
import type { CheckAnswer, Connector, ConnectorType } from './connector.ts'
import type { Unknown } from './connectors/judgement.ts'
import { NotSentError, openCallSignal, withinLimit } from './not-sent.ts'
import type { SentExchange } from './sent-exchange.ts'
import type { AccessSettings } from './settings.ts'
import { isTestUrl } from './test-urls.ts'

/** One set of credentials at one carrier. */
export type Access = AccessSettings & {
  /** Entries with the same connector, URL and credentials are one set. This is the first one. */
  readonly carrierCode: string
  /** Absent: the carrier's own credentials. */
  readonly accountId?: string
  readonly connectorName: string
  readonly type: ConnectorType
}

export type AccessVerdict =
  /** The carrier answered the read. */
  | 'accepted'
  /** The carrier issued a token, and the connector has no harmless read. */
  | 'token_only'
  /** The connector has neither tokens nor a harmless read. */
  | 'not_tested'
  | 'rejected'
  | 'wrong_url'
  | 'not_reachable'
  /** The carrier failed, refused to answer now, or sent a reply that is not the expected one. */
  | 'unclear'

/** How far the test came. */
export type AccessStep = 'dns' | 'connection' | 'tls' | 'token' | 'read'

export type AccessReport = {
  readonly carrierCode: string
  readonly accountId?: string
  readonly connector: string
  readonly baseUrl: string
  readonly isTestUrl: boolean
  /** Whether the carrier issues access tokens. */
  readonly hasToken: boolean
  readonly verdict: AccessVerdict
  /** The step that failed. */
  readonly failedAt?: AccessStep
  /** The carrier's code, or that of the network. Contains no credentials. */
  readonly detail?: string
}

/** A token request may wait for others to the same host. */
const STEP_LIMIT_MS = 10_000
const LEFT_ALONE_MS = STEP_LIMIT_MS + 500

/** Makes at most one token request and one read, and stops when `signal` is aborted. Never throws. */
export async function testAccess(
  access: Access,
  connector: Connector,
  signal: AbortSignal,
): Promise<AccessReport> {
  const { carrierCode, accountId, connectorName, baseUrl, type } = access
  return {
    carrierCode,
    ...(accountId !== undefined && { accountId }),
    connector: connectorName,
    baseUrl,
    isTestUrl: isTestUrl(baseUrl, type.testUrls),
    hasToken: connector.prepare !== undefined,
    ...(await findingOf(connector, signal)),
  }
}

type Finding = Pick<AccessReport, 'verdict' | 'failedAt' | 'detail'>

async function findingOf(connector: Connector, signal: AbortSignal): Promise<Finding> {
  const call = openCallSignal()
  if (signal.aborted) call.abort()
  signal.addEventListener('abort', call.abort)
  try {
    return await findingOfCall(connector, call.signal, call.exchanges)
  } finally {
    signal.removeEventListener('abort', call.abort)
  }
}

async function findingOfCall(
  connector: Connector,
  signal: AbortSignal,
  exchanges: () => readonly SentExchange[],
): Promise<Finding> {
  try {
    await limited(async (part) => connector.prepare?.(part), signal)
  } catch (error) {
    return failure(error, 'token')
  }
  const { check } = connector
  if (check === undefined) return { verdict: connector.prepare === undefined ? 'not_tested' : 'token_only' }
  try {
    return findingOfReply(await limited(check, signal), exchanges().at(-1))
  } catch (error) {
    return failure(error, 'read')
  }
}

/** A connector that ignores its signal is left alone after the limit. */
function limited<Result>(
  step: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return withTimeout(withinLimit(signal, STEP_LIMIT_MS, step), LEFT_ALONE_MS, () => {
    throw new Error('aborted: the connector did not end in time')
  })
}

function findingOfReply(answer: CheckAnswer, last: SentExchange | undefined): Finding {
  switch (answer.kind) {
    case 'accepted':
      return { verdict: 'accepted' }
    case 'unknown': {
      const verdict = verdictOf(answer)
      // The interfaces of carriers have no pages for people.
      return verdict === 'unclear' && last?.status === 200 && last.isPage === true
        ? { verdict: 'wrong_url', failedAt: 'read', detail: 'HTTP 200 with an HTML page' }
        : { verdict, failedAt: 'read', detail: answer.cause }
    }
  }
}

/** Another server or path answers with a 404, a redirect, or a 200 that is not the carrier's. */
function verdictOf({ status = 0, configuration: isConfiguration = false }: Unknown): AccessVerdict {
  if (status === 401 || status === 403) return 'rejected'
  if ((status >= 300 && status < 400) || (status === 404 && isConfiguration) || status === 405)
    return 'wrong_url'
  return isConfiguration ? 'rejected' : 'unclear'
}

function failure(error: unknown, step: 'token' | 'read'): Finding {
  const detail = error instanceof Error ? error.message : String(error)
  if (!(error instanceof NotSentError)) return { verdict: 'unclear', failedAt: step, detail }
  const { isRejection, reason, status = 0 } = error.fault
  if (isRejection === true) return { verdict: 'rejected', failedAt: 'token', detail }
  if (reason === 'no_connection')
    return { verdict: 'not_reachable', failedAt: connectionStep(detail), detail }
  if (reason === 'invalid_request') return { verdict: 'wrong_url', failedAt: step, detail }
  // A token endpoint answers with a token, or with an error of its own.
  if (status >= 200 && status < 500 && status !== 408 && status !== 429)
    return { verdict: 'wrong_url', failedAt: 'token', detail }
  return { verdict: 'unclear', failedAt: step, detail }
}

/** The codes of Node's errors for name resolution and TLS. All others concern the connection. */
function connectionStep(detail: string): AccessStep {
  if (/ENOTFOUND|EAI_/.test(detail)) return 'dns'
  return /CERT|TLS|SSL|EPROTO|UNABLE_TO|SELF_SIGNED/.test(detail) ? 'tls' : 'connection'
}

/** For people. */
export function verdictText({ verdict, failedAt }: Pick<AccessReport, 'verdict' | 'failedAt'>): string {
  switch (verdict) {
    case 'accepted':
      return 'credentials accepted'
    case 'token_only':
      return 'token issued; this connector has no harmless read'
    case 'not_tested':
      return 'not tested: this connector has no harmless read'
    case 'rejected':
      return 'credentials rejected'
    case 'wrong_url':
      return 'URL wrong'
    case 'not_reachable':
      return failedAt === 'dns'
        ? 'not reachable: the host has no address'
        : failedAt === 'tls'
          ? 'not reachable: TLS failed'
          : 'not reachable'
    case 'unclear':
      return 'unclear'
  }
}

/** Whether an operator has to correct something. */
export function isAccessFault({ verdict }: Pick<AccessReport, 'verdict'>): boolean {
  return verdict === 'rejected' || verdict === 'wrong_url' || verdict === 'not_reachable'
}
