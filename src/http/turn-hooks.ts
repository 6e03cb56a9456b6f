/**
 * Gives every request that is let in its turns (turns.ts): the first one when its body is complete, and the others
 * until it reaches its deadline or its client disconnects.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RequestStopped, type StopReason, UNLIMITED_TURNS } from '../operations/ports/work.ts'
import { answerStopped } from './errors.ts'
import { turnScheduler } from './turns.ts'

/** Adds the hook. It runs before the route. `workMs` is how long a request may compute, waiting included. */
export function takeTurns(app: FastifyInstance, workMs: number): void {
  const scheduler = turnScheduler()
  app.server.on('connection', scheduler.accepted)
  app.addHook('preHandler', (request, reply, done) => {
    if (request.routeOptions.config.access === 'public') {
      request.turns = UNLIMITED_TURNS
      return done()
    }
    const stopped = stopReason(request, reply, performance.now() + workMs)
    scheduler.enter(request.sender, () => {
      const reason = stopped()
      if (reason !== undefined) return answerStopped(new RequestStopped(reason), request, reply)
      request.turns = scheduler.turnsFor(request.sender, stopped)
      return done()
    })
  })
}

/** Whether the request should end. */
function stopReason(request: FastifyRequest, reply: FastifyReply, deadline: number) {
  return (): StopReason | undefined => {
    if (reply.raw.destroyed || request.raw.socket.destroyed) return 'disconnected'
    return performance.now() > deadline ? 'deadline' : undefined
  }
}
