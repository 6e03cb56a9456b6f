/** Reads the service's log while it is written: its size, lines of level error, and leaked secrets. */

export type LogWatch = {
  /** Adds a piece of standard output. */
  take(chunk: string): void
  bytes(): number
  /** Number of lines of level `error` or `fatal`. */
  errorCount(): number
  /** The first of these lines, shortened. */
  errors(): readonly string[]
  /** Lines that contain a secret, shortened and with the secret replaced. */
  leaks(): readonly string[]
}

const MAX_KEPT = 200
const MAX_LINE = 300

/** Searches a log for `secrets`. */
export function watchLog(secrets: readonly string[]): LogWatch {
  const errors: string[] = []
  const leaks: string[] = []
  let bytes = 0
  let errorCount = 0
  let partial = ''
  const read = (line: string): void => {
    if (/"level":"(error|fatal)"/.test(line)) {
      errorCount += 1
      if (errors.length < MAX_KEPT) errors.push(shortened(line))
    }
    const secret = secrets.find((text) => line.includes(text))
    if (secret !== undefined && leaks.length < MAX_KEPT)
      leaks.push(line.replaceAll(secret, '[secret]').slice(0, MAX_LINE))
  }
  return {
    take(chunk) {
      bytes += Buffer.byteLength(chunk)
      const lines = (partial + chunk).split('\n')
      partial = lines.pop() ?? ''
      for (const line of lines) read(line)
    },
    bytes: () => bytes,
    errorCount: () => errorCount,
    errors: () => errors,
    leaks: () => leaks,
  }
}

function shortened(line: string): string {
  try {
    const { msg, error, path } = JSON.parse(line) as {
      msg?: string
      path?: string
      error?: { message?: string }
    }
    return [msg, path, error?.message]
      .filter((part) => part !== undefined)
      .join(': ')
      .slice(0, MAX_LINE)
  } catch {
    return line.slice(0, MAX_LINE)
  }
}
