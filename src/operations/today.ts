/** The day that is meant where a request names none. */
import type { Clock } from './ports.ts'

/** The UTC day of this instant, 'YYYY-MM-DD'. */
export function today(clock: Clock): string {
  return clock().toISOString().slice(0, 10)
}
