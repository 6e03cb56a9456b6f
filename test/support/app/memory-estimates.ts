/** A store of kept estimates in memory. Its clock is that of the test. */
import type { EstimateStore, NewEstimate } from '../../../src/operations/ports/estimates.ts'
import type { Ports } from '../../../src/operations/ports/ports.ts'

type Stored = NewEstimate & {
  readonly accountId: string
  readonly estimateId: string
  readonly expires: number
}

const DAY_MS = 86_400_000

export function memoryEstimates(now: () => number): EstimateStore {
  let stored: Stored[] = []
  const kept = (accountId: string) =>
    stored.filter((one) => one.accountId === accountId && one.expires > now())
  const shown = ({ snapshot, links, estimateId, expires }: Stored) => ({
    ...{ ...snapshot, ...links, estimateId },
    createdAt: new Date(now()).toISOString(),
    expiresAt: new Date(expires).toISOString(),
  })
  return {
    estimateUsage: async (accountId) => ({
      count: kept(accountId).length,
      bytes: JSON.stringify(kept(accountId)).length,
    }),
    findEstimate: async (accountId, id) => {
      const found = kept(accountId).find(({ estimateId }) => estimateId === id)
      return found && shown(found)
    },
    keyedEstimate: async (accountId, { key, input }) => {
      const found = kept(accountId).find((one) => one.key?.key === key)
      return found && { estimate: shown(found), isSameInput: found.key?.input === input }
    },
    insertEstimate: async (accountId, estimate, keptDays) => {
      if (estimate.key !== undefined && kept(accountId).some((one) => one.key?.key === estimate.key?.key))
        return undefined
      const estimateId = `est_${String(stored.length + 1).padStart(22, '1')}`
      const one = { ...estimate, accountId, estimateId, expires: now() + keptDays * DAY_MS }
      stored.push(one)
      return shown(one)
    },
    expireEstimates: async (limit) => {
      const due = stored.filter(({ expires }) => expires <= now()).slice(0, limit)
      stored = stored.filter((one) => !due.includes(one))
      return due.length
    },
  }
}

export function estimatePorts(
  now: () => number,
): Pick<Ports, 'estimates' | 'estimateTerms' | 'customsRevision'> {
  return {
    estimates: memoryEstimates(now),
    estimateTerms: { keptDays: 90, countMax: 1_000, bytesMax: 1_000_000 },
    customsRevision: () => 7,
  }
}
