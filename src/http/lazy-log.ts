/** The log of a request. Creating a child logger takes longer than most hooks, and most requests write no line with it. */
import type { FastifyBaseLogger } from 'fastify'

type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type ChildOptions = Parameters<FastifyBaseLogger['child']>[1]
type LogMethod = FastifyBaseLogger['info']

/** A child logger that is created when it is first used. */
export class LazyLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Bindings
  readonly #options: ChildOptions
  #child: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: ChildOptions) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  get #log(): FastifyBaseLogger {
    this.#child ??= this.#parent.child(this.#bindings, this.#options)
    return this.#child
  }

  get level(): string {
    return this.#parent.level
  }

  child(...given: Parameters<FastifyBaseLogger['child']>): FastifyBaseLogger {
    return this.#log.child(...given)
  }

  trace(...given: Parameters<LogMethod>): void {
    this.#log.trace(...given)
  }

  debug(...given: Parameters<LogMethod>): void {
    this.#log.debug(...given)
  }

  info(...given: Parameters<LogMethod>): void {
    this.#log.info(...given)
  }

  warn(...given: Parameters<LogMethod>): void {
    this.#log.warn(...given)
  }

  error(...given: Parameters<LogMethod>): void {
    this.#log.error(...given)
  }

  fatal(...given: Parameters<LogMethod>): void {
    this.#log.fatal(...given)
  }

  silent(...given: Parameters<LogMethod>): void {
    this.#log.silent(...given)
  }
}
