/** The process of the bystanders; see bystander.ts. It ends with the campaign. */
import { Agent, request as httpRequest } from 'node:http'
import type { BystanderCommand, BystanderOptions, Sightings } from './bystander.ts'

const TIMEOUT_MS = 10_000
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

/** Sends one request, measures its time and checks the answer. Never rejects. */
function ask(port: number, call: Call, tally: Tally, isFresh: boolean): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const { path, method, headers, body } = call
    let isOver = false
    const over = (failure?: string): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      tally.times.push(performance.now() - startedAt)
      if (failure !== undefined) tally.failures[failure] = (tally.failures[failure] ?? 0) + 1
      resolve()
    }
    const request = httpRequest({
      ...{ host: '127.0.0.1', port, path, method, agent: isFresh ? false : agent },
      headers: { ...headers, ...(method === 'POST' && { 'content-length': Buffer.byteLength(body ?? '') }) },
    })
    const timer = setTimeout(() => request.destroy(new Error('no answer')), TIMEOUT_MS)
    request.on('error', (error: Error & { code?: string }) => over(error.code ?? error.message))
    request.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', (error: Error & { code?: string }) => over(error.code ?? error.message))
      response.on('end', () => {
        if (response.statusCode !== 200) over(`status ${response.statusCode}`)
        else over(call.isRight(text) ? undefined : 'another answer than expected')
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
    const running = ask(options.port, call, tally, isFresh).finally(() => pending.delete(running))
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
