/** What production refuses in the URLs of carriers: test interfaces, and connections without TLS. */

/** Whether a URL leads to one of `testUrls`, which are hosts, or hosts with the beginning of a path. */
export function isTestUrl(url: string, testUrls?: readonly string[]): boolean {
  return testUrlOf(url, testUrls) !== undefined
}

function testUrlOf(url: string, testUrls: readonly string[] = []): string | undefined {
  const { hostname, pathname } = new URL(url)
  const address = `${hostname.replace(/\.$/, '')}${pathname}/`.toLowerCase()
  return testUrls.find((testUrl) => address.startsWith(`${testUrl.toLowerCase()}/`))
}

/** Why production refuses a URL; undefined if it does not. Loopback needs no TLS. */
export function productionFault(url: string, testUrls?: readonly string[]): string | undefined {
  const { protocol, hostname } = new URL(url)
  const testUrl = testUrlOf(url, testUrls)
  if (testUrl !== undefined) return `${testUrl} is a test interface of the carrier`
  return protocol === 'https:' || isLoopback(hostname)
    ? undefined
    : 'http would send the credentials unencrypted'
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
