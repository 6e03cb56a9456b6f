/** Builds the server with its doors, and opens the socket. */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { carrierEventsDoor } from '../carrier-events/routes.ts'
import type { ConfiguredCarriers } from '../carriers/configured-carriers.ts'
import type { Config } from '../config/config.ts'
import { eventsDoor } from '../events/routes.ts'
import { graphqlDoor } from '../graphql/plugin.ts'
import { readTrustedDocuments } from '../graphql/trusted-documents.ts'
import { logFault } from '../http/faults.ts'
import type { SharedBudgets } from '../http/limits/shared-budgets.ts'
import { buildServer } from '../http/server.ts'
import type { EventLog, EventWatch } from '../operations/ports/events.ts'
import type { Ports } from '../operations/ports/ports.ts'
import type { SweepHealth } from '../operations/sweep/sweep-health.ts'
import { pages } from '../pages/pages.ts'
import { restDoor } from '../rest/routes.ts'
import { isOutage } from '../store/database/outage.ts'
import type { Pools } from '../store/database/pool/pools.ts'
import { DEMO_ACCOUNT, DEMO_CREDENTIALS } from '../store/demo/accounts.ts'
import { resetDemo } from '../store/demo/reset.ts'
import { demoShopKey } from '../store/demo/shop-key.ts'
import type { Traces } from '../tracing/traces.ts'
import type { Context } from './context.ts'

const LOOPBACK = '127.0.0.1'

export function openServer(
  { config, log, options }: Context,
  {
    ports,
    pools,
    eventPorts,
    ready,
    configured,
    traces,
    sharedBudgets,
    sweepHealth,
  }: {
    readonly ports: Ports
    readonly pools: Pools
    readonly eventPorts: { readonly events: EventLog; readonly eventWatch: EventWatch }
    readonly ready: () => Promise<boolean>
    readonly configured: ConfiguredCarriers
    readonly traces: Traces | undefined
    readonly sharedBudgets: SharedBudgets | undefined
    readonly sweepHealth: Pick<SweepHealth, 'status'>
  },
): FastifyInstance {
  return buildServer({
    ports,
    doors: [
      ...pages({
        playground: config.playground,
        docs: config.docs,
        demo: config.demoData
          ? {
              credentials: DEMO_CREDENTIALS,
              port: config.port,
              publishableKey: (origin) => demoShopKey(pools.own, origin),
            }
          : undefined,
      }),
      restDoor(ports, { compress: config.restCompression }),
      graphql(ports, config, () => resetDemo(pools.own)),
      eventsDoor(
        { ...ports, ...eventPorts },
        { perKey: config.eventStreamsPerKey, total: Math.ceil(config.eventStreams / config.workers) },
      ),
      ...scanEventsDoor(ports, config, configured),
    ],
    isOutage,
    ready,
    backgroundWork: sweepHealth.status,
    limits: {
      requestsPerMinute: config.rateLimitPerMinute,
      pointsPerMinute: config.pointsPerMinute,
      failuresPerMinute: config.authFailuresPerMinute,
      inFlight: Math.ceil(config.maxInFlight / config.workers),
      overloadWaitMs: config.overloadWaitMs,
      lameDuckMs: config.lameDuckMs,
    },
    trustProxy: [...config.trustedProxies],
    corsOrigins: config.corsOrigins,
    log,
    logSampleEvery: config.logSampleEvery,
    sharing: { workers: options.spendingLink, replicas: sharedBudgets },
    beginSpan: traces?.begin,
  })
}

/** The scan events door, if there is a settings file. A carrier may get its event secret at a reload. */
function scanEventsDoor(
  ports: Ports,
  { carriersFile }: Config,
  { eventSecretOf }: ConfiguredCarriers,
): FastifyPluginAsync[] {
  return carriersFile === undefined ? [] : [carrierEventsDoor(ports, eventSecretOf)]
}

/** Throws ManifestError. */
function graphql(ports: Ports, config: Config, restoreDemo: () => Promise<void>) {
  const { introspection, compiledQueries, playground, demoData, trustedDocuments } = config
  return graphqlDoor({
    ports,
    introspection,
    compiledQueries,
    ...(playground && {
      playground: {
        ...(demoData && {
          demoCredentials: DEMO_CREDENTIALS,
          demoReset: { accountId: DEMO_ACCOUNT, run: restoreDemo },
        }),
        trustedDocumentsOnly: trustedDocuments?.isExclusive ?? false,
      },
    }),
    trustedDocuments:
      trustedDocuments &&
      readTrustedDocuments(trustedDocuments.path, {
        isExclusive: trustedDocuments.isExclusive,
        introspection,
      }),
    isOutage,
    logFault: (error, request) => logFault(error, request, isOutage),
  })
}

export async function listen(server: FastifyInstance, config: Config): Promise<string> {
  const { host, port, listenBacklog: backlog } = config
  // For "localhost" Fastify would open a second server on ::1, without the handlers of the first.
  const address = new URL(
    await server.listen({ host: host === 'localhost' ? LOOPBACK : host, port, backlog }),
  )
  // Clients cannot call every address that a socket can be bound to, such as 0.0.0.0.
  if ([LOOPBACK, 'localhost', '0.0.0.0', '::'].includes(host)) address.hostname = 'localhost'
  return address.origin
}
