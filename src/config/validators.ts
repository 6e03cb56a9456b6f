/** Validators of settings that need no other setting. Messages do not contain the value. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { validateHeaderName, validateHeaderValue } from 'node:http'
import { isIP } from 'node:net'
import { makeValidator } from 'envalid'

export const integer = (min: number, max: number) =>
  makeValidator((text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= min && value <= max)) throw new Error(`expected a whole number from ${min} to ${max}`)
    return value
  })

export const httpUrl = makeValidator((text) => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const hasExtras = parsed && parsed.search + parsed.username + parsed.password !== ''
  if (parsed === undefined || hasExtras || !['http:', 'https:'].includes(parsed.protocol))
    throw new Error('expected http://host:port')
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
})

/** An https URL, or http to loopback, because requests contain a key. */
export const httpsOrLoopbackUrl = makeValidator((text) => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(parsed?.hostname ?? '')
  const isAllowed = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback)
  if (!isAllowed || parsed.search + parsed.hash + parsed.username + parsed.password !== '')
    throw new Error('expected https://host/path, or http:// to this machine')
  return text.replace(/\/$/, '')
})

/** The path of a file with certificates in PEM. The value is its content. */
export const certificatesFile = makeValidator((path) => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`the file ${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
  try {
    new X509Certificate(text)
  } catch {
    throw new Error(`the file ${path} has no certificate in PEM`)
  }
  return text
})

export const hostName = makeValidator((text) => {
  if (isIP(text) === 0 && !/^[A-Za-z0-9]([A-Za-z0-9.-]{0,252})$/.test(text))
    throw new Error('expected a host name or an IP address')
  return text
})

/** At least 32 characters, which is 128 bits even if they are hexadecimal digits. */
export const secrets = makeValidator((text) => {
  const given = text.split(',').map((part) => part.trim())
  if (given.length > 2 || given.some((secret) => secret.length < 32))
    throw new Error('expected one secret, or two separated by a comma, each of at least 32 characters')
  return given
})

export const addresses = makeValidator((text) =>
  text.split(',').map((part) => {
    const address = part.trim()
    const [, ip = '', bits = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(address) ?? []
    const longest = { 4: 32, 6: 128 }[isIP(ip)]
    if (longest === undefined || Number(bits) > longest)
      throw new Error('expected IP addresses or ranges such as 10.0.0.0/8, separated by commas')
    return address
  }),
)

/** Names and percent-encoded values, as OpenTelemetry specifies for its variables. */
export const headers = makeValidator((text) => {
  const pairs = text.split(',').filter((part) => part.trim() !== '')
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name = '', encoded = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? []
        const header = [name.trim(), decodeURIComponent(encoded.trim())] as const
        validateHeaderName(header[0])
        validateHeaderValue(...header)
        return header
      }),
    )
  } catch {
    throw new Error('expected name=value, separated by commas, with percent-encoded values')
  }
})

export const paths = makeValidator((text) => {
  const given = text.split(',').map((part) => part.trim())
  if (given.includes('')) throw new Error('expected paths of files, separated by commas')
  return given
})

export const origins = makeValidator((text) =>
  text.split(',').map((part) => {
    const origin = part.trim()
    if (!/^https?:[^*]+$/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new Error('expected origins such as https://shop.example, separated by commas')
    return origin
  }),
)
