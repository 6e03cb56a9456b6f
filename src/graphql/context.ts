/**
 * The context of one request: the caller, the ports, its loaders and its turns of the event loop. Turns are described
 * in docs/limits.md#fair-use-of-the-processor.
 */
import type { Caller } from '../operations/ports/caller.ts'
import type { Ports, ReferenceData } from '../operations/ports/ports.ts'
import type { Allowance, Turns } from '../operations/ports/work.ts'
import { type ContentsReader, createContentsReader } from './cost/contents-reader.ts'
import { createMeter, type Meter } from './cost/meter.ts'
import type { OperationCost } from './cost/operation-cost.ts'
import type { Refusal } from './errors.ts'
import { queuedTurns } from './execution/queued-turns.ts'
import { createLoaders, type Loaders } from './loaders.ts'

/** What the HTTP layer provides for a request. */
export type RequestScope = {
  /** The value of X-Request-Id in the response. */
  readonly requestId: string
  readonly caller: Caller
  readonly ports: Ports
  /** The points that the caller's API key may still spend. */
  readonly allowance: Allowance
  readonly turns: Turns
  /** Logs an error that is hidden from the caller, under the request id. */
  readonly logFault: (error: unknown) => void
  /** Logs that the request reached its deadline. */
  readonly logDeadline: () => void
  /** Logs the deprecated elements of the schema that the request uses. */
  readonly logDeprecated: (elements: readonly string[]) => void
  /** What the line of the response in the log says. */
  readonly logged: { operation: string }
  readonly effects: {
    /** Whether a mutation of the request has ended. Its effect remains if reading the result fails. */
    hasMutated: boolean
    /** Whether the operation has passed all checks and has been charged. */
    isAdmitted: boolean
    /** The cost of the operation before it was executed. */
    cost: OperationCost | undefined
    /** The points that were charged so far. */
    points: number
    /** Set if the operation turned out to be too expensive while it was executed. No part of its result is sent. */
    refusal: Refusal | undefined
    /**
     * The result of the mutation that a compiled function has started. If graphql-js has to execute the operation after
     * all, it takes this result and does not start the mutation again.
     */
    startedMutation: Promise<unknown> | undefined
  }
}

/** The context of the resolvers. It is created per request, so data loaded for one caller never reaches another. */
export type Context = RequestScope & {
  readonly loaders: Loaders
  readonly contents: ContentsReader
  readonly meter: Meter
  /** See `queuedTurns`. */
  readonly turns: Turns
  /** Call this before the operation is executed again. */
  restart(): void
}

/** `ports.reference` of the context returns the same data throughout the request, even if it is replaced meanwhile. */
export function createContext(scope: RequestScope): Context {
  return new RequestContext(scope)
}

/**
 * A class, so that what most requests do not need is created only when it is used. It has no `#` fields, because Apollo
 * copies the context.
 */
class RequestContext implements Context {
  readonly requestId: string
  readonly caller: Caller
  readonly ports: Ports
  readonly allowance: Allowance
  readonly turns: Turns
  readonly logFault: RequestScope['logFault']
  readonly logDeadline: RequestScope['logDeadline']
  readonly logDeprecated: RequestScope['logDeprecated']
  readonly logged: RequestScope['logged']
  readonly effects: RequestScope['effects']
  private knownLoaders: Loaders | undefined
  private knownContents: ContentsReader | undefined
  private knownMeter: Meter | undefined

  constructor(scope: RequestScope) {
    this.requestId = scope.requestId
    this.caller = scope.caller
    this.ports = withReference(scope.ports, pinReference(scope.ports.reference))
    this.allowance = scope.allowance
    this.turns = queuedTurns(scope.turns)
    this.logFault = scope.logFault
    this.logDeadline = scope.logDeadline
    this.logDeprecated = scope.logDeprecated
    this.logged = scope.logged
    this.effects = scope.effects
  }

  get loaders(): Loaders {
    this.knownLoaders ??= createLoaders(this.ports, this.caller, this.turns)
    return this.knownLoaders
  }

  get contents(): ContentsReader {
    this.knownContents ??= createContentsReader(this)
    return this.knownContents
  }

  get meter(): Meter {
    this.knownMeter ??= createMeter(this)
    return this.knownMeter
  }

  /** What is presented again is not added to what was presented before. */
  restart(): void {
    this.knownContents = undefined
    this.knownMeter = undefined
  }
}

/** Written out, because spreading an object is several times slower, and every request has its own ports. */
function withReference(ports: Ports, reference: ReferenceData): Ports {
  const { clock, monotonicMs, sleep, random, calendar, classifier, credentials, secrets, shipments } = ports
  const { draftTerms, checkoutTokens, recovery, tracking, carriers, inFlight, reportFault, alert } = ports
  const { optionTokens, optionTokenMinutes, webhookLog, descriptionWords } = ports
  const { estimates, estimateTerms, customsRevision, observer } = ports
  return {
    clock,
    monotonicMs,
    sleep,
    random,
    reference,
    calendar,
    classifier,
    descriptionWords,
    credentials,
    secrets,
    checkoutTokens,
    shipments,
    draftTerms,
    estimates,
    estimateTerms,
    customsRevision,
    optionTokens,
    optionTokenMinutes,
    recovery,
    tracking,
    webhookLog,
    carriers,
    inFlight,
    reportFault,
    alert,
    observer,
  }
}

function pinReference(reference: ReferenceData): ReferenceData {
  return {
    rateBook: once(() => reference.rateBook()),
    customsTables: once(() => reference.customsTables()),
  }
}

/** A function that calls `read` once, when its result is first needed. */
function once<Value extends object>(read: () => Value): () => Value {
  let first: Value | undefined
  return () => {
    first ??= read()
    return first
  }
}
