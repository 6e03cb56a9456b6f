/** Serves GET /metrics on a port of its own, without credentials. See docs/metrics.md. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type MetricsServer = {
  readonly port: number
  close(): Promise<void>
}

/** The text format of Prometheus, version 0.0.4. */
const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

/** Rejects if the port cannot be opened. A port of 0 selects a free one. */
export async function serveMetrics(
  { host, port }: { readonly host: string; readonly port: number },
  read: () => Promise<string>,
  onFault: (error: unknown) => void,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isKnown = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')
    if (!isKnown) return void response.writeHead(404).end()
    read().then(
      (text) => response.writeHead(200, { 'content-type': TYPE, 'cache-control': 'no-store' }).end(text),
      (error) => {
        onFault(error)
        response.writeHead(503).end()
      },
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
