/**
 * The servers that Waybill is compared with. `node contenders.mjs NAME` starts one of them on a free port. Each returns
 * constant responses of the same size as those of Waybill, without credentials, limits, logging or an engine. Plain
 * JavaScript, so that they run without a loader, like the build of Waybill.
 */
import { createServer } from 'node:http'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled'
import fastifyApollo, { fastifyApolloDrainPlugin } from '@as-integrations/fastify'
import { fastify } from 'fastify'
import { getOperationAST } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { createYoga, createSchema as createYogaSchema } from 'graphql-yoga'
import mercurius from 'mercurius'

/** Longer than the pauses between the samples of a contender. */
const KEEP_ALIVE_MS = 300_000

const CONTENDERS = {
  /** Parses each request as JSON and serializes each response. */
  raw: async ({ rest }) => {
    const server = createServer((request, response) => {
      const chunks = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        JSON.parse(Buffer.concat(chunks).toString())
        const text = JSON.stringify(rest[request.url])
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(text),
        })
        response.end(text)
      })
    })
    server.keepAliveTimeout = KEEP_ALIVE_MS
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server.address().port
  },

  fastify: async ({ rest }) => {
    const app = fastify({ keepAliveTimeout: KEEP_ALIVE_MS })
    for (const [path, body] of Object.entries(rest)) app.post(path, async () => body)
    return listen(app)
  },

  apollo: (constants) => apollo(constants, []),

  'apollo-jit': (constants) =>
    apollo(constants, [ApolloServerPluginCacheControlDisabled(), compiledExecution()]),

  mercurius: async ({ typeDefs, fields }) => {
    const app = fastify({ keepAliveTimeout: KEEP_ALIVE_MS })
    app.register(mercurius, { schema: typeDefs, resolvers: resolversFor(fields), jit: 1 })
    return listen(app)
  },

  yoga: async ({ typeDefs, fields }) => {
    const schema = createYogaSchema({ typeDefs, resolvers: resolversFor(fields) })
    const server = createServer(createYoga({ schema, logging: false, graphiql: false }))
    server.keepAliveTimeout = KEEP_ALIVE_MS
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    return server.address().port
  },
}

async function listen(app) {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

async function apollo({ typeDefs, fields }, plugins) {
  const app = fastify({ keepAliveTimeout: KEEP_ALIVE_MS })
  const server = new ApolloServer({
    typeDefs,
    resolvers: resolversFor(fields),
    plugins: [fastifyApolloDrainPlugin(app), ...plugins],
  })
  await server.start()
  await app.register(fastifyApollo(server))
  return listen(app)
}

/** Each root field returns a constant, and graphql-js or the compiler reads its fields. */
function resolversFor(fields) {
  return Object.fromEntries(
    Object.entries(fields).map(([type, values]) => [
      type,
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, () => value])),
    ]),
  )
}

const MAX_COMPILED = 500

/** Executes queries with graphql-jit. Mutations, and documents that it cannot compile, are left to Apollo. */
function compiledExecution() {
  const compiled = new Map()
  const compile = (schema, document, operationName) => {
    const operation = getOperationAST(document, operationName)
    if (operation?.operation !== 'query') return undefined
    const query = compileQuery(schema, document, operationName ?? undefined)
    return isCompiledQuery(query) ? query : undefined
  }
  return {
    requestDidStart: async () => ({
      responseForOperation: async ({ schema, document, request, queryHash, contextValue }) => {
        const key = `${queryHash} ${request.operationName ?? ''}`
        if (!compiled.has(key)) {
          if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value)
          compiled.set(key, compile(schema, document, request.operationName))
        }
        const query = compiled.get(key)
        if (query === undefined) return null
        const result = await query.query(undefined, contextValue, request.variables ?? {})
        if (result.errors !== undefined) return null
        return { http: {}, body: { kind: 'single', singleResult: result } }
      },
    }),
  }
}

const [name] = process.argv.slice(2)
process.once('message', async (constants) => {
  process.send({ port: await CONTENDERS[name](constants) })
})
process.send('loaded')
