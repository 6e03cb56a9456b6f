/** A store of shared access tokens in memory, that a test can make unavailable. */
import type { CarrierTokenStore } from '../../src/operations/ports/carrier-tokens.ts'

type Row = {
  version: number
  sealed?: Uint8Array
  usableUntil: number
  fetchingUntil: number
  pausedUntil: number
  status?: number | undefined
}

export type MemoryTokens = CarrierTokenStore & { readonly rows: Map<string, Row>; isAvailable: boolean }

export function memoryCarrierTokens(now: () => number): MemoryTokens {
  const rows = new Map<string, Row>()
  const rowOf = (credentials: Uint8Array): Row => {
    const key = Buffer.from(credentials).toString('hex')
    const row = rows.get(key) ?? { version: 0, usableUntil: 0, fetchingUntil: 0, pausedUntil: 0 }
    rows.set(key, row)
    return row
  }
  const store: MemoryTokens = {
    rows,
    isAvailable: true,
    async claim(credentials, after, leaseMs) {
      if (!store.isAvailable) throw new Error('the database is not available')
      const row = rowOf(credentials)
      if (row.sealed !== undefined && row.version > after && row.usableUntil > now())
        return { kind: 'token', version: row.version, sealed: row.sealed, usableMs: row.usableUntil - now() }
      if (row.pausedUntil > now())
        return { kind: 'paused', forMs: row.pausedUntil - now(), status: row.status }
      if (row.fetchingUntil > now()) return { kind: 'fetching', forMs: row.fetchingUntil - now() }
      if (leaseMs !== undefined) row.fetchingUntil = now() + leaseMs
      return { kind: 'none', version: Math.max(row.version, after) + 1 }
    },
    async keep(credentials, version, sealed, usableMs) {
      if (!store.isAvailable) throw new Error('the database is not available')
      const row = rowOf(credentials)
      if (row.version < version)
        Object.assign(row, {
          version,
          sealed,
          usableUntil: now() + usableMs,
          fetchingUntil: 0,
          pausedUntil: 0,
        })
    },
    async release(credentials, pauseMs, status) {
      if (!store.isAvailable) throw new Error('the database is not available')
      Object.assign(rowOf(credentials), { fetchingUntil: 0, pausedUntil: now() + pauseMs, status })
    },
  }
  return store
}
