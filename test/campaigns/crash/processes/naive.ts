/**
 * A naive design that the campaign must find faulty: one transaction holds the row during the call to the
 * carrier and then records the result. It has no recorded attempt, no stored key and no sweeper.
 */
import { randomUUID } from 'node:crypto'
import { Pool, type PoolClient } from 'pg'
import type { CancelBegun } from '../../../../src/core/shipments/cancellation.ts'
import type { Ports } from '../../../../src/operations/ports/ports.ts'
import type { TestSource } from '../../../support/database/test-server.ts'

/** Replaces cancellation in the ports; everything else is unchanged. */
export function naive(ports: Ports, sourceOf: () => TestSource): Ports {
  let pool: Pool | undefined
  const connect = (): Promise<PoolClient> => {
    if (pool === undefined) {
      const source = sourceOf()
      pool = new Pool(typeof source === 'string' ? { connectionString: source } : { ...source, ssl: false })
      pool.on('error', () => {})
      pool.on('connect', (client) => client.on('error', () => {}))
    }
    return pool.connect()
  }
  return {
    ...ports,
    shipments: {
      ...ports.shipments,
      async beginCancellation(accountId, shipmentId) {
        const client = await connect()
        try {
          await client.query('BEGIN')
          const begun = await cancelInTransaction(client, ports, accountId, shipmentId)
          await client.query('COMMIT')
          return begun
        } catch (error) {
          await client.query('ROLLBACK').catch(() => {})
          throw error
        } finally {
          client.release()
        }
      },
    },
    recovery: { ...ports.recovery, dueWork: async () => [] },
  }
}

type Row = {
  readonly state: CancelBegun['state']
  readonly carrier_code: string
  readonly carrier_ref: string | null
}

async function cancelInTransaction(
  client: PoolClient,
  { carriers }: Ports,
  accountId: string,
  shipmentId: string,
): Promise<CancelBegun | undefined> {
  const { rows } = await client.query<Row>(
    `SELECT state, carrier_code, carrier_ref FROM shipment
      WHERE shipment_id = $1 AND account_id = $2 FOR UPDATE`,
    [shipmentId, accountId],
  )
  const row = rows[0]
  if (row === undefined) return undefined
  const { state, carrier_code: carrierCode, carrier_ref: carrierRef } = row
  if (state === 'draft') return markCancelled(client, shipmentId, 'draft')
  if (state !== 'booked' || carrierRef === null) return { state, draftCancelled: false }
  const attempt = { attemptId: randomUUID(), fence: 1, sends: 1, ageMs: 0 }
  const answer = await carriers.cancel({ ...attempt, shipmentId, accountId, carrierCode, carrierRef })
  if (answer.kind === 'cancelled') return markCancelled(client, shipmentId, 'booked')
  if (answer.kind !== 'refused') return { state, draftCancelled: false }
  const recentRefusal = { code: answer.reason, reason: answer.message }
  return { state, draftCancelled: false, recentRefusal }
}

async function markCancelled(
  client: PoolClient,
  shipmentId: string,
  from: 'draft' | 'booked',
): Promise<CancelBegun> {
  const cancelledBy = from === 'draft' ? 'draft' : 'carrier'
  await client.query(
    `UPDATE shipment SET state = 'cancelled', cancelled_at = clock_timestamp(), cancelled_by = $2,
      version = version + 1 WHERE shipment_id = $1`,
    [shipmentId, cancelledBy],
  )
  await client.query(
    `INSERT INTO shipment_event (account_id, shipment_id, from_state, to_state)
      SELECT account_id, shipment_id, $2, 'cancelled' FROM shipment WHERE shipment_id = $1`,
    [shipmentId, from],
  )
  return { state: 'cancelled', draftCancelled: from === 'draft', cancelledBy }
}
