/** The GraphQL server with its guards on; it knows nothing of sockets. Source: design/security-and-limits.md. */

import { readdirSync, readFileSync } from 'node:fs'
import { ApolloServer, type HTTPGraphQLResponse } from '@apollo/server'
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled'
import { type DocumentNode, type FormattedExecutionResult, parse } from 'graphql'
import { admitOperations } from './admission.ts'
import type { Context } from './context.ts'
import { TEXT_LIMITS } from './document-text.ts'
import { type MaskingOptions, maskErrors, reportErrors } from './errors.ts'
import { resolvers } from './resolvers/index.ts'

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
  const present = maskErrors(options)
  return new ApolloServer<Context>({
    typeDefs: readTypeDefinitions(),
    resolvers,
    introspection,
    parseOptions: { maxTokens: TEXT_LIMITS.tokens },
    // admitOperations validates, with the limits first.
    dangerouslyDisableValidation: true,
    persistedQueries: false,
    allowBatchedHttpRequests: false,
    // The credentials header counts: a browser never sends it to another site without asking first.
    csrfPrevention: { requestHeaders: ['x-pp-api', 'apollo-require-preflight'] },
    includeStacktraceInErrorResponses: false,
    // The process decides itself when to stop.
    stopOnTerminationSignals: false,
    formatError: present,
    // Apollo only hands it through, and its type says text: see resultOf.
    stringifyResult: (result) => result as unknown as string,
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
      reportErrors,
      admitOperations({ introspection, present }),
    ],
  })
}

/** What a response of the server holds; writing it is for answer.ts. */
export function resultOf({ body }: HTTPGraphQLResponse): FormattedExecutionResult {
  if (body.kind !== 'complete') throw new Error('incremental delivery is not on offer')
  return body.string as unknown as FormattedExecutionResult
}

// The contract of this door: the hand-written files of `schema/`, read once at start.

// Two levels up from src/graphql/ as well as from dist/graphql/.
const FOLDER = new URL('../../schema/', import.meta.url)

/** The schema files one after the other, as SDL. */
export function readSchemaText(): string {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => readFileSync(new URL(file, FOLDER), 'utf8'))
    .join('\n')
}

/** The schema as type definitions for a server. */
export function readTypeDefinitions(): DocumentNode {
  return parse(readSchemaText())
}
