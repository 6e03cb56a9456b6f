/**
 * Compares answers of the REST door with schema/partner-api.openapi.json: the status is listed, every header is the
 * documented one, no other header is sent, and the body matches its schema.
 */
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

type Header = { readonly required?: boolean; readonly schema: { readonly type?: string } }
type Example = { readonly summary?: string; readonly value: unknown }
type Content = {
  readonly 'application/json': {
    readonly schema: object
    readonly examples?: Readonly<Record<string, Example>>
  }
}
type Response = {
  readonly headers: Readonly<Record<string, { readonly $ref: string }>>
  readonly content: Content
}
export type Operation = {
  readonly parameters: readonly {
    readonly name?: string
    readonly examples?: Readonly<Record<string, Example>>
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}
type Document = {
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>
  readonly components: {
    readonly headers: Readonly<Record<string, Header>>
    readonly responses: Readonly<Record<string, Response>>
  }
}

export const partnerApiText = readFileSync(
  new URL('../../schema/partner-api.openapi.json', import.meta.url),
  'utf8',
)
export const partnerApi: Document = JSON.parse(partnerApiText)

/** Headers of the connection, of the type of the body, and of cross-origin requests. */
const GENERAL =
  /^(connection|keep-alive|date|content-(type|length|encoding)|x-content-type-options|vary|access-control-.*)$/

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true })
// Words of OpenAPI. `discriminator` only helps generators: each alternative has its own constant.
ajv.addVocabulary([...Object.keys(partnerApi), 'discriminator'])
ajv.addSchema(partnerApi, 'api')

/** The faults of a value, by the path of its schema in the document. */
export function faultsOf(path: readonly string[], value: unknown): readonly string[] {
  const pointer = path.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
  const id = `api#/${pointer.join('/')}`
  const validate = ajv.getSchema(id)
  if (validate === undefined) throw new Error(`the document has no ${id}`)
  return validate(value) ? [] : [ajv.errorsText(validate.errors)]
}

export type PartnerAnswer = {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

/** How an answer differs from the document. */
export function contractFaults(answer: PartnerAnswer): readonly string[] {
  const { method, url, status, headers, body } = answer
  const place = placeOf(method, url, status)
  if (place === undefined) return [`${method} ${url}: the document has no status ${status}`]
  const { path, response } = place
  const documented = Object.entries(response.headers).map(([name, { $ref }]) => {
    const key = $ref.split('/').at(-1) ?? ''
    return { name: name.toLowerCase(), key, header: partnerApi.components.headers[key] }
  })
  const known = new Set(documented.map(({ name }) => name))
  return [
    ...(headers['content-type'] === 'application/json; charset=utf-8' ? [] : ['another Content-Type']),
    ...Object.keys(headers)
      .filter((name) => !known.has(name) && !GENERAL.test(name))
      .map((name) => `undocumented header ${name}`),
    ...documented.flatMap(({ name, key, header }) => headerFaults(key, header, headers[name])),
    ...faultsOf([...path, 'content', 'application/json', 'schema'], JSON.parse(body)),
  ].map((fault) => `${method} ${url} ${status}: ${fault}`)
}

function headerFaults(key: string, header: Header | undefined, value: unknown): readonly string[] {
  if (header === undefined) return [`the document has no header ${key}`]
  if (value === undefined) return header.required === true ? [`no header ${key}`] : []
  const typed = header.schema.type === 'integer' ? Number(value) : value
  return faultsOf(['components', 'headers', key, 'schema'], typed).map((fault) => `header ${key}: ${fault}`)
}

function placeOf(method: string, url: string, status: number) {
  const [sent = ''] = url.split('?', 1)
  const path = Object.keys(partnerApi.paths).find((template) =>
    new RegExp(`^${template.replace(/\{\w+\}/, '[^/]+')}$`).test(sent),
  )
  if (path === undefined || method !== 'POST') return sharedPlace(path === undefined ? 404 : 405, status)
  const response = partnerApi.paths[path]?.post.responses[status]
  return response && { path: ['paths', path, 'post', 'responses', String(status)], response }
}

/** The answers to requests that match no operation. */
function sharedPlace(expected: 404 | 405, status: number) {
  const name = expected === 404 ? 'NotFound' : 'MethodNotAllowed'
  const response = partnerApi.components.responses[name]
  return status === expected && response ? { path: ['components', 'responses', name], response } : undefined
}
