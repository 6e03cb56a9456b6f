/** The Apollo server, without HTTP. */
import { ApolloServer, type ApolloServerOptions, type HTTPGraphQLResponse } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import {
  buildASTSchema,
  type DocumentNode,
  type FormattedExecutionResult,
  GraphQLScalarType,
  isScalarType,
  Kind,
  parse,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { admitOperations, createFindExcess, type FindExcess } from './admission.ts'
import type { Context } from './context.ts'
import { TEXT_LIMITS } from './document-text.ts'
import { type MaskingOptions, maskErrors, reportErrors } from './errors.ts'
import { type CompiledQueries, openCompiledQueries } from './execution/compiled-queries.ts'
import { executeInTurns } from './execution/turns.ts'
import { resolvers } from './resolvers/index.ts'
import { readSchemaText } from './schema-files.ts'

export type ServerOptions = MaskingOptions & {
  readonly introspection: boolean
  /** Whether repeated queries are executed with compiled functions. */
  readonly compiledQueries: boolean
  /** For messages about the server itself. Faults of requests are logged with `Context.logFault`. */
  readonly log: { warn(fields: object, message: string): void; error(fields: object, message: string): void }
}

export type GraphqlServer = {
  readonly apollo: ApolloServer<Context>
  /** Undefined before the server is started, and if compiled queries are disabled. */
  readonly compiledQueries: () => CompiledQueries | undefined
  /** The Content-Type that Apollo has chosen for recent values of the Accept header; "undefined" if it is absent. */
  readonly chosenTypes: LRUCache<string, string>
}

/** Returns a server that is not started yet. */
export function createServer(options: ServerOptions): GraphqlServer {
  const { log, introspection } = options
  let findExcess: FindExcess = () => {
    throw new Error('the server is not started')
  }
  let compiledQueries: CompiledQueries | undefined
  const maskError = maskErrors(options)
  const text = readSchemaText()
  const typeDefs = parse(text)
  const apollo = new ApolloServer<Context>({
    typeDefs,
    resolvers: { ...resolvers, ...describeScalars(typeDefs), _Service: { sdl: () => text } },
    introspection,
    parseOptions: { maxTokens: TEXT_LIMITS.tokens },
    // admitOperations validates the document after it has checked the limits.
    dangerouslyDisableValidation: true,
    documentStore: openDocumentStore(),
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    // A browser sends the credentials header to another site only after a preflight request.
    csrfPrevention: { requestHeaders: ['x-pp-api', 'apollo-require-preflight'] },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: maskError,
    // Passes the result on to answer.ts, which writes large responses in turns. Apollo declares the result of this
    // function as text but never reads it; `resultIn` takes it out again.
    stringifyResult: (result) => result as unknown as string,
    logger: {
      debug: () => {},
      info: () => {},
      warn: (text) => log.warn({ event: 'graphql.library' }, text),
      error: (text) => log.error({ event: 'graphql.library' }, text),
    },
    plugins: [
      // Otherwise Apollo instruments every field, which costs 38% of a request.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      reportErrors,
      admitOperations({
        introspection,
        maskError,
        findExcess: (admittable, context) => findExcess(admittable, context),
        admitted: (parsed) => compiledQueries?.admitted(parsed),
      }),
      {
        serverWillStart: async ({ schema }) => {
          findExcess = createFindExcess(schema)
          executeInTurns(schema)
          if (options.compiledQueries) compiledQueries = openCompiledQueries(schema, findExcess)
        },
      },
    ],
  })
  return { apollo, compiledQueries: () => compiledQueries, chosenTypes: new LRUCache({ max: 100 }) }
}

/**
 * A parsed document takes about 150 bytes per character of its text, and up to 300. Apollo's own store allows 30 MB of
 * JSON, which is several times as much in memory.
 */
const MAX_DOCUMENTS_LENGTH = 200_000

/** The parsed documents of recent queries. */
function openDocumentStore(): NonNullable<ApolloServerOptions<Context>['documentStore']> {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_DOCUMENTS_LENGTH,
    sizeCalculation: ({ loc }) => MIN_DOCUMENT_LENGTH + (loc?.end ?? 0),
  })
  return {
    get: async (key) => documents.get(key),
    set: async (key, document) => void documents.set(key, document),
    delete: async (key) => documents.delete(key),
  }
}

/** Added to each document for its smallest size in memory. */
const MIN_DOCUMENT_LENGTH = 20

/**
 * The scalars of the resolvers, with `description` and `specifiedByURL` from the schema. Apollo does not copy these.
 */
function describeScalars(typeDefs: DocumentNode): Record<string, GraphQLScalarType> {
  const definitions = typeDefs.definitions.filter(({ kind }) => kind === Kind.SCALAR_TYPE_DEFINITION)
  // Apollo validates the whole schema.
  const schema = buildASTSchema({ kind: Kind.DOCUMENT, definitions }, { assumeValidSDL: true })
  return Object.fromEntries(
    Object.values(resolvers)
      .filter((resolver) => resolver instanceof GraphQLScalarType)
      .map((scalar) => {
        const described = schema.getType(scalar.name)
        if (!isScalarType(described)) throw new Error(`the schema has no scalar ${scalar.name}`)
        const { description, specifiedByURL } = described
        return [scalar.name, new GraphQLScalarType({ ...scalar.toConfig(), description, specifiedByURL })]
      }),
  )
}

/** The execution result in a response of the server, before it is written as JSON. */
export function resultIn({ body }: HTTPGraphQLResponse): FormattedExecutionResult {
  if (body.kind !== 'complete') throw new Error('incremental delivery is not supported')
  const result: unknown = body.string
  if (!isResult(result)) throw new Error('Apollo did not pass on the execution result')
  return result
}

function isResult(value: unknown): value is FormattedExecutionResult {
  return typeof value === 'object' && value !== null
}
