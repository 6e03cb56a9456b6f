/**
 * Requests that no route takes: an unknown path is 404, a known path with another method 405 with `Allow`,
 * both as JSON strings and before anything else is looked at.
 * Source: decision 23 of the README.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerJson } from './envelope.ts'

type KnownPath = { readonly segments: readonly string[]; readonly methods: Set<string> }

/** Answers 404 or 405. */
export type UnknownPathAnswer = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Collects the routes of an app as they are added (call it before the doors) and answers for all others. */
export function unknownPaths(app: FastifyInstance): UnknownPathAnswer {
  const known = new Map<string, KnownPath>()
  app.addHook('onRoute', ({ url, method }) => {
    const path = known.get(url) ?? { segments: url.split('/'), methods: new Set<string>() }
    for (const name of [method].flat()) path.methods.add(name)
    known.set(url, path)
  })
  return (request, reply) => {
    const [path = ''] = request.url.split('?', 1)
    const segments = path.split('/')
    const allowed = [...known.values()].find((candidate) => matches(candidate.segments, segments))
    if (allowed === undefined || allowed.methods.has(request.method)) return answerNotFound(reply)
    reply.header('allow', [...allowed.methods].sort().join(', '))
    return answerJson(reply, 405, 'Method not allowed')
  }
}

/** The 404 of an unknown path. */
export function answerNotFound(reply: FastifyReply): FastifyReply {
  return answerJson(reply, 404, 'Not found')
}

/** A route's pattern against a path; a wildcard takes any file name, so it makes no path known. */
function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => {
    const segment = segments[index]
    return part.startsWith(':') ? segment !== '' : part !== '*' && part === segment
  })
}
