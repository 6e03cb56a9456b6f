/** The report of a scenario, and the rules that all scenarios must keep. */
import type { Sightings } from './bystander.ts'
import type { Findings } from './findings.ts'
import type { Reply } from './http-client.ts'
import type { RawAnswer } from './raw-client.ts'
import type { Service } from './service.ts'

const MB = 1024 * 1024
/** Limit of the service for data, with a margin for headers and syntax. */
/** docs/limits.md, `response size`. */
const MAX_RESPONSE_BYTES = 8_000_000
const MAX_MEMORY_BYTES = 1024 * MB
/** The log may grow by this many bytes per scenario, plus some bytes per answer to a caller with a valid key. */
const LOG_ALLOWANCE_BYTES = 2 * MB
const LOG_BYTES_PER_ANSWER = 600
const MAX_P99_MS = 100
/** On a slow machine, the limit is this multiple of the p99 without an attack. */
const CALM_FACTOR = 10
/** The number of times that a request waits for a core: in the partner, the service, the database and back. */
const WAITS_PER_REQUEST = 4
/** With fewer requests, the p99 means nothing. */
const MIN_REQUESTS = 50

/** The answers to the attacker in one scenario. */
export type Answers = {
  /** By status; 0 is no answer. */
  readonly statuses: Record<string, number>
  /** By the error code in the body. */
  readonly codes: Record<string, number>
  readonly failures: Record<string, number>
  largestBytes: number
  slowestMs: number
}

export function noAnswers(): Answers {
  return { statuses: {}, codes: {}, failures: {}, largestBytes: 0, slowestMs: 0 }
}

/** Counts an answer to the attacker, and adds the rules that it violates to `findings`. */
export function judgeReply(label: string, reply: Reply, answers: Answers, findings: Findings): void {
  const { status, headers, bytes, text, isInternalError, ms, failure } = reply
  const code = /"code":"([A-Z][A-Z_]+)"/.exec(text.slice(0, 2_000))?.[1]
  count(answers.statuses, String(status ?? 0))
  if (code !== undefined && status !== undefined && status >= 400) count(answers.codes, code)
  if (failure !== undefined) count(answers.failures, failure)
  answers.largestBytes = Math.max(answers.largestBytes, bytes)
  answers.slowestMs = Math.max(answers.slowestMs, Math.round(ms))
  judgeStatus(label, status ?? 0, headers['retry-after'] !== undefined, text, findings)
  if (isInternalError) findings.add('an INTERNAL_SERVER_ERROR', `${label}: ${text.slice(0, 200)}`)
  if (bytes > MAX_RESPONSE_BYTES) findings.add('a response above 8 MB', `${label}: ${bytes} bytes`)
}

/** The same for an answer read from a raw connection. */
export function judgeRaw(label: string, answer: RawAnswer, answers: Answers, findings: Findings): void {
  const { status, head, body } = answer
  count(answers.statuses, String(status))
  answers.largestBytes = Math.max(answers.largestBytes, body.length)
  judgeStatus(label, status, /^retry-after:/im.test(head), body, findings)
  if (body.includes('INTERNAL_SERVER_ERROR'))
    findings.add('an INTERNAL_SERVER_ERROR', `${label}: ${body.slice(0, 200)}`)
  if (body.length > MAX_RESPONSE_BYTES)
    findings.add('a response above 8 MB', `${label}: ${body.length} bytes`)
}

function judgeStatus(
  label: string,
  status: number,
  hasRetryAfter: boolean,
  text: string,
  findings: Findings,
): void {
  const isDocumented = status === 503 || status === 504
  if (status >= 500 && !(isDocumented && hasRetryAfter))
    findings.add(`an answer ${status} that is not documented`, `${label}: ${text.slice(0, 200)}`)
  if (status === 429 && !hasRetryAfter) findings.add('a 429 without Retry-After', label)
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

/** State of a service when a scenario starts. */
export type StartingPoint = {
  readonly cpuSeconds: number
  readonly deaths: number
  readonly logBytes: number
  readonly errorLines: number
  readonly leaks: number
}

export function startingPoint(service: Service): StartingPoint {
  const { log } = service
  return {
    cpuSeconds: service.cpuSeconds(),
    deaths: service.deaths().length,
    logBytes: log.bytes(),
    errorLines: log.errorCount(),
    leaks: log.leaks().length,
  }
}

/** Checks the process and its log. `bystanders` is the number of their requests. */
export function judgeService(
  {
    service,
    before,
    answers,
    bystanders,
  }: { service: Service; before: StartingPoint; answers: Answers; bystanders: number },
  findings: Findings,
): void {
  for (const death of service.deaths().slice(before.deaths)) findings.add('the process died', death)
  const memory = service.peakMemoryBytes()
  if (memory > MAX_MEMORY_BYTES)
    findings.add('more than 1 GB of memory', `${Math.round(memory / MB)} MB at the peak`)
  for (const leak of service.log.leaks().slice(before.leaks)) findings.add('a secret in the log', leak)
  const known = Object.entries(answers.statuses).filter(([status]) => !['0', '401', '404'].includes(status))
  const answered = known.reduce((sum, [, times]) => sum + times, bystanders)
  const allowed = LOG_ALLOWANCE_BYTES + answered * LOG_BYTES_PER_ANSWER
  const logged = service.log.bytes() - before.logBytes
  if (logged > allowed) findings.add('the log grew too fast', `${logged} bytes, ${allowed} allowed`)
}

/**
 * Checks the bystanders' results against `calm`, the same without an attack; without it, times are not
 * checked.
 */
export function judgeBystanders(busy: Sightings, calm: Sightings | undefined, findings: Findings): void {
  for (const [failure, times] of Object.entries(busy.failures))
    findings.add(`the partner got: ${failure}`, `${times} of ${busy.requests}`)
  for (const [failure, times] of Object.entries(busy.healthFailures))
    findings.add(`a health check got: ${failure}`, `${times} of ${busy.healthPolls}`)
  if (calm === undefined || busy.requests < MIN_REQUESTS) return
  // Load of other programs delays the partner's own timers too.
  const limit = Math.max(MAX_P99_MS, CALM_FACTOR * calm.p99Ms) + WAITS_PER_REQUEST * busy.ownDelayP99Ms
  if (busy.p99Ms > limit)
    findings.add(
      "the partner's p99",
      `${busy.p99Ms} ms; ${calm.p99Ms} ms before the attack, limit ${limit} ms`,
    )
}
