/**
 * Reads and validates the environment variables. No other file reads them. All invalid values and unknown `WAYBILL_`
 * names are reported together. See docs/configuration.md.
 */
import { cleanEnv } from 'envalid'
import { type SecretFile, secretFilesOf, withSecretFiles } from './secret-files.ts'
import {
  contradictions,
  type Environment,
  isProduction,
  type LogLevel,
  settingsOf,
  situationOf,
} from './settings.ts'
import { databaseUrlOf, withoutPassword, withoutUser } from './urls.ts'

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
  /** Where replicas share the limits of callers. Undefined: each service has its own. */
  readonly sharedLimits: SharedLimitsSetting | undefined
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
  /** Files with connectors; their code runs in this process. See docs/connectors.md. */
  readonly connectorFiles: readonly string[]
  /** Whether production accepts test hosts of carriers, and carriers without TLS. */
  readonly allowTestCarriers: boolean
  /** The proxy for requests to carriers over https. */
  readonly carrierProxy: ProxySetting | undefined
  /** How often a booked parcel is looked up at its carrier; 0 means never. */
  readonly trackMinutes: number
  /** How often a parcel in transit is looked up until it is delivered; 0 means never. */
  readonly trackDeliveryHours: number
  /** For how many days a parcel is looked up after its booking, and after its first scan. */
  readonly trackDays: number
  /** Personal data of shipments is erased this many days after their last change; 0 means never. */
  readonly eraseDays: number
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
  /** Undefined: traces are not exported. See docs/operations.md#traces. */
  readonly traces: TracesSetting | undefined
  /** Undefined: no metrics. See docs/metrics.md. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** A classifier module to use before the built-in classifier. */
  readonly classifier: ClassifierSetting | undefined
  /** A language model that `waybill classify` asks. */
  readonly classifierModel: ClassifierModelSetting | undefined
  /** The files from which secrets were read. */
  readonly secretFiles: readonly SecretFile[]
}

/** The service's database, or the URL of a Valkey or Redis server, which may contain a password. */
export type SharedLimitsSetting =
  | { readonly kind: 'postgres' }
  /** `ca`: certificates in PEM that are trusted instead of those of Node.js. */
  | { readonly kind: 'redis'; readonly url: string; readonly ca?: string }

export type ProxySetting = {
  /** May contain credentials. */
  readonly url: string
  /** Hosts that are called directly, in the format of `NO_PROXY`. */
  readonly exceptHosts: string
}

export type TracesSetting = {
  /** Of requests to the collector. May contain its key. */
  readonly headers: Readonly<Record<string, string>>
}

export type ClassifierSetting = {
  readonly path: string
  /** For all descriptions of one request. */
  readonly timeoutMs: number
}

export type ClassifierModelSetting = {
  /** The base of the endpoint, without `/chat/completions`. */
  readonly url: string
  readonly model: string
  readonly key: string | undefined
  readonly requestsPerDay: number
  /** Rows with a lower confidence, in percent, are asked about. */
  readonly belowPercent: number
}

export type TrustedDocumentsSetting = {
  readonly path: string
  /** Whether all other documents are refused. */
  readonly isExclusive: boolean
}

/** The message lists every fault, one per line. */
export class ConfigError extends Error {}

const MEGABYTE = 1_000_000
/** Throws ConfigError. `environment` is that of the process, except in tests. */
export function readConfig(environment: Environment = process.env): Config {
  return { production: isProduction(environment), ...configOf(readSettings(environment)) }
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
    sharedLimits: sharedLimitsOf(env),
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
    classifierModel: classifierModelOf(env),
    secretFiles: secretFilesOf(env),
  }
}

/** The SDK reads the other variables of OpenTelemetry itself. */
function tracesOf(env: Settings): TracesSetting | undefined {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT
  const isDisabled = env.OTEL_SDK_DISABLED.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none'
  if (endpoint === undefined || isDisabled) return undefined
  return { headers: { ...env.OTEL_EXPORTER_OTLP_HEADERS, ...env.OTEL_EXPORTER_OTLP_TRACES_HEADERS } }
}

function sharedLimitsOf(env: Settings): SharedLimitsSetting | undefined {
  const { WAYBILL_SHARED_LIMITS: setting, WAYBILL_SHARED_LIMITS_CA: ca } = env
  if (setting === undefined) return undefined
  if (setting === 'postgres') return { kind: 'postgres' }
  return { kind: 'redis', url: setting, ...(ca !== undefined && { ca }) }
}

function classifierModelOf(env: Settings): ClassifierModelSetting | undefined {
  const { WAYBILL_CLASSIFIER_URL: url, WAYBILL_CLASSIFIER_MODEL: model } = env
  if (url === undefined || model === undefined) return undefined
  return {
    url,
    model,
    key: env.WAYBILL_CLASSIFIER_KEY,
    requestsPerDay: env.WAYBILL_CLASSIFIER_PER_DAY,
    belowPercent: env.WAYBILL_CLASSIFIER_BELOW_PERCENT,
  }
}

function carrierConfigOf(env: Settings) {
  return {
    sandboxUrl: env.WAYBILL_SANDBOX_URL,
    carriersFile: env.WAYBILL_CARRIERS,
    connectorFiles: env.WAYBILL_CONNECTORS,
    allowTestCarriers: env.WAYBILL_ALLOW_TEST_CARRIERS,
    carrierProxy:
      env.HTTPS_PROXY === undefined ? undefined : { url: env.HTTPS_PROXY, exceptHosts: env.NO_PROXY },
    trackMinutes: env.WAYBILL_TRACK_MINUTES,
    trackDeliveryHours: env.WAYBILL_TRACK_DELIVERY_HOURS,
    trackDays: env.WAYBILL_TRACK_DAYS,
    eraseDays: env.WAYBILL_ERASE_DAYS,
    carrierTest: env.WAYBILL_CARRIER_TEST,
    carrierCallDays: env.WAYBILL_CARRIER_CALL_DAYS,
  }
}

/** The configuration for the log, without secrets. */
export function describeConfig(config: Config): Record<string, unknown> {
  const { databaseUrl, tokenSecrets, carrierProxy, classifierModel, sharedLimits, traces, ...others } = config
  return {
    ...others,
    traces: traces !== undefined,
    tokenSecrets: tokenSecrets.length === 0 ? 'database' : '***',
    ...(classifierModel !== undefined && {
      classifierModel: { ...classifierModel, key: classifierModel.key && '***' },
    }),
    ...(sharedLimits !== undefined && {
      sharedLimits: sharedLimits.kind === 'redis' ? withoutUser(sharedLimits.url) : sharedLimits.kind,
    }),
    ...(carrierProxy !== undefined && {
      carrierProxy: { ...carrierProxy, url: withoutUser(carrierProxy.url) },
    }),
    database: databaseUrl === undefined ? 'embedded' : withoutPassword(databaseUrl),
  }
}
