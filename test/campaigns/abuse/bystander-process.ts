/** The process of the bystanders; see bystander.ts. It ends with the campaign. */
import { Agent, request as httpRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { BystanderCommand, BystanderOptions, Sightings } from './bystander.ts'

const TIMEOUT_MS = 10_000
/** Time limit for a request that may be repeated, and the pause before it is. */
const PATIENCE_MS = 60_000
const REPEAT_MS = 250
const HEALTH_EVERY_MS = 500
const TICK_MS = 5

type Call = {
  readonly path: string
  readonly method: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly isRight: (text: string) => boolean
}

type Tally = {
  readonly times: number[]
  readonly failures: Record<string, number>
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

type Outcome = { readonly failure?: string; readonly isRefusal?: boolean }

/** Sends one request until it is over, measures its time and checks the answer. Never rejects. */
async function ask(options: BystanderOptions, call: Call, tally: Tally, isFresh: boolean): Promise<void> {
  const startedAt = performance.now()
  const limitMs = options.repeatsRefused ? PATIENCE_MS : TIMEOUT_MS
  const leftMs = (): number => startedAt + limitMs - performance.now()
  let outcome = await askOnce(options.port, call, isFresh, limitMs)
  while (options.repeatsRefused && outcome.isRefusal === true && leftMs() > REPEAT_MS) {
    await pause(REPEAT_MS)
    outcome = await askOnce(options.port, call, isFresh, leftMs())
  }
  const { failure } = outcome
  tally.times.push(performance.now() - startedAt)
  if (failure !== undefined) tally.failures[failure] = (tally.failures[failure] ?? 0) + 1
}

function askOnce(port: number, call: Call, isFresh: boolean, limitMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const { path, method, headers, body } = call
    const over = (outcome: Outcome): void => {
      clearTimeout(timer)
      resolve(outcome)
    }
    const fail = (error: Error & { code?: string }): void => over({ failure: error.code ?? error.message })
    const request = httpRequest({
      ...{ host: '127.0.0.1', port, path, method, agent: isFresh ? false : agent },
      headers: { ...headers, ...(method === 'POST' && { 'content-length': Buffer.byteLength(body ?? '') }) },
    })
    const timer = setTimeout(() => request.destroy(new Error('no answer')), limitMs)
    request.on('error', fail)
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', fail)
      response.on('end', () => {
        const { statusCode, headers } = response
        const isTemporary = statusCode === 503 || statusCode === 504
        const isRefusal = isTemporary && (path === '/readyz' || headers['retry-after'] !== undefined)
        if (statusCode !== 200) over({ failure: `status ${statusCode}`, isRefusal })
        else over(call.isRight(text) ? {} : { failure: 'another answer than expected' })
      })
    })
    request.end(body)
  })
}

const RATES_REST = JSON.stringify({
  parcels: [{ type: 'NONDOC', weight: '2.0', length: 30, width: 20, height: 10, count: 1 }],
  fromCountry: 'NL',
  toCountry: 'DE',
  recipientType: 'business',
})
const RATES_GRAPHQL = JSON.stringify({
  query: `query($input: RatesInput!) {
    rates(input: $input) { ... on RateQuote { options { product { id name } price { amount } } } }
  }`,
  variables: {
    input: {
      from: { country: 'NL' },
      to: { country: 'ES' },
      parcels: { boxes: [{ count: 1, weightKg: '2.0', lengthCm: 30, widthCm: 20, heightCm: 10 }] },
    },
  },
})

/** The n-th request of the partner: rates at both doors, and the cancellation of a draft, in turn. */
function callOf(n: number, { keys, drafts }: BystanderOptions): Call {
  const headers = { 'x-pp-api': keys[n % keys.length] ?? '', 'content-type': 'application/json' }
  // The key changes with each request, and the kind after each round of keys.
  switch (Math.floor(n / keys.length) % 3) {
    case 0: {
      const isRight = (text: string): boolean => text.includes('"productId"')
      return { path: '/partners-api/v1/rates', method: 'POST', headers, body: RATES_REST, isRight }
    }
    case 1: {
      const isRight = (text: string): boolean => text.includes('"price"') && !text.includes('"errors"')
      return { path: '/graphql', method: 'POST', headers, body: RATES_GRAPHQL, isRight }
    }
    default: {
      const path = `/partners-api/v1/shipments/${drafts[n % drafts.length]}/cancel`
      return { path, method: 'POST', headers, isRight: (text) => text.includes('"cancelled":true') }
    }
  }
}

type Watching = { finish(): Promise<Sightings> }

let sent = 0

function watch(options: BystanderOptions): Watching {
  const partner: Tally = { times: [], failures: {} }
  const health: Tally = { times: [], failures: {} }
  const pending = new Set<Promise<void>>()
  const startedAt = performance.now()
  const delays: number[] = []
  let lastTickAt = startedAt
  let polls = 0
  let asked = 0
  const start = (call: Call, tally: Tally, isFresh: boolean): void => {
    const running = ask(options, call, tally, isFresh).finally(() => pending.delete(running))
    pending.add(running)
  }
  const ticking = setInterval(() => {
    const now = performance.now()
    delays.push(now - lastTickAt - TICK_MS)
    lastTickAt = now
    for (; asked < ((now - startedAt) / 1000) * options.perSecond; asked++) {
      // Every fourth request uses a new connection.
      start(callOf(sent, options), partner, sent % 4 === 3)
      sent += 1
    }
    for (; polls < (now - startedAt) / HEALTH_EVERY_MS; polls++) {
      start({ path: '/healthz', method: 'GET', isRight: (text) => text !== '' }, health, false)
      start({ path: '/readyz', method: 'GET', isRight: (text) => text !== '' }, health, false)
    }
  }, TICK_MS)
  return {
    async finish() {
      clearInterval(ticking)
      await Promise.all(pending)
      return {
        requests: partner.times.length,
        p50Ms: quantile(partner.times, 0.5),
        p99Ms: quantile(partner.times, 0.99),
        maxMs: quantile(partner.times, 1),
        failures: partner.failures,
        healthPolls: health.times.length,
        healthMaxMs: quantile(health.times, 1),
        healthFailures: health.failures,
        ownDelayP99Ms: quantile(delays, 0.99),
      }
    },
  }
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  const at = Math.max(0, Math.ceil(share * sorted.length) - 1)
  return Math.round((sorted[at] ?? 0) * 10) / 10
}

let watching: Watching | undefined
process.on('message', (command: BystanderCommand) => {
  if (command.kind === 'begin') watching = watch(command)
  else void watching?.finish().then((sightings) => process.send?.(sightings))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
