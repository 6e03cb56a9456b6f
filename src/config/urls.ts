/**
 * The URLs that may contain credentials: that of the database, with its parts from `PGHOST` and others, that of the
 * proxy for carriers, and that of the store of shared limits. Messages and logs contain no password.
 */
import { isIP } from 'node:net'
import { makeValidator } from 'envalid'

/**
 * Refuses a URL whose password may have ended in another part of it, because that part would be printed: `p@ss/word`
 * makes `ss` the host. Messages contain nothing of the URL.
 */
export const postgresUrl = makeValidator((text) => {
  if (namesSeveralHosts(text))
    throw new Error(
      'names several hosts; give one address that leads to the primary (docs/high-availability.md)',
    )
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (parsed === undefined || !['postgres:', 'postgresql:'].includes(parsed.protocol))
    throw new Error(`expected postgres://user:password@host:port/database${ENCODE_PASSWORD}`)
  const { username, password, pathname, search, hash } = parsed
  if (hash !== '' || `${pathname}${search}`.includes('@') || ![username, password].every(isPercentEncoded))
    throw new Error(`ambiguous${ENCODE_PASSWORD}`)
  return text
})

/** As libpq accepts them, but `pg` does not. False if a part of the hosts may be the end of a password. */
function namesSeveralHosts(text: string): boolean {
  const [, rest] = /^postgres(?:ql)?:\/\/(.*)$/s.exec(text) ?? []
  if (rest === undefined) return false
  const at = rest.lastIndexOf('@')
  const [hosts = ''] = rest.slice(at + 1).split(/[/?]/, 1)
  if (!hosts.includes(',') || /[@/]/.test(rest.slice(0, Math.max(at, 0)))) return false
  return hosts.split(',').every((host) => /^[^:]+(?::\d+)?$/.test(host))
}

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

export const databaseName = makeValidator((text) => {
  if (/[?#]/.test(text)) throw new Error('expected a name without ? and #')
  return text
})

/** A host, or the folder of a Unix socket. */
export const databaseHost = makeValidator((text) => {
  if (!text.startsWith('/') && isIP(text) === 0 && !HOST_NAME.test(text))
    throw new Error('expected a host name, an IP address or the folder of a socket')
  return text
})

const HOST_NAME = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,252})$/

export const proxyUrl = makeValidator((text) => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const isPlain = parsed !== undefined && parsed.search + parsed.hash === '' && parsed.pathname === '/'
  if (parsed === undefined || !isPlain || !['http:', 'https:'].includes(parsed.protocol))
    throw new Error('expected http://host:port or http://user:password@host:port')
  if (![parsed.username, parsed.password].every(isPercentEncoded))
    throw new Error('% in the user or password must be percent-encoded (%25)')
  return parsed.href
})

/** `postgres`, or the URL of a Valkey or Redis server. Messages contain nothing of the URL. */
export const sharedLimits = makeValidator((text) => {
  if (text === 'postgres') return text
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const isServer =
    parsed !== undefined && ['redis:', 'rediss:'].includes(parsed.protocol) && parsed.hostname !== ''
  if (!isServer || parsed.search + parsed.hash !== '' || !/^(\/\d{0,5})?$/.test(parsed.pathname))
    throw new Error('expected postgres, redis://host:port or rediss://user:password@host:port/database')
  if (![parsed.username, parsed.password].every(isPercentEncoded))
    throw new Error('% in the user or password must be percent-encoded (%25)')
  return text
})

/** The settings that name the database. */
type DatabaseSettings = {
  readonly DATABASE_URL: string | undefined
  readonly PGHOST: string | undefined
  readonly PGPORT: number | undefined
  readonly PGUSER: string | undefined
  readonly PGPASSWORD: string | undefined
  readonly PGDATABASE: string | undefined
}

/**
 * DATABASE_URL, with the parts that it leaves out from PGHOST and others: `postgres://` leaves out all. Without
 * DATABASE_URL, these variables have no effect: see docs/decisions/database.md#d327.
 */
export function databaseUrlOf(env: DatabaseSettings): string | undefined {
  if (env.DATABASE_URL === undefined) return undefined
  const url = new URL(env.DATABASE_URL)
  if (url.hostname === '') {
    const PGHOST = env.PGHOST ?? 'localhost'
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

/** The user of a proxy may be an access token. */
export function withoutUser(url: string): string {
  const masked = new URL(withoutPassword(url))
  if (masked.username !== '') masked.username = '***'
  return masked.href
}

export function withoutPassword(url: string): string {
  const masked = new URL(url)
  if (masked.password !== '') masked.password = '***'
  masked.search = ''
  return masked.href
}
