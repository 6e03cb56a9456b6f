/** The list of settings: the name, the values and the default of each one, and which ones exclude each other. */
import { isIP } from 'node:net'
import { bool, str } from 'envalid'
import { databaseHost, databaseName, postgresUrl, proxyUrl, sharedLimits } from './urls.ts'
import {
  addresses,
  certificatesFile,
  headers,
  hostName,
  httpsOrLoopbackUrl,
  httpUrl,
  integer,
  origins,
  paths,
  secrets,
} from './validators.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

export type Environment = Readonly<Record<string, string | undefined>>

const DEFAULT_HOST = '127.0.0.1'

export const isProduction = (environment: Environment): boolean => environment['NODE_ENV'] === 'production'

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
export function situationOf(environment: Environment) {
  const production = isProduction(environment)
  return {
    production,
    external: isExternal(environment),
    open: !production && !looksPublic(environment),
    hasPooler: environment['WAYBILL_POOLER'] === 'transaction',
  }
}

/** See docs/hs-classification.md. */
const CLASSIFIER_SETTINGS = {
  WAYBILL_CLASSIFIER: str({ default: undefined }),
  WAYBILL_CLASSIFIER_TIMEOUT_MS: integer(1, 60_000)({ default: 1000 }),
  WAYBILL_CLASSIFIER_URL: httpsOrLoopbackUrl({ default: undefined }),
  WAYBILL_CLASSIFIER_MODEL: str({ default: undefined }),
  WAYBILL_CLASSIFIER_KEY: str({ default: undefined }),
  WAYBILL_CLASSIFIER_KEY_FILE: str({ default: undefined }),
  WAYBILL_CLASSIFIER_PER_DAY: integer(1, 1_000_000)({ default: 500 }),
  WAYBILL_CLASSIFIER_BELOW_PERCENT: integer(1, 100)({ default: 60 }),
}

/** See docs/carriers.md and docs/connectors.md. */
const CARRIER_FILES = {
  WAYBILL_CARRIERS: str({ default: undefined }),
  WAYBILL_CONNECTORS: paths({ default: [] }),
  WAYBILL_ALLOW_TEST_CARRIERS: bool({ default: false }),
}

/** See docs/limits.md. */
const LIMIT_SETTINGS = {
  WAYBILL_RATE_LIMIT_PER_MINUTE: integer(1, 1_000_000)({ default: 600 }),
  WAYBILL_POINTS_PER_MINUTE: integer(1_000, 100_000_000)({ default: 10_000 }),
  WAYBILL_SHARED_LIMITS: sharedLimits({ default: undefined }),
  WAYBILL_SHARED_LIMITS_FILE: str({ default: undefined }),
  WAYBILL_SHARED_LIMITS_CA: certificatesFile({ default: undefined }),
  WAYBILL_AUTH_FAILURES_PER_MINUTE: integer(1, 1_000_000)({ default: 120 }),
  WAYBILL_MAX_IN_FLIGHT: integer(1, 100_000)({ default: 512 }),
  WAYBILL_OVERLOAD_WAIT_MS: integer(50, 60_000)({ default: 250 }),
}

/** See docs/carriers.md#tracking-and-quotas. */
const TRACKING_SETTINGS = {
  WAYBILL_TRACK_MINUTES: integer(0, 10_080)({ default: 30 }),
  WAYBILL_TRACK_DELIVERY_HOURS: integer(0, 720)({ default: 24 }),
  WAYBILL_TRACK_DAYS: integer(1, 3_650)({ default: 90 }),
}

const TRACE_SETTINGS = {
  OTEL_EXPORTER_OTLP_ENDPOINT: str({ default: undefined }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: str({ default: undefined }),
  OTEL_EXPORTER_OTLP_HEADERS: headers({ default: {} }),
  OTEL_EXPORTER_OTLP_HEADERS_FILE: str({ default: undefined }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers({ default: {} }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS_FILE: str({ default: undefined }),
  OTEL_SDK_DISABLED: str({ default: 'false' }),
  OTEL_TRACES_EXPORTER: str({ default: 'otlp' }),
}

export function settingsOf({ production, external, open, hasPooler }: ReturnType<typeof situationOf>) {
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
    ...LIMIT_SETTINGS,
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
    ...CARRIER_FILES,
    HTTPS_PROXY: proxyUrl({ default: undefined }),
    HTTPS_PROXY_FILE: str({ default: undefined }),
    NO_PROXY: str({ default: '' }),
    ...TRACKING_SETTINGS,
    WAYBILL_CARRIER_TEST: bool({ default: true }),
    WAYBILL_CARRIER_CALL_DAYS: integer(1, 3_650)({ default: 30 }),
    WAYBILL_ERASE_DAYS: integer(0, 36_500)({ default: 0 }),
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
    WAYBILL_METRICS_PORT: integer(0, 65_535)({ default: undefined }),
    WAYBILL_METRICS_HOST: hostName({ default: DEFAULT_HOST }),
    ...CLASSIFIER_SETTINGS,
    ...TRACE_SETTINGS,
  }
}

type Values = {
  readonly NODE_ENV: string
  readonly WAYBILL_DEMO_DATA: boolean
  readonly WAYBILL_LISTEN: boolean
  readonly WAYBILL_POOLER: string
  readonly WAYBILL_SHARED_LIMITS: string | undefined
  readonly WAYBILL_SHARED_LIMITS_CA: string | undefined
  readonly WAYBILL_TRUSTED_DOCUMENTS: string | undefined
  readonly WAYBILL_TRUSTED_DOCUMENTS_ONLY: boolean
  readonly WAYBILL_CLASSIFIER_URL: string | undefined
  readonly WAYBILL_CLASSIFIER_MODEL: string | undefined
}

/** Settings that are valid by themselves and exclude each other. */
export function contradictions(env: Values, given: Environment): string[] {
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
  if (env.WAYBILL_SHARED_LIMITS_CA !== undefined && env.WAYBILL_SHARED_LIMITS?.startsWith('rediss:') !== true)
    faults.push('WAYBILL_SHARED_LIMITS_CA: needs a URL with rediss:// in WAYBILL_SHARED_LIMITS')
  if ((env.WAYBILL_CLASSIFIER_URL === undefined) !== (env.WAYBILL_CLASSIFIER_MODEL === undefined))
    faults.push('WAYBILL_CLASSIFIER_URL, WAYBILL_CLASSIFIER_MODEL: both or none of them must be set')
  return faults
}
