/** A carrier that answers every call with 429, with 503, or not at all. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type CarrierFailure = 'quota' | 'outage' | 'silence'

export type FailingCarrier = {
  readonly baseUrl: string
  failWith(failure: CarrierFailure): void
  close(): Promise<void>
}

export async function startFailingCarrier(): Promise<FailingCarrier> {
  let failure: CarrierFailure = 'quota'
  const server = createServer((request, response) => {
    request.resume()
    switch (failure) {
      case 'quota':
        response
          .writeHead(429, { 'content-type': 'application/json' })
          .end('{"code":"QUOTA","message":"quota"}')
        break
      case 'outage':
        response
          .writeHead(503, { 'content-type': 'application/json' })
          .end('{"code":"DOWN","message":"down"}')
        break
      case 'silence':
        break
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    failWith(next) {
      failure = next
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
