/**
 * The only reader of the environment. Every setting is checked at start; a bad value, or a `WAYBILL_` name
 * that does not exist, is refused by name, all at once.
 */
import { isIP } from 'node:net'
import { bool, cleanEnv, makeValidator, str } from 'envalid'

/** The settings in force. */
export type Config = {
  readonly production: boolean
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Absent: the embedded PostgreSQL server on `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  readonly logLevel: LogLevel
  /**
   * Accounts, shipments and rate book of the demo, and whether its public keys are accepted; never in production. On by
   * default with the embedded server only.
   */
  readonly demoData: boolean
  /** Off by default in production, and for a service that looks like production: see `looksPublic`. */
  readonly playground: boolean
  /** As `playground`. */
  readonly introspection: boolean
  /** Requests per API key. */
  readonly rateLimitPerMinute: number
  /** Points per API key; operations/points.ts says what costs how many. */
  readonly pointsPerMinute: number
  /** Failed credentials per address and key. */
  readonly authFailuresPerMinute: number
  /** Requests being answered at once; the rest get 503. */
  readonly maxInFlight: number
  /** How long the service keeps answering after SIGTERM while it already says "not ready". */
  readonly lameDuckMs: number
  /** Addresses of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  /** Off for a transaction pooler that cannot prepare statements (PgBouncer before 1.21). */
  readonly namedStatements: boolean
  /** How often the database is asked whether the rate book has changed, in milliseconds. */
  readonly rateBookPollMs: number
  /** How far back prices are kept in memory, in days. */
  readonly rateHistoryDays: number
  /** Whether changes are also listened for; a transaction pooler drops announcements. */
  readonly listen: boolean
  /** Where the sandbox carrier runs as a process of its own; absent: in this one. */
  readonly sandboxUrl: string | undefined
  /** The file with the settings of carriers; absent: only the sandbox can be asked. */
  readonly carriersFile: string | undefined
  /** How often a booked parcel is looked up at its carrier, in minutes; 0 is never. */
  readonly trackMinutes: number
  /** The module of a classifier to ask beside the shipped one; absent: the shipped one alone. */
  readonly classifier: ClassifierSetting | undefined
}

/** The path of a module, and how long it may take for the descriptions of one request. */
export type ClassifierSetting = { readonly path: string; readonly timeoutMs: number }

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** From quiet to talkative: `silent`, `fatal`, … `trace`. */
export type LogLevel = (typeof LOG_LEVELS)[number]

const integer = (min: number, max: number) =>
  makeValidator((text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) throw new Error(`expected a whole number from ${min} to ${max}`)
    return value
  })

const postgresUrl = makeValidator((text) => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (parsed === undefined || !['postgres:', 'postgresql:'].includes(parsed.protocol))
    throw new Error('expected postgres://user:password@host:port/database')
  return text
})

const httpUrl = makeValidator((text) => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const odd = parsed && parsed.search + parsed.username + parsed.password !== ''
  if (parsed === undefined || odd || !['http:', 'https:'].includes(parsed.protocol))
    throw new Error('expected http://host:port')
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
})

const hostName = makeValidator((text) => {
  if (isIP(text) === 0 && !/^[A-Za-z0-9]([A-Za-z0-9.-]{0,252})$/.test(text))
    throw new Error('expected a host name or an IP address')
  return text
})

const addresses = makeValidator((text) =>
  text.split(',').map((part) => {
    const address = part.trim()
    const [, ip = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(address) ?? []
    const longest = { 4: 32, 6: 128 }[isIP(ip)]
    if (longest === undefined || Number(bits) > longest)
      throw new Error('expected IP addresses or ranges such as 10.0.0.0/8, by commas')
    return address
  }),
)

/** Thrown when the environment does not hold together; the message lists every fault, one per line. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

const DEFAULT_HOST = '127.0.0.1'

const isProduction = (environment: Environment): boolean => environment['NODE_ENV'] === 'production'

/** An empty variable is a left-out one. */
const isExternal = ({ DATABASE_URL }: Environment): boolean => (DATABASE_URL ?? '') !== ''

/**
 * Whether a service without `NODE_ENV=production` may be a production service all the same: its database is external and
 * it accepts connections from other machines.
 */
function looksPublic(environment: Environment): boolean {
  const host = environment['HOST'] || DEFAULT_HOST
  const isLoopback = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  return isExternal(environment) && !isLoopback
}

/** Every variable there is, with what it may hold and what it is when left out. */
function settingsOf(environment: Environment) {
  const production = isProduction(environment)
  const open = !production && !looksPublic(environment)
  return {
    NODE_ENV: str({ choices: ['development', 'test', 'production'], default: 'development' }),
    HOST: hostName({ default: DEFAULT_HOST }),
    PORT: integer(0, 65_535)({ default: 4000 }),
    DATABASE_URL: postgresUrl({ default: undefined }),
    DATA_DIR: str({ default: '.waybill' }),
    LOG_LEVEL: str({ choices: LOG_LEVELS, default: 'info' }),
    WAYBILL_DEMO_DATA: bool({ default: !production && !isExternal(environment) }),
    WAYBILL_PLAYGROUND: bool({ default: open }),
    WAYBILL_INTROSPECTION: bool({ default: open }),
    WAYBILL_RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000)({ default: 600 }),
    WAYBILL_POINTS_PER_MINUTE: integer(1_000, 100_000_000)({ default: 10_000 }),
    WAYBILL_AUTH_FAILURES_PER_MINUTE: integer(1, 1_000_000)({ default: 120 }),
    WAYBILL_MAX_IN_FLIGHT: integer(1, 100_000)({ default: 512 }),
    WAYBILL_LAME_DUCK_MS: integer(0, 60_000)({ default: production ? 2500 : 0 }),
    WAYBILL_TRUSTED_PROXIES: addresses({ default: [] }),
    WAYBILL_NAMED_STATEMENTS: bool({ default: true }),
    WAYBILL_RATE_HISTORY_DAYS: integer(1, 36_500)({ default: 3650 }),
    WAYBILL_RATE_BOOK_POLL_MS: integer(100, 3_600_000)({ default: 2000 }),
    WAYBILL_LISTEN: bool({ default: true }),
    WAYBILL_SANDBOX_URL: httpUrl({ default: undefined }),
    WAYBILL_CARRIERS: str({ default: undefined }),
    WAYBILL_TRACK_MINUTES: integer(0, 10_080)({ default: 30 }),
    WAYBILL_CLASSIFIER: str({ default: undefined }),
    WAYBILL_CLASSIFIER_TIMEOUT_MS: integer(1, 60_000)({ default: 1000 }),
  }
}

/** The configuration an environment (default: the process's own) stands for. Throws ConfigError. */
export function readConfig(environment: Environment = process.env): Config {
  const production = isProduction(environment)
  const settings = settingsOf(environment)
  const faults = Object.keys(environment)
    .filter((name) => name.startsWith('WAYBILL_') && !(name in settings))
    .map((name) => `${name}: there is no such setting`)
  // An empty variable is a left-out one, as compose files write it.
  const given = Object.fromEntries(Object.entries(environment).filter(([, text]) => text !== ''))
  const env = cleanEnv(given, settings, {
    reporter: ({ errors }) => {
      faults.push(...Object.entries(errors).map(([name, error]) => `${name}: ${error?.message}`))
    },
  })
  if (
    production &&
    environment['WAYBILL_DEMO_DATA'] !== undefined &&
    faults.length === 0 &&
    env.WAYBILL_DEMO_DATA
  )
    faults.push('WAYBILL_DEMO_DATA: demo secrets are public, so production refuses them')
  if (faults.length > 0) throw new ConfigError(`The configuration was refused:\n  ${faults.join('\n  ')}`)
  return {
    production,
    host: env.HOST,
    port: env.PORT,
    databaseUrl: env.DATABASE_URL,
    dataDir: env.DATA_DIR,
    logLevel: env.LOG_LEVEL,
    demoData: env.WAYBILL_DEMO_DATA,
    playground: env.WAYBILL_PLAYGROUND,
    introspection: env.WAYBILL_INTROSPECTION,
    rateLimitPerMinute: env.WAYBILL_RATE_LIMIT_PER_MINUTE,
    pointsPerMinute: env.WAYBILL_POINTS_PER_MINUTE,
    authFailuresPerMinute: env.WAYBILL_AUTH_FAILURES_PER_MINUTE,
    maxInFlight: env.WAYBILL_MAX_IN_FLIGHT,
    lameDuckMs: env.WAYBILL_LAME_DUCK_MS,
    trustedProxies: env.WAYBILL_TRUSTED_PROXIES,
    namedStatements: env.WAYBILL_NAMED_STATEMENTS,
    rateHistoryDays: env.WAYBILL_RATE_HISTORY_DAYS,
    rateBookPollMs: env.WAYBILL_RATE_BOOK_POLL_MS,
    listen: env.WAYBILL_LISTEN,
    sandboxUrl: env.WAYBILL_SANDBOX_URL,
    carriersFile: env.WAYBILL_CARRIERS,
    trackMinutes: env.WAYBILL_TRACK_MINUTES,
    classifier:
      env.WAYBILL_CLASSIFIER === undefined
        ? undefined
        : { path: env.WAYBILL_CLASSIFIER, timeoutMs: env.WAYBILL_CLASSIFIER_TIMEOUT_MS },
  }
}

/** The configuration for a log: the password of the database masked. */
export function describeConfig(config: Config): Record<string, unknown> {
  const { databaseUrl, ...rest } = config
  if (databaseUrl === undefined) return { ...rest, database: 'embedded' }
  const masked = new URL(databaseUrl)
  if (masked.password !== '') masked.password = '***'
  masked.search = ''
  return { ...rest, database: masked.href }
}
