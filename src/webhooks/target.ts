/**
 * Where webhooks may be sent: https, and public addresses only. An operator types the address, but its name can later
 * lead anywhere. So the name is resolved once for each connection, and the connection goes to exactly the addresses
 * that were checked. See docs/webhooks.md#addresses.
 */
import { lookup as resolve } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** The special-purpose address registries of IANA. Of IPv6, only global unicast (2000::/3) is allowed at all. */
const NOT_PUBLIC = new BlockList()
for (const [network, bits] of [
  ...[
    ['0.0.0.0', 8] as const,
    ['10.0.0.0', 8] as const,
    ['100.64.0.0', 10] as const,
    ['127.0.0.0', 8] as const,
  ],
  ...[['169.254.0.0', 16] as const, ['172.16.0.0', 12] as const, ['192.0.0.0', 24] as const],
  ...[['192.0.2.0', 24] as const, ['192.88.99.0', 24] as const, ['192.168.0.0', 16] as const],
  ...[['198.18.0.0', 15] as const, ['198.51.100.0', 24] as const, ['203.0.113.0', 24] as const],
  ...[['224.0.0.0', 4] as const, ['240.0.0.0', 4] as const],
])
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ...[['2001::', 23] as const, ['2001:db8::', 32] as const, ['2002::', 16] as const, ['3fff::', 20] as const],
])
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6')
const GLOBAL_UNICAST = new BlockList()
GLOBAL_UNICAST.addSubnet('2000::', 3, 'ipv6')

export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !NOT_PUBLIC.check(address, 'ipv4')
  return family === 6 && GLOBAL_UNICAST.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6')
}

/** The host of a URL, without the brackets of an IPv6 address. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

const MAX_URL_LENGTH = 500

/** Why events cannot be sent to a URL. Undefined: they can, as far as the text shows. */
export function urlFault(text: string, allowPrivate: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || text.length > MAX_URL_LENGTH)
    return `expected a URL of at most ${MAX_URL_LENGTH} characters`
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'expected https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.hash !== '') return 'must not contain a fragment'
  const host = hostOf(url)
  return !allowPrivate && isIP(host) !== 0 && !isPublic(host)
    ? `the address ${host} is not public`
    : undefined
}

/** A refused address. The message is for operators. */
export class AddressRefused extends Error {}

/** A `lookup` for connections that gives only checked addresses. Every address of the name must be public. */
export function checkedLookup(
  allowPrivate: boolean,
  resolveAll: typeof resolveName = resolveName,
): LookupFunction {
  return (hostname, options, callback) => {
    resolveAll(hostname).then(
      (addresses) => {
        const refused = allowPrivate ? undefined : addresses.find(({ address }) => !isPublic(address))
        const [first] = addresses
        if (refused !== undefined || first === undefined)
          callback(new AddressRefused(`the address ${refused?.address ?? 'of the name'} is not public`), '')
        else if (options.all === true) callback(null, addresses)
        else callback(null, first.address, first.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}

function resolveName(hostname: string) {
  return resolve(hostname, { all: true })
}
