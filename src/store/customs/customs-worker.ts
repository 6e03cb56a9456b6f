/** A worker thread that reads the customs data in effect, posts it, and ends. Started by live-customs.ts. */
import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from '../database/open.ts'
import { WHOLE_TABLES } from '../database/pool/pools.ts'
import { readEdition } from './customs.ts'
import type { WorkerInput } from './live-customs.ts'

const { source } = workerData as WorkerInput
const db = openDatabase(source, { ...WHOLE_TABLES, poolSize: 1 })
const edition = await readEdition(db).finally(() => db.destroy())
parentPort?.postMessage(edition, buffersIn(edition))

/** The memory of all typed arrays in plain data. It is transferred, not copied. */
function buffersIn(value: unknown, found = new Set<ArrayBuffer>()): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer)
  } else if (value instanceof Map) for (const part of value.values()) buffersIn(part, found)
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) buffersIn(part, found)
  return [...found]
}
