/** The GraphQL server with its guards on; it knows nothing of sockets. Source: design/security-and-limits.md. */
import { ApolloServer } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import type { Context } from './context.ts'
import { type MaskingOptions, maskErrors, reportErrors } from './errors.ts'
import { LIMITS, limitOperations } from './guards.ts'
import { resolvers } from './resolvers/index.ts'
import { readTypeDefinitions } from './schema.ts'

/** How the server behaves. */
export type ServerOptions = MaskingOptions & {
  /** Whether the schema may be asked for. */
  readonly introspection: boolean
  /** For what the server has to say about itself; faults of requests go through `Context.logFault`. */
  readonly log: { warn(message: string): void; error(message: string): void }
}

/** A server that is not started yet. */
export function createServer(options: ServerOptions): ApolloServer<Context> {
  const { log, introspection } = options
  return new ApolloServer<Context>({
    typeDefs: readTypeDefinitions(),
    resolvers,
    introspection,
    parseOptions: { maxTokens: LIMITS.tokens },
    validationRules: [limitOperations],
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    // The credentials header counts: a browser never sends it to another site without asking first.
    csrfPrevention: { requestHeaders: ['x-pp-api', 'apollo-require-preflight'] },
    includeStacktraceInErrorResponses: false,
    // The process decides itself when to stop.
    stopOnTerminationSignals: false,
    formatError: maskErrors(options),
    stringifyResult: (result) => JSON.stringify(result),
    logger: {
      debug: () => {},
      info: () => {},
      warn: (text) => log.warn(text),
      error: (text) => log.error(text),
    },
    plugins: [
      // Hooks every field and costs 38% of a request.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      reportErrors(options),
    ],
  })
}
