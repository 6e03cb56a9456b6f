/** Memory in use, for benchmarks. */
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes in use after a full collection. Buffers are released shortly after their objects. */
export async function bytesInUse(): Promise<number> {
  for (let run = 0; run < 3; run++) {
    collectGarbage()
    await pause(20)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
