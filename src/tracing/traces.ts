/**
 * Traces for OpenTelemetry: spans of requests, operations, statements, calls to carriers, and background work on
 * attempts. Loaded only if traces are on. Attributes contain no values of statements, bodies or tracking numbers. See
 * docs/operations.md#traces.
 */
import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { CarrierCall } from '../operations/ports/carrier-calls.ts'
import type { Observer } from '../operations/ports/observer.ts'
import { withTimeout } from '../operations/ports/work.ts'
import type { PoolObserver } from '../store/database/pool/pools.ts'
import { VERSION } from '../version.ts'

export type Traces = ReturnType<typeof openTraces>

// Once in a process, because the API of OpenTelemetry has one context manager.
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

/** How long the end of the service waits for the collector. Shorter than the wait for the rest of the shutdown. */
const FLUSH_MS = 2_000
const FAULT_LINE_MS = 60_000
/** Orchestrators send these every few seconds. */
const UNTRACED = new Set(['/healthz', '/readyz'])
/** In characters. */
const STATEMENT_MAX = 4_000

/**
 * `headers` are those of requests to the collector. `onFault` gets failures of the export, at most one in a minute.
 * Reads the other variables of OpenTelemetry.
 */
export function openTraces(
  { headers }: { readonly headers: Readonly<Record<string, string>> },
  onFault: (message: string) => void,
) {
  reportFaults(onFault)
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'waybill', 'service.version': VERSION }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ headers }))],
  })
  const tracer = provider.getTracer('waybill', VERSION)
  const ended = <Result>(span: ReturnType<typeof tracer.startSpan>, run: () => Result): Result => {
    const end = (outcome: unknown): void => {
      if (hasKind(outcome)) span.setAttribute('waybill.outcome', outcome.kind)
      span.end()
    }
    const fail = (error: unknown): void => {
      // The message of an error may contain values.
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
      span.end()
    }
    return context.with(trace.setSpan(context.active(), span), () => {
      try {
        const result = run()
        if (result instanceof Promise) result.then(end, fail)
        else end(result)
        return result
      } catch (error) {
        fail(error)
        throw error
      }
    })
  }
  return {
    ...requestTraces(tracer),
    pools: (metrics: PoolObserver | undefined) => statementSpans(tracer, metrics),
    observer: (metrics: Observer | undefined): Observer => ({
      now: () => metrics?.now() ?? 0,
      ended: (...end) => metrics?.ended(...end),
      quoted: (quote) => metrics?.quoted(quote),
      within: (operation, run) => ended(tracer.startSpan(operation), run),
      traceParent,
      background(work, startedBy, run) {
        const origin = startedBy === undefined ? undefined : spanContextOf(startedBy)
        const links = origin === undefined ? [] : [{ context: origin }]
        return ended(tracer.startSpan(work, { root: true, links }), run)
      },
    }),
    carrierCalls: (record: (call: CarrierCall) => void) => callSpans(tracer, record),
    /** Sends what is left, for a limited time. Never rejects. */
    close: (): Promise<void> =>
      withTimeout(
        provider.shutdown().catch((error: unknown) => diag.error(String(error))),
        FLUSH_MS,
        () => undefined,
      ),
  }
}

type Tracer = ReturnType<BasicTracerProvider['getTracer']>

/** Spans for statements of requests and of background work on attempts. Others have no parent and are left out. */
function statementSpans(tracer: Tracer, metrics: PoolObserver | undefined): PoolObserver {
  return {
    opened: (pool, counts) => metrics?.opened(pool, counts),
    statement(pool, milliseconds, isFailed, text) {
      metrics?.statement(pool, milliseconds, isFailed, text)
      if (trace.getActiveSpan() === undefined) return
      const endTime = Date.now()
      const attributes = {
        'db.system.name': 'postgresql',
        'db.query.text': text.trim().slice(0, STATEMENT_MAX),
        'waybill.pool': pool,
      }
      const name = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'statement'
      const startTime = endTime - milliseconds
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes })
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(endTime)
    },
  }
}

/** Also makes a span of each call in a trace. */
function callSpans(tracer: Tracer, record: (call: CarrierCall) => void): (call: CarrierCall) => void {
  return (call) => {
    const active = trace.getActiveSpan()
    record(active === undefined ? call : { ...call, traceId: active.spanContext().traceId })
    if (active === undefined) return
    const startTime = Date.parse(call.begunAt)
    const span = tracer.startSpan(`carrier ${call.purpose}`, {
      kind: SpanKind.CLIENT,
      startTime,
      attributes: attributesOf(call),
    })
    if (call.outcome === 'unknown' || call.outcome === 'not_sent')
      span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(startTime + call.durationMs)
  }
}

function requestTraces(tracer: Tracer) {
  const contexts = new WeakMap<FastifyRequest, Context>()
  return {
    /** Begins the span of a request. `caller` is that of its `traceparent`. */
    begin(request: FastifyRequest, caller: SpanContext | undefined): SpanContext | undefined {
      const { method, routeOptions } = request
      const route = routeOptions.url
      if (route !== undefined && UNTRACED.has(route)) return undefined
      const parent = caller === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, caller)
      const span = tracer.startSpan(
        route === undefined ? method : `${method} ${route}`,
        {
          kind: SpanKind.SERVER,
          attributes: {
            'http.request.method': method,
            ...(route !== undefined && { 'http.route': route }),
            'waybill.request_id': request.id,
          },
        },
        parent,
      )
      contexts.set(request, trace.setSpan(parent, span))
      return span.spanContext()
    },
    /** Call it before the server is ready. */
    watch(server: FastifyInstance): void {
      // After the hooks that wait in queues: what ends a wait runs in the context of another request.
      server.addHook('preHandler', (request, _reply, done) => {
        const active = contexts.get(request)
        if (active === undefined) done()
        else context.with(active, () => done())
      })
      server.addHook('onResponse', (request, reply, done) => {
        const active = contexts.get(request)
        const span = active && trace.getSpan(active)
        if (span !== undefined) {
          const { headersSent, statusCode } = reply.raw
          if (headersSent) span.setAttribute('http.response.status_code', statusCode)
          if (request.account !== '') span.setAttribute('waybill.account_id', request.account)
          if (!headersSent || statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        }
        done()
      })
    },
  }
}

/** The active span as in the header `traceparent`; undefined if there is none, or it is not exported. */
function traceParent(): string | undefined {
  const active = trace.getActiveSpan()?.spanContext()
  if (active === undefined || (active.traceFlags & TraceFlags.SAMPLED) === 0) return undefined
  return `00-${active.traceId}-${active.spanId}-01`
}

/** Reads what `traceParent` has written. */
function spanContextOf(text: string): SpanContext | undefined {
  const [, traceId, spanId] = text.split('-')
  if (traceId === undefined || spanId === undefined) return undefined
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

/** The tracking number and the path of the URL identify a parcel, so they are left out. */
function attributesOf({ carrierCode, accountId, purpose, outcome, exchanges }: CarrierCall) {
  const last = exchanges.at(-1)
  const host = last && URL.canParse(last.url) ? new URL(last.url).hostname : undefined
  return {
    'waybill.carrier': carrierCode,
    'waybill.account_id': accountId,
    'waybill.purpose': purpose,
    'waybill.outcome': outcome,
    ...(last !== undefined && { 'http.request.method': last.method }),
    ...(host !== undefined && { 'server.address': host }),
    ...(last?.status != null && { 'http.response.status_code': last.status }),
  }
}

function hasKind(outcome: unknown): outcome is { readonly kind: string } {
  return (
    typeof outcome === 'object' && outcome !== null && 'kind' in outcome && typeof outcome.kind === 'string'
  )
}

/** The API of OpenTelemetry has one logger in a process: that of the app which was opened last. */
function reportFaults(onFault: (message: string) => void): void {
  let reportedAt = Number.NEGATIVE_INFINITY
  const report = (message: string): void => {
    if (performance.now() - reportedAt < FAULT_LINE_MS) return
    reportedAt = performance.now()
    onFault(message)
  }
  const ignore = (): void => {}
  const logger = { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
}
