/**
 * Counts what replicas have spent, on a Valkey or Redis server. Each name has a hash with one field for each slot. The
 * hash expires when none of its slots counts any more. This file is loaded only if `WAYBILL_SHARED_LIMITS` is a URL.
 * See docs/limits.md#shared-limits.
 */
import { isIP } from 'node:net'
import { ClientOfflineError, createClient } from '@redis/client'
import {
  SPENDING_SLOT_SECONDS,
  SPENDING_SLOTS,
  type SpendingStore,
  type SpentUnits,
} from '../../operations/ports/spending.ts'
import { withTimeout } from '../../operations/ports/work.ts'

/** All keys have the same hash tag, because one script uses them together. */
const PREFIX = '{waybill-limits}:'

/** How long a start waits for the first connection. The service starts without it, too. */
const FIRST_CONNECTION_MS = 500
const CONNECT_LIMIT_MS = 2_000
const RECONNECT_MS = 500
/** A connection without an answer for this long is replaced: its server may be gone without a word. */
const DEAD_AFTER_MS = 3_000
const COMMANDS_MAX = 20

/**
 * ARGV: the length of a slot in seconds, the number of slots that count, and units for each key. Returns for each key
 * the ages of its slots in milliseconds, each followed by its units. TIME is the same for all keys of a call.
 */
const EXCHANGE = `
local time = redis.call('TIME')
local length, slots = tonumber(ARGV[1]), tonumber(ARGV[2])
local milliseconds = time[1] * 1000 + math.floor(time[2] / 1000)
local current = math.floor(time[1] / length)
local reply = {}
for i, key in ipairs(KEYS) do
  if ARGV[i + 2] ~= '0' then
    redis.call('HINCRBY', key, string.format('%d', current), ARGV[i + 2])
    redis.call('EXPIRE', key, (slots + 1) * length)
  end
  local known = {}
  local fields = redis.call('HGETALL', key)
  for j = 1, #fields, 2 do
    local slot = tonumber(fields[j])
    -- A slot of the future is left from a server whose clock was ahead.
    if slot <= current - slots or slot > current then
      redis.call('HDEL', key, fields[j])
    else
      known[#known + 1] = math.max(0, milliseconds - (slot + 1) * length * 1000)
      known[#known + 1] = tonumber(fields[j + 1])
    end
  end
  reply[i] = known
end
return reply`

export type SpendingServer = {
  /** redis:// or, with TLS, rediss://. May have a password and the number of a database. */
  readonly url: string
  /** Certificates in PEM that are trusted instead of those of Node.js. For rediss:// only. */
  readonly ca?: string
}

export async function redisSpending(
  server: SpendingServer,
  now: () => number = () => performance.now(),
): Promise<SpendingStore> {
  let connection = await connected(server, FIRST_CONNECTION_MS)
  /** When the oldest command without an answer was sent. */
  let unansweredSince: number | undefined
  let isClosed = false

  const replaceDead = async (): Promise<void> => {
    if (unansweredSince === undefined || now() - unansweredSince < DEAD_AFTER_MS) return
    unansweredSince = undefined
    connection.client.destroy()
    connection = await connected(server, FIRST_CONNECTION_MS)
    if (isClosed) connection.client.destroy()
  }
  return {
    async exchange(spendings) {
      await replaceDead()
      unansweredSince ??= now()
      try {
        const command = exchangeOf(spendings)
        const reply = await connection.client.sendCommand<readonly (readonly number[])[]>(command)
        return new Map(spendings.map(({ name }, nth) => [name, pairsIn(reply[nth] ?? [])]))
      } catch (error) {
        throw error instanceof ClientOfflineError ? (connection.lastError ?? error) : error
      } finally {
        unansweredSince = undefined
      }
    },
    async close() {
      isClosed = true
      connection.client.destroy()
    },
  }
}

function pairsIn(numbers: readonly number[]): SpentUnits[] {
  const pairs: SpentUnits[] = []
  for (let index = 0; index < numbers.length; index += 2)
    pairs.push({ ageMs: numbers[index] ?? 0, units: numbers[index + 1] ?? 0 })
  return pairs
}

function exchangeOf(spendings: Parameters<SpendingStore['exchange']>[0]): string[] {
  const keys = spendings.map(({ name }) => `${PREFIX}${name}`)
  const units = spendings.map((spending) => String(spending.units))
  return [
    ...['EVAL', EXCHANGE, String(keys.length), ...keys],
    ...[String(SPENDING_SLOT_SECONDS), String(SPENDING_SLOTS), ...units],
  ]
}

/**
 * Connects once and runs the script of an exchange, without changing anything. Throws the reason why the server cannot
 * be used, such as an untrusted certificate, a wrong password or a missing permission.
 */
export async function tryRedis(server: SpendingServer): Promise<void> {
  const client = clientOf(server, false)
  client.on('error', () => {})
  try {
    await withTimeout<unknown>(client.connect(), CONNECT_LIMIT_MS, () => {
      throw new Error('no answer')
    })
    const answer = client.sendCommand(exchangeOf([{ name: 'doctor', units: 0 }]))
    await withTimeout<unknown>(answer, CONNECT_LIMIT_MS, () => {
      throw new Error('no answer')
    })
  } finally {
    if (client.isOpen) client.destroy()
  }
}

function clientOf({ url, ca }: SpendingServer, reconnectStrategy: number | false) {
  const { protocol, hostname } = new URL(url)
  // The name for the TLS handshake, which servers behind one address are found by. An address is no name.
  const name = isIP(hostname.replace(/[[\]]/g, '')) === 0 ? { servername: hostname } : {}
  return createClient({
    url,
    RESP: 2,
    maintNotifications: 'disabled',
    name: 'waybill',
    disableOfflineQueue: true,
    commandsQueueMaxLength: COMMANDS_MAX,
    socket: {
      connectTimeout: CONNECT_LIMIT_MS,
      reconnectStrategy,
      ...(protocol === 'rediss:' && { tls: true, ...name, ...(ca !== undefined && { ca }) }),
    },
  })
}

/**
 * A client that connects again by itself. Commands fail while it is not connected; `lastError` says why the connection
 * failed or was lost.
 */
async function connected(server: SpendingServer, limitMs: number) {
  const connection = { client: clientOf(server, RECONNECT_MS), lastError: undefined as unknown }
  // Without a listener, an error would end the process.
  connection.client.on('error', (error) => {
    connection.lastError = error
  })
  const connecting = connection.client.connect().catch(() => {})
  await withTimeout<unknown>(connecting, limitMs, () => undefined)
  return connection
}
