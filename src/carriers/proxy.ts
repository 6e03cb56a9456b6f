/**
 * Connections to carriers through an HTTP proxy (HTTPS_PROXY, NO_PROXY). Each connection is a tunnel (CONNECT), and is
 * encrypted for the carrier. So a reply never comes from the proxy, and a proxy that refuses the tunnel, or does not
 * answer, has not received the request: it counts as a connection that could not be opened.
 * See docs/decisions/shipments.md#d328.
 */
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { buildConnector } from 'undici'

export type CarrierProxy = {
  /** May contain a user and a password. */
  readonly url: string
  /** Hosts that are called directly, in the format of NO_PROXY. */
  readonly exceptHosts: string
}

/** The tunnel and the handshake with the carrier each have this time, together less than the time limit of a call. */
const STEP_LIMIT_MS = 3_000

/** https goes through the proxy, unless the host is excepted; all others directly, within `limitMs`. */
export function proxyConnector(proxy: CarrierProxy, limitMs: number): buildConnector.connector {
  const direct = buildConnector({ timeout: limitMs })
  const secure = buildConnector({ timeout: Math.min(limitMs, STEP_LIMIT_MS) })
  return (options, callback) => {
    const { protocol, hostname } = options
    const port = options.port === '' ? '443' : options.port
    if (protocol !== 'https:' || isExcepted(hostname, port, proxy.exceptHosts))
      return direct(options, callback)
    openTunnel(new URL(proxy.url), `${hostname}:${port}`, Math.min(limitMs, STEP_LIMIT_MS))
      .then((httpSocket) => void secure({ ...options, httpSocket }, callback))
      .catch((error: Error) => callback(error, null))
  }
}

/** The socket of a tunnel to `target`, a host with its port. */
function openTunnel(proxy: URL, target: string, limitMs: number): Promise<Socket> {
  const { protocol, username, password } = proxy
  const credentials = [username, password].map(decodeURIComponent).join(':')
  return new Promise((resolve, reject) => {
    const request = (protocol === 'https:' ? httpsRequest : httpRequest)(proxy, {
      method: 'CONNECT',
      path: target,
      agent: false,
      headers: {
        host: target,
        ...(username !== '' && {
          'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
        }),
      },
    })
    const timer = setTimeout(
      () => request.destroy(new Error(`the proxy did not answer within ${limitMs} ms`)),
      limitMs,
    )
    request.once('close', () => clearTimeout(timer))
    request.once('error', reject)
    request.once('connect', ({ statusCode }, socket, head) => {
      clearTimeout(timer)
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head)
        resolve(socket)
        return
      }
      socket.on('error', () => {}).destroy()
      reject(new Error(`the proxy refused the connection (status ${statusCode})`))
    })
    request.end()
  })
}

/** Loopback is never behind a proxy. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]', '::1']

/** An entry of NO_PROXY is `*`, a domain with its subdomains, or an IP address; it may have a port. */
function isExcepted(hostname: string, port: string, exceptHosts: string): boolean {
  const host = hostname.toLowerCase()
  return [...LOOPBACK, ...exceptHosts.toLowerCase().split(/[,\s]/)].some((entry) => {
    const [, domain = entry, entryPort = port] = /^(.*[^:]):(\d+)$/.exec(entry) ?? []
    const name = domain.replace(/^\*?\./, '')
    return (
      entry === '*' || (entryPort === port && name !== '' && (host === name || host.endsWith(`.${name}`)))
    )
  })
}
