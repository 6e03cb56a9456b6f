/** How far a long command is, for those who watch: at a terminal only, on standard error, never with JSON. */
import { SingleBar } from 'cli-progress'
import { printable } from '../core/plain-text.ts'
import type { Output } from './output.ts'

const BAR = {
  format: '{what} [{bar}] {percentage}% | {value} of {total} rows | {duration_formatted}',
  hideCursor: true,
  clearOnComplete: true,
}

/** Says what is being done, where that may take seconds. */
export function announce({ progress }: Output, json: boolean | undefined, what: string): void {
  if (json !== true) progress?.write(`${printable(what)} …\n`)
}

/** Runs `work` with something to tell of its rows; a bar shows it and goes when the work ends, however it ends. */
export async function withProgress<Result>(
  { progress }: Output,
  json: boolean | undefined,
  what: string,
  work: (onProgress: (rowsDone: number, rowsTotal: number) => void) => Promise<Result>,
): Promise<Result> {
  if (progress === undefined || json === true) return work(() => {})
  const bar = new SingleBar({ ...BAR, stream: progress })
  try {
    return await work((rowsDone, rowsTotal) => {
      if (!bar.isActive) bar.start(rowsTotal, rowsDone, { what })
      else bar.update(rowsDone)
    })
  } finally {
    bar.stop()
  }
}
