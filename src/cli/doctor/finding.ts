/** What a check of `waybill doctor` found. */

export type Finding = {
  /** The subject, such as "database". */
  readonly check: string
  /** A `problem` stops the service or loses what it has confirmed. A `warning` may be intended. */
  readonly state: 'ok' | 'warning' | 'problem'
  readonly message: string
  /** What to do. */
  readonly remedy?: string
}

/** Makes the findings of one check. */
export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, state: 'ok', message }),
    warning: (message: string, remedy: string): Finding => ({ check, state: 'warning', message, remedy }),
    problem: (message: string, remedy: string): Finding => ({ check, state: 'problem', message, remedy }),
  }
}

/** Messages of the server name the role and the database, not the password. Some errors have only a code. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return String(message || code)
}

/** "a, b, c and 4 more". */
export function firstOf(names: readonly string[], shown = 3): string {
  const more = names.length - shown
  return names.slice(0, shown).join(', ') + (more > 0 ? ` and ${more} more` : '')
}
