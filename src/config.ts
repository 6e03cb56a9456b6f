/**
 * Reads and validates the environment variables. No other file reads them. All invalid values and unknown `WAYBILL_`
 * names are reported together. See docs/configuration.md.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { bool, cleanEnv, makeValidator, str } from 'envalid'

export type Config = {
  readonly production: boolean
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** Complete, with the parts from PGHOST and others. Undefined: the embedded PostgreSQL server in `dataDir`. */
  readonly databaseUrl: string | undefined
  readonly dataDir: string
  readonly logLevel: LogLevel
  /** One in this many successful requests is logged. */
  readonly logSampleEvery: number
  /** The file of the journal. Undefined: standard output. See store/journal-file.ts. */
  readonly journalFile: string | undefined
  /**
   * Whether demo data is loaded and demo keys are accepted; never in production. See docs/decisions/security.md#d93.
   */
  readonly demoData: boolean
  /** Off by default in production, and in services that may be production services (`looksPublic`). */
  readonly playground: boolean
  /** Same default as `playground`. */
  readonly introspection: boolean
  /** Whether the documentation is served at /docs. Same default as `playground`. */
  readonly docs: boolean
  /** Whether REST responses may be compressed. */
  readonly restCompression: boolean
  /** Undefined: every GraphQL document is accepted, and none has an id. */
  readonly trustedDocuments: TrustedDocumentsSetting | undefined
  /** Whether repeated GraphQL queries are executed with compiled functions. */
  readonly compiledQueries: boolean
  /** Requests per API key. */
  readonly rateLimitPerMinute: number
  /** Points per API key. See operations/points.ts. */
  readonly pointsPerMinute: number
  /** Refused credentials per address and key. */
  readonly authFailuresPerMinute: number
  /** Maximum of concurrent requests. Further requests get 503. */
  readonly maxInFlight: number
  /** See `OverloadLimits.overloadWaitMs`. */
  readonly overloadWaitMs: number
  /** The maximum number of connections that the system has opened and the service has not yet accepted. */
  readonly listenBacklog: number
  /** How long new requests are still accepted after SIGTERM, while `/readyz` returns 503. */
  readonly lameDuckMs: number
  /** Addresses or ranges of proxies whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** Origins of web pages that may read responses, besides those of publishable keys. */
  readonly corsOrigins: readonly string[]
  /** Whether `databaseUrl` leads to a transaction pooler. */
  readonly transactionPooler: boolean
  /** False for a transaction pooler that does not support prepared statements, such as PgBouncer before 1.21. */
  readonly namedStatements: boolean
  /** How long a start waits for a database that is unavailable. */
  readonly databaseWaitSeconds: number
  /** How often the database is polled for changed reference data. */
  readonly rateBookPollMs: number
  /** How far back prices are kept in memory. */
  readonly rateHistoryDays: number
  /** Whether changes are also received with LISTEN, which does not work through a transaction pooler. */
  readonly listen: boolean
  /** The URL of a separate sandbox carrier process. Undefined: it runs in this process. */
  readonly sandboxUrl: string | undefined
  /** Path of the carrier settings file. Undefined: only the sandbox carrier is available. */
  readonly carriersFile: string | undefined
  /** Whether production accepts test hosts of carriers, and carriers without TLS. */
  readonly allowTestCarriers: boolean
  /** The proxy for requests to carriers over https. */
  readonly carrierProxy: ProxySetting | undefined
  /** How often a booked parcel is looked up at its carrier; 0 means never. */
  readonly trackMinutes: number
  /** Whether credentials of carriers are tested at start and after each reload of the settings file. */
  readonly carrierTest: boolean
  /** For how many days records of calls to carriers are kept. */
  readonly carrierCallDays: number
  /** See DraftTerms in core/shipments/draft-terms.ts. */
  readonly draftTerms: {
    readonly priceDays: number
    readonly keptDays: number
    readonly countMax: number
    readonly bytesMax: number
  }
  /** See EstimateTerms in core/customs/kept-estimate.ts. */
  readonly estimateTerms: {
    readonly keptDays: number
    readonly countMax: number
    readonly bytesMax: number
  }
  /** How long the price of an option token holds. */
  readonly optionTokenMinutes: number
  /** The first one signs option tokens, and all are valid. Empty: the secrets in the database. */
  readonly tokenSecrets: readonly string[]
  /** For how many days events are kept. */
  readonly eventDays: number
  /** Open event streams of an API key, in each process. */
  readonly eventStreamsPerKey: number
  /** Open event streams. Further ones get 503. */
  readonly eventStreams: number
  /** Whether webhooks may use http and private addresses. */
  readonly webhookPrivate: boolean
  /** Processes that serve requests. With more than one, a primary process starts them. */
  readonly workers: number
  /** Whether traces are exported. See docs/operations.md#traces. */
  readonly traces: boolean
  /** Undefined: no metrics. See docs/metrics.md. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** A classifier module to use before the built-in classifier. */
  readonly classifier: ClassifierSetting | undefined
  /** The files from which secrets were read. */
  readonly secretFiles: readonly SecretFile[]
}

export type SecretFile = { readonly setting: string; readonly path: string }

export type ProxySetting = {
  /** May contain credentials. */
  readonly url: string
  /** Hosts that are called directly, in the format of `NO_PROXY`. */
  readonly exceptHosts: string
}

export type ClassifierSetting = {
  readonly path: string
  /** For all descriptions of one request. */
  readonly timeoutMs: number
}

export type TrustedDocumentsSetting = {
  readonly path: string
  /** Whether all other documents are refused. */
  readonly isExclusive: boolean
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

const integer = (min: number, max: number) =>
  makeValidator((text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) throw new Error(`expected a whole number from ${min} to ${max}`)
    return value
  })

/**
 * Refuses a URL whose password may have ended in another part of it, because that part would be printed: `p@ss/word`
 * makes `ss` the host. Messages contain nothing of the URL.
 */
const postgresUrl = makeValidator((text) => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (parsed === undefined || !['postgres:', 'postgresql:'].includes(parsed.protocol))
    throw new Error(`expected postgres://user:password@host:port/database${ENCODE_PASSWORD}`)
  const { username, password, pathname, search, hash } = parsed
  if (hash !== '' || `${pathname}${search}`.includes('@') || ![username, password].every(isPercentEncoded))
    throw new Error(`ambiguous${ENCODE_PASSWORD}`)
  return text
})

const ENCODE_PASSWORD =
  '; in the password, / @ : ? # % must be percent-encoded (%2F %40 %3A %3F %23 %25), or give the password as PGPASSWORD'

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const databaseName = makeValidator((text) => {
  if (/[?#]/.test(text)) throw new Error('expected a name without ? and #')
  return text
})

/** A host, or the folder of a Unix socket. */
const databaseHost = makeValidator((text) => {
  if (!text.startsWith('/') && isIP(text) === 0 && !HOST_NAME.test(text))
    throw new Error('expected a host name, an IP address or the folder of a socket')
  return text
})

const proxyUrl = makeValidator((text) => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = parsed !== undefined && parsed.search + parsed.hash === '' && parsed.pathname === '/'
  if (parsed === undefined || !isPlain || !['http:', 'https:'].includes(parsed.protocol))
    throw new Error('expected http://host:port or http://user:password@host:port')
  if (![parsed.username, parsed.password].every(isPercentEncoded))
    throw new Error('% in the user or password must be percent-encoded (%25)')
  return parsed.href
})

const httpUrl = makeValidator((text) => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const hasExtras = parsed && parsed.search + parsed.username + parsed.password !== ''
  if (parsed === undefined || hasExtras || !['http:', 'https:'].includes(parsed.protocol))
    throw new Error('expected http://host:port')
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
})

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,252})$/

const hostName = makeValidator((text) => {
  if (isIP(text) === 0 && !/^[A-Za-z0-9]([A-Za-z0-9.-]{0,252})$/.test(text))
    throw new Error('expected a host name or an IP address')
  return text
})

/** At least 32 characters, which is 128 bits even if they are hexadecimal digits. */
const secrets = makeValidator((text) => {
  const given = text.split(',').map((part) => part.trim())
  if (given.length > 2 || given.some((secret) => secret.length < 32))
    throw new Error('expected one secret, or two separated by a comma, each of at least 32 characters')
  return given
})

const addresses = makeValidator((text) =>
  text.split(',').map((part) => {
    const address = part.trim()
    const [, ip = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(address) ?? []
    const longest = { 4: 32, 6: 128 }[isIP(ip)]
    if (longest === undefined || Number(bits) > longest)
      throw new Error('expected IP addresses or ranges such as 10.0.0.0/8, separated by commas')
    return address
  }),
)

const origins = makeValidator((text) =>
  text.split(',').map((part) => {
    const origin = part.trim()
    if (!/^https?:[^*]+$/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new Error('expected origins such as https://shop.example, separated by commas')
    return origin
  }),
)

/** The message lists every fault, one per line. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>

const MEGABYTE = 1_000_000
const DEFAULT_HOST = '127.0.0.1'

const isProduction = (environment: Environment): boolean => environment['NODE_ENV'] === 'production'

/** Whether the service uses an external database. */
const isExternal = ({ DATABASE_URL }: Environment): boolean => (DATABASE_URL ?? '') !== ''

/**
 * Whether a service without `NODE_ENV=production` may still be a production service: its database is external, and it
 * accepts connections from other machines.
 */
function looksPublic(environment: Environment): boolean {
  const host = environment['HOST'] || DEFAULT_HOST
  const isLoopback = host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
  return isExternal(environment) && !isLoopback
}

/** What the defaults of settings depend on. */
function situationOf(environment: Environment) {
  const production = isProduction(environment)
  return {
    production,
    external: isExternal(environment),
    open: !production && !looksPublic(environment),
    hasPooler: environment['WAYBILL_POOLER'] === 'transaction',
  }
}

function settingsOf({ production, external, open, hasPooler }: ReturnType<typeof situationOf>) {
  return {
    NODE_ENV: str({ choices: ['development', 'test', 'production'], default: 'development' }),
    HOST: hostName({ default: DEFAULT_HOST }),
    PORT: integer(0, 65_535)({ default: 4000 }),
    DATABASE_URL: postgresUrl({ default: undefined }),
    DATABASE_URL_FILE: str({ default: undefined }),
    PGHOST: databaseHost({ default: undefined }),
    PGPORT: integer(1, 65_535)({ default: undefined }),
    PGUSER: str({ default: undefined }),
    PGPASSWORD: str({ default: undefined }),
    PGPASSWORD_FILE: str({ default: undefined }),
    PGDATABASE: databaseName({ default: undefined }),
    DATA_DIR: str({ default: '.waybill' }),
    LOG_LEVEL: str({ choices: LOG_LEVELS, default: 'info' }),
    WAYBILL_LOG_SAMPLE_EVERY: integer(1, 1_000_000)({ default: 1 }),
    WAYBILL_JOURNAL: str({ default: undefined }),
    WAYBILL_DEMO_DATA: bool({ default: !production && !external }),
    WAYBILL_PLAYGROUND: bool({ default: open }),
    WAYBILL_INTROSPECTION: bool({ default: open }),
    WAYBILL_DOCS: bool({ default: open }),
    WAYBILL_REST_COMPRESSION: bool({ default: false }),
    WAYBILL_TRUSTED_DOCUMENTS: str({ default: undefined }),
    WAYBILL_TRUSTED_DOCUMENTS_ONLY: bool({ default: false }),
    WAYBILL_COMPILED_QUERIES: bool({ default: true }),
    WAYBILL_RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000)({ default: 600 }),
    WAYBILL_POINTS_PER_MINUTE: integer(1_000, 100_000_000)({ default: 10_000 }),
    WAYBILL_AUTH_FAILURES_PER_MINUTE: integer(1, 1_000_000)({ default: 120 }),
    WAYBILL_MAX_IN_FLIGHT: integer(1, 100_000)({ default: 512 }),
    WAYBILL_OVERLOAD_WAIT_MS: integer(50, 60_000)({ default: 250 }),
    WAYBILL_LISTEN_BACKLOG: integer(1, 65_535)({ default: 4096 }),
    WAYBILL_LAME_DUCK_MS: integer(0, 60_000)({ default: production ? 2500 : 0 }),
    WAYBILL_TRUSTED_PROXIES: addresses({ default: [] }),
    WAYBILL_CORS_ORIGINS: origins({ default: [] }),
    WAYBILL_POOLER: str({ choices: ['none', 'transaction'], default: 'none' }),
    WAYBILL_NAMED_STATEMENTS: bool({ default: !hasPooler }),
    WAYBILL_DATABASE_WAIT_SECONDS: integer(0, 3_600)({ default: 60 }),
    WAYBILL_RATE_HISTORY_DAYS: integer(1, 36_500)({ default: 3650 }),
    WAYBILL_RATE_BOOK_POLL_MS: integer(100, 3_600_000)({ default: 2000 }),
    WAYBILL_LISTEN: bool({ default: !hasPooler }),
    WAYBILL_SANDBOX_URL: httpUrl({ default: undefined }),
    WAYBILL_CARRIERS: str({ default: undefined }),
    WAYBILL_ALLOW_TEST_CARRIERS: bool({ default: false }),
    HTTPS_PROXY: proxyUrl({ default: undefined }),
    HTTPS_PROXY_FILE: str({ default: undefined }),
    NO_PROXY: str({ default: '' }),
    WAYBILL_TRACK_MINUTES: integer(0, 10_080)({ default: 30 }),
    WAYBILL_CARRIER_TEST: bool({ default: true }),
    WAYBILL_CARRIER_CALL_DAYS: integer(1, 3_650)({ default: 30 }),
    WAYBILL_DRAFT_PRICE_DAYS: integer(1, 3_650)({ default: 14 }),
    WAYBILL_DRAFT_DAYS: integer(1, 3_650)({ default: 30 }),
    WAYBILL_DRAFTS_PER_ACCOUNT: integer(1, 10_000_000)({ default: 50_000 }),
    WAYBILL_DRAFT_MEGABYTES_PER_ACCOUNT: integer(1, 100_000)({ default: 250 }),
    WAYBILL_ESTIMATE_DAYS: integer(1, 3_650)({ default: 90 }),
    WAYBILL_ESTIMATES_PER_ACCOUNT: integer(1, 1_000_000)({ default: 100_000 }),
    WAYBILL_ESTIMATE_MEGABYTES_PER_ACCOUNT: integer(1, 100_000)({ default: 250 }),
    WAYBILL_OPTION_TOKEN_MINUTES: integer(1, 1_440)({ default: 30 }),
    WAYBILL_TOKEN_SECRET: secrets({ default: [] }),
    WAYBILL_TOKEN_SECRET_FILE: str({ default: undefined }),
    WAYBILL_EVENT_DAYS: integer(1, 3_650)({ default: 30 }),
    WAYBILL_EVENT_STREAMS_PER_KEY: integer(1, 100_000)({ default: 10 }),
    WAYBILL_EVENT_STREAMS: integer(1, 100_000)({ default: 1_000 }),
    WAYBILL_WEBHOOK_PRIVATE: bool({ default: false }),
    WAYBILL_WORKERS: integer(1, 64)({ default: 1 }),
    OTEL_EXPORTER_OTLP_ENDPOINT: str({ default: undefined }),
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: str({ default: undefined }),
    OTEL_SDK_DISABLED: str({ default: 'false' }),
    OTEL_TRACES_EXPORTER: str({ default: 'otlp' }),
    WAYBILL_METRICS_PORT: integer(0, 65_535)({ default: undefined }),
    WAYBILL_METRICS_HOST: hostName({ default: DEFAULT_HOST }),
    WAYBILL_CLASSIFIER: str({ default: undefined }),
    WAYBILL_CLASSIFIER_TIMEOUT_MS: integer(1, 60_000)({ default: 1000 }),
  }
}

type Values = {
  readonly NODE_ENV: string
  readonly WAYBILL_DEMO_DATA: boolean
  readonly WAYBILL_LISTEN: boolean
  readonly WAYBILL_POOLER: string
  readonly WAYBILL_TRUSTED_DOCUMENTS: string | undefined
  readonly WAYBILL_TRUSTED_DOCUMENTS_ONLY: boolean
}

/** Settings that are valid by themselves and exclude each other. */
function contradictions(env: Values, given: Environment): string[] {
  const faults: string[] = []
  if (env.NODE_ENV === 'production' && given['WAYBILL_DEMO_DATA'] !== undefined && env.WAYBILL_DEMO_DATA)
    faults.push('WAYBILL_DEMO_DATA: not allowed in production, because the demo secrets are public')
  if (env.WAYBILL_POOLER !== 'none' && !isExternal(given))
    faults.push('WAYBILL_POOLER: the embedded server has no pooler; set DATABASE_URL')
  if (env.WAYBILL_POOLER === 'transaction' && env.WAYBILL_LISTEN)
    faults.push('WAYBILL_LISTEN: a transaction pooler does not deliver notifications')
  if (env.WAYBILL_TRUSTED_DOCUMENTS_ONLY && env.WAYBILL_TRUSTED_DOCUMENTS === undefined)
    faults.push(
      'WAYBILL_TRUSTED_DOCUMENTS_ONLY: needs WAYBILL_TRUSTED_DOCUMENTS, the file with the documents',
    )
  return faults
}

/** Throws ConfigError. `environment` is that of the process, except in tests. */
export function readConfig(environment: Environment = process.env): Config {
  return { production: isProduction(environment), ...configOf(readSettings(environment)) }
}

/** The settings that can also be read from a file, whose path is in `<name>_FILE`. */
const SECRETS = ['DATABASE_URL', 'PGPASSWORD', 'HTTPS_PROXY', 'WAYBILL_TOKEN_SECRET'] as const

/** The environment with the contents of the files. Adds to `faults`. */
function withSecretFiles(given: Environment, faults: string[]): Environment {
  const contents: Record<string, string> = {}
  for (const name of SECRETS) {
    const path = given[`${name}_FILE`]
    if (path === undefined) continue
    if (given[name] !== undefined) faults.push(`${name}, ${name}_FILE: only one of them can be set`)
    try {
      const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
      if (text === '') faults.push(`${name}_FILE: the file ${path} is empty`)
      contents[name] = text
    } catch (error) {
      faults.push(`${name}_FILE: the file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
    }
  }
  return { ...given, ...contents }
}

/** Compose files pass unset variables as empty text. Other programs have proxies in lower case too. */
function givenIn(environment: Environment): Environment {
  const { https_proxy: HTTPS_PROXY, no_proxy: NO_PROXY, ...others } = environment
  const all = { ...others, ...(HTTPS_PROXY && { HTTPS_PROXY }), ...(NO_PROXY && { NO_PROXY }) }
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ''))
}

type Settings = ReturnType<typeof readSettings>

/** Throws ConfigError, which lists all faults. */
function readSettings(environment: Environment) {
  const faults: string[] = []
  const given = withSecretFiles(givenIn(environment), faults)
  const settings = settingsOf(situationOf(given))
  faults.push(
    ...Object.keys(environment)
      .filter((name) => name.startsWith('WAYBILL_') && !(name in settings))
      .map((name) => `${name}: unknown setting`),
  )
  const env = cleanEnv(given, settings, {
    reporter: ({ errors }) => {
      faults.push(...Object.entries(errors).map(([name, error]) => `${name}: ${error?.message}`))
    },
  })
  if (faults.length === 0) faults.push(...contradictions(env, given))
  if (faults.length > 0) throw new ConfigError(`Invalid configuration:\n  ${faults.join('\n  ')}`)
  return env
}

function configOf(env: Settings): Omit<Config, 'production'> {
  return {
    host: env.HOST,
    port: env.PORT,
    databaseUrl: databaseUrlOf(env),
    dataDir: env.DATA_DIR,
    logLevel: env.LOG_LEVEL,
    logSampleEvery: env.WAYBILL_LOG_SAMPLE_EVERY,
    journalFile: env.WAYBILL_JOURNAL,
    demoData: env.WAYBILL_DEMO_DATA,
    playground: env.WAYBILL_PLAYGROUND,
    introspection: env.WAYBILL_INTROSPECTION,
    docs: env.WAYBILL_DOCS,
    restCompression: env.WAYBILL_REST_COMPRESSION,
    trustedDocuments:
      env.WAYBILL_TRUSTED_DOCUMENTS === undefined
        ? undefined
        : { path: env.WAYBILL_TRUSTED_DOCUMENTS, isExclusive: env.WAYBILL_TRUSTED_DOCUMENTS_ONLY },
    compiledQueries: env.WAYBILL_COMPILED_QUERIES,
    rateLimitPerMinute: env.WAYBILL_RATE_LIMIT_PER_MINUTE,
    pointsPerMinute: env.WAYBILL_POINTS_PER_MINUTE,
    authFailuresPerMinute: env.WAYBILL_AUTH_FAILURES_PER_MINUTE,
    maxInFlight: env.WAYBILL_MAX_IN_FLIGHT,
    overloadWaitMs: env.WAYBILL_OVERLOAD_WAIT_MS,
    listenBacklog: env.WAYBILL_LISTEN_BACKLOG,
    lameDuckMs: env.WAYBILL_LAME_DUCK_MS,
    trustedProxies: env.WAYBILL_TRUSTED_PROXIES,
    corsOrigins: env.WAYBILL_CORS_ORIGINS,
    transactionPooler: env.WAYBILL_POOLER === 'transaction',
    namedStatements: env.WAYBILL_NAMED_STATEMENTS,
    databaseWaitSeconds: env.WAYBILL_DATABASE_WAIT_SECONDS,
    rateHistoryDays: env.WAYBILL_RATE_HISTORY_DAYS,
    rateBookPollMs: env.WAYBILL_RATE_BOOK_POLL_MS,
    listen: env.WAYBILL_LISTEN,
    ...carrierConfigOf(env),
    draftTerms: {
      priceDays: env.WAYBILL_DRAFT_PRICE_DAYS,
      keptDays: env.WAYBILL_DRAFT_DAYS,
      countMax: env.WAYBILL_DRAFTS_PER_ACCOUNT,
      bytesMax: env.WAYBILL_DRAFT_MEGABYTES_PER_ACCOUNT * MEGABYTE,
    },
    estimateTerms: {
      keptDays: env.WAYBILL_ESTIMATE_DAYS,
      countMax: env.WAYBILL_ESTIMATES_PER_ACCOUNT,
      bytesMax: env.WAYBILL_ESTIMATE_MEGABYTES_PER_ACCOUNT * MEGABYTE,
    },
    optionTokenMinutes: env.WAYBILL_OPTION_TOKEN_MINUTES,
    tokenSecrets: env.WAYBILL_TOKEN_SECRET,
    eventDays: env.WAYBILL_EVENT_DAYS,
    eventStreamsPerKey: env.WAYBILL_EVENT_STREAMS_PER_KEY,
    eventStreams: env.WAYBILL_EVENT_STREAMS,
    webhookPrivate: env.WAYBILL_WEBHOOK_PRIVATE,
    workers: env.WAYBILL_WORKERS,
    traces: tracesOf(env),
    metrics:
      env.WAYBILL_METRICS_PORT === undefined
        ? undefined
        : { host: env.WAYBILL_METRICS_HOST, port: env.WAYBILL_METRICS_PORT },
    classifier:
      env.WAYBILL_CLASSIFIER === undefined
        ? undefined
        : { path: env.WAYBILL_CLASSIFIER, timeoutMs: env.WAYBILL_CLASSIFIER_TIMEOUT_MS },
    secretFiles: secretFilesOf(env),
  }
}

/** The SDK reads all variables of OpenTelemetry itself. These decide whether it is loaded. */
function tracesOf(env: Settings): boolean {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT
  const isDisabled = env.OTEL_SDK_DISABLED.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none'
  return endpoint !== undefined && !isDisabled
}

function carrierConfigOf(env: Settings) {
  return {
    sandboxUrl: env.WAYBILL_SANDBOX_URL,
    carriersFile: env.WAYBILL_CARRIERS,
    allowTestCarriers: env.WAYBILL_ALLOW_TEST_CARRIERS,
    carrierProxy:
      env.HTTPS_PROXY === undefined ? undefined : { url: env.HTTPS_PROXY, exceptHosts: env.NO_PROXY },
    trackMinutes: env.WAYBILL_TRACK_MINUTES,
    carrierTest: env.WAYBILL_CARRIER_TEST,
    carrierCallDays: env.WAYBILL_CARRIER_CALL_DAYS,
  }
}

function secretFilesOf(env: Settings): SecretFile[] {
  return SECRETS.flatMap((name) => {
    const path = env[`${name}_FILE`]
    return path === undefined ? [] : { setting: `${name}_FILE`, path }
  })
}

/**
 * DATABASE_URL, with the parts that it leaves out from PGHOST and others: `postgres://` leaves out all. Without
 * DATABASE_URL, these variables have no effect: see docs/decisions/database.md#d327.
 */
function databaseUrlOf(env: Settings): string | undefined {
  if (env.DATABASE_URL === undefined) return undefined
  const url = new URL(env.DATABASE_URL)
  if (url.hostname === '') {
    const { PGHOST = 'localhost' } = env
    const isSocket = PGHOST.startsWith('/')
    // A URL without a host can have no port and no user.
    url.hostname = isSocket ? 'localhost' : isIP(PGHOST) === 6 ? `[${PGHOST}]` : PGHOST
    if (isSocket && !url.searchParams.has('host')) url.searchParams.set('host', PGHOST)
  }
  if (url.port === '' && env.PGPORT !== undefined) url.port = String(env.PGPORT)
  if (url.username === '' && env.PGUSER !== undefined) url.username = encodeURIComponent(env.PGUSER)
  if (url.password === '' && !url.searchParams.has('password') && env.PGPASSWORD !== undefined)
    url.password = encodeURIComponent(env.PGPASSWORD)
  // Not encodeURIComponent: pg decodes the name with decodeURI.
  if (/^\/?$/.test(url.pathname) && env.PGDATABASE !== undefined) url.pathname = encodeURI(env.PGDATABASE)
  return url.href
}

/** The configuration for the log, without secrets. */
export function describeConfig(config: Config): Record<string, unknown> {
  const { databaseUrl, tokenSecrets, carrierProxy, ...others } = config
  return {
    ...others,
    tokenSecrets: tokenSecrets.length === 0 ? 'database' : '***',
    ...(carrierProxy !== undefined && {
      carrierProxy: { ...carrierProxy, url: withoutPassword(carrierProxy.url) },
    }),
    database: databaseUrl === undefined ? 'embedded' : withoutPassword(databaseUrl),
  }
}

function withoutPassword(url: string): string {
  const masked = new URL(url)
  if (masked.password !== '') masked.password = '***'
  masked.search = ''
  return masked.href
}
