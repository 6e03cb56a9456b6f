/** Checks the Valkey or Redis server of shared limits: connection, certificate, password and permissions. */
import type { Config } from '../../config/config.ts'
import { type Finding, findingsOf } from './finding.ts'

/** Without such a server there is no finding: the database has checks of its own. */
export async function checkSharedLimits({ sharedLimits }: Config): Promise<Finding[]> {
  if (sharedLimits?.kind !== 'redis') return []
  const { ok, warning } = findingsOf('shared limits')
  const { protocol, host } = new URL(sharedLimits.url)
  const name = `the server ${host}${protocol === 'rediss:' ? ', with TLS,' : ''}`
  const { tryRedis } = await import('../../store/limits/redis-spending.ts')
  try {
    await tryRedis(sharedLimits)
    return [ok(`${name} can be used`)]
  } catch (error) {
    // The messages of the client and the server have no password.
    const { code, message } = error as { code?: unknown; message?: unknown }
    const reason = String(message || code)
    return [
      warning(
        `${name} cannot be used, so each process limits callers by itself: ${reason}`,
        'see docs/limits.md#shared-limits',
      ),
    ]
  }
}
