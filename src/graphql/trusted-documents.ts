/**
 * Trusted documents: operations that the operator has listed in a manifest. Requests select one by its id instead of
 * sending its text. In exclusive mode, no other document is executed. See docs/graphql-clients.md#trusted-documents.
 * Source: GraphQL over HTTP, appendix "Persisted Documents" (draft of 2025).
 */
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { buildASTSchema, GraphQLError, parse } from 'graphql'
import { isAbsent, isJsonObject, type JsonObject } from '../core/input.ts'
import { checkText, TEXT_LIMITS } from './document-text.ts'
import { createDocumentCheck } from './guards.ts'
import { readTypeDefinitions } from './schema-files.ts'

export type TrustedDocuments = {
  /** By id, without the prefix `sha256:`. */
  readonly texts: ReadonlyMap<string, string>
  /** Whether all other documents are refused. */
  readonly isExclusive: boolean
}

/** The manifest cannot be used. The message lists the faults. */
export class ManifestError extends Error {}

const MAX_FILE_BYTES = 16 * 1024 * 1024
const MAX_DOCUMENTS = 10_000
const MAX_LISTED_FAULTS = 10

export type ManifestOptions = { readonly isExclusive: boolean; readonly introspection: boolean }

/**
 * Reads a manifest, either a map of ids to documents (GraphQL Code Generator), or Apollo's format, and checks every
 * document against the schema and the limits. Throws ManifestError.
 */
export function readTrustedDocuments(
  path: string,
  { isExclusive, introspection }: ManifestOptions,
): TrustedDocuments {
  const entries = entriesOf(readJson(path), path)
  const faults = [
    ...(entries.length === 0 ? ['it has no documents'] : []),
    ...(entries.length > MAX_DOCUMENTS ? [`it has more than ${MAX_DOCUMENTS} documents`] : []),
  ]
  const schema = buildASTSchema(readTypeDefinitions())
  const check = createDocumentCheck({ introspection })
  const texts = new Map<string, string>()
  for (const [id, text] of entries.slice(0, MAX_DOCUMENTS)) {
    const name = id.replace(SHA256_PREFIX, '')
    faults.push(...faultsOf(name, text).map((fault) => `document ${id}: ${fault}`))
    if (texts.has(name)) faults.push(`document ${id}: its id occurs twice`)
    texts.set(name, text)
  }
  if (faults.length > 0) throw new ManifestError(describe(path, faults))
  return { texts, isExclusive }

  function faultsOf(id: string, text: string): readonly string[] {
    if (!ID.test(id)) return ['its id must consist of letters, digits and - . _ ~']
    if (SHA256.test(id) && id !== sha256(text)) return ['its id is not the SHA-256 hash of its text']
    const excesses = checkText(text)
    if (excesses.length > 0) return excesses.map(({ message }) => message)
    try {
      const document = parse(text, { maxTokens: TEXT_LIMITS.tokens })
      return check(schema, document).map(({ message }) => message)
    } catch (error) {
      if (error instanceof GraphQLError) return [error.message]
      throw error
    }
  }
}

const SHA256_PREFIX = /^sha256:/
const SHA256 = /^[0-9a-f]{64}$/
const ID = /^[A-Za-z0-9._~-]{1,200}$/

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function describe(path: string, faults: readonly string[]): string {
  const listed = faults.slice(0, MAX_LISTED_FAULTS)
  const rest = faults.length - listed.length
  const lines = rest === 0 ? listed : [...listed, `${rest} more faults`]
  return `The trusted documents in ${path} cannot be used:\n  ${lines.join('\n  ')}`
}

function readJson(path: string): unknown {
  try {
    const { size } = statSync(path)
    if (size > MAX_FILE_BYTES)
      throw new ManifestError(describe(path, [`the file has more than ${MAX_FILE_BYTES} bytes`]))
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof ManifestError) throw error
    throw new ManifestError(describe(path, [error instanceof Error ? error.message : String(error)]))
  }
}

const APOLLO_FORMAT = 'apollo-persisted-query-manifest'

/** Pairs of id and text. */
function entriesOf(manifest: unknown, path: string): readonly (readonly [string, string])[] {
  const refuse = (fault: string): never => {
    throw new ManifestError(describe(path, [fault]))
  }
  if (!isJsonObject(manifest)) return refuse('it must be a JSON object')
  if (manifest['format'] === APOLLO_FORMAT) {
    const { version, operations } = manifest
    if (version !== 1) return refuse(`its format is ${APOLLO_FORMAT}, and the version must be 1`)
    if (!Array.isArray(operations)) return refuse('operations must be a list')
    return operations.map((operation: unknown, index) => {
      const { id, body } = isJsonObject(operation) ? operation : {}
      if (typeof id === 'string' && typeof body === 'string') return [id, body]
      return refuse(`operations.${index}: must have an id and a body, both text`)
    })
  }
  return Object.entries(manifest).map(([id, text]) =>
    typeof text === 'string' ? [id, text] : refuse(`document ${id}: must be text`),
  )
}

/** The parameters of a request that select its document. */
type Parameters = {
  readonly documentId: unknown
  readonly query: unknown
  readonly extensions: unknown
}

type Refusal = { readonly kind: 'Refused'; readonly code: string; readonly message: string }

/** The text of the document that is executed; undefined if the request selects none. */
type Selection = { readonly kind: 'Selected'; readonly query: string | undefined } | Refusal

function select(trusted: TrustedDocuments, { documentId, query, extensions }: Parameters): Selection {
  const hasText = !isAbsent(query)
  if (trusted.isExclusive && hasText)
    return refused(
      'PERSISTED_QUERY_ID_REQUIRED',
      'This service accepts trusted documents only: send the id of one as documentId, without query',
    )
  if (!isAbsent(documentId) && (typeof documentId !== 'string' || hasText))
    return refused('BAD_REQUEST', 'documentId must be a string, and query must be absent')
  // Clients with automatic persisted queries send hash and text together after PERSISTED_QUERY_NOT_FOUND.
  if (hasText) return { kind: 'Selected', query: undefined }
  const id = isAbsent(documentId) ? hashIn(extensions) : documentId
  if (typeof id === 'string') return find(trusted, id, isAbsent(documentId))
  return trusted.isExclusive
    ? refused('PERSISTED_QUERY_ID_REQUIRED', 'Send the id of a trusted document as documentId')
    : { kind: 'Selected', query: undefined }
}

function find(trusted: TrustedDocuments, id: string, isHash: boolean): Selection {
  const query = trusted.texts.get(id.replace(SHA256_PREFIX, ''))
  if (query !== undefined) return { kind: 'Selected', query }
  const message = 'There is no trusted document with this id'
  if (trusted.isExclusive) return refused('PERSISTED_QUERY_NOT_IN_LIST', message)
  // Clients recognize the message of the persistedQuery protocol, and then send the text.
  return refused('PERSISTED_QUERY_NOT_FOUND', isHash ? 'PersistedQueryNotFound' : message)
}

function refused(code: string, message: string): Refusal {
  return { kind: 'Refused', code, message }
}

function hashIn(extensions: unknown): unknown {
  const { persistedQuery } = isJsonObject(extensions) ? extensions : {}
  return isJsonObject(persistedQuery) ? persistedQuery['sha256Hash'] : undefined
}

/** Returns the body of a request with the text of its document instead of the id. */
export function resolveBody(
  trusted: TrustedDocuments,
  body: JsonObject,
): Refusal | { readonly kind: 'Resolved'; readonly body: JsonObject } {
  const { documentId, extensions, ...others } = body
  const selection = select(trusted, { documentId, query: body['query'], extensions })
  if (selection.kind === 'Refused') return selection
  const { query } = selection
  return {
    kind: 'Resolved',
    body: {
      ...others,
      ...(query !== undefined && { query }),
      ...(extensions !== undefined && { extensions: withoutHash(extensions) }),
    },
  }
}

/** The same for the query string of a GET request. */
export function resolveSearch(
  trusted: TrustedDocuments,
  search: string,
): Refusal | { readonly kind: 'Resolved'; readonly search: string } {
  const parameters = new URLSearchParams(search)
  const extensions = parseExtensions(parameters.get('extensions'))
  const selection = select(trusted, {
    documentId: parameters.get('documentId'),
    query: parameters.getAll('query').join(''),
    extensions,
  })
  if (selection.kind === 'Refused') return selection
  parameters.delete('documentId')
  if (selection.query !== undefined) parameters.set('query', selection.query)
  if (extensions !== undefined) parameters.set('extensions', JSON.stringify(withoutHash(extensions)))
  return { kind: 'Resolved', search: `?${parameters}` }
}

/** Undefined for absent or invalid extensions, which Apollo handles. */
function parseExtensions(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Apollo refuses a `persistedQuery` extension. */
function withoutHash(extensions: unknown): unknown {
  if (!isJsonObject(extensions)) return extensions
  const { persistedQuery: _, ...others } = extensions
  return others
}
