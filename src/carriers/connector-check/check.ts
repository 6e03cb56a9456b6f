/** The check of a connector: its fixtures, variants of them, and the cases of contradictions.ts. */
import { DefinitionError } from '../connectors/define/api.ts'
import { connectorTypeOf } from '../connectors/define/connector-type.ts'
import type { ConnectorDefinition, Settings } from '../connectors/define/definition.ts'
import { messageOf } from '../connectors/define/requests.ts'
import { playContradictions } from './contradictions.ts'
import type { FixtureFolder } from './fixture.ts'
import { type CheckResult, OAUTH_TOKEN, playFixture } from './fixtures-check.ts'
import type { GivenReply } from './generic-fake.ts'
import { type CallInput, type Subject, valuesOf } from './play.ts'
import { playVariants } from './variants.ts'

export type { CheckResult } from './fixtures-check.ts'

/** A number for connectors without fixtures. */
const ANY_NUMBER = '0000000000'

/** The connector of a definition. Throws a DefinitionError if a function for token requests makes none. */
export function subjectOf(definition: ConnectorDefinition, { settings, fixtures }: FixtureFolder): Subject {
  const type = connectorTypeOf(definition)
  const paths = tokenPathsOf(definition, valuesOf(type, settings))
  return {
    name: definition.name,
    type,
    tokenReplies: new Map(paths.map((path) => [path, tokenReplyIn(fixtures, path) ?? OAUTH_TOKEN])),
    ...(definition.bookings?.services && { services: definition.bookings.services }),
    settings,
  }
}

function tokenPathsOf({ token, otherTokens = {} }: ConnectorDefinition, settings: Settings): string[] {
  const others = Object.entries(otherTokens).map(([name, other]) => [`otherTokens.${name}`, other] as const)
  return [...(token === undefined ? [] : [['token', token] as const]), ...others].map(
    ([field, { request }]) => {
      const path = requestOf(field, () => request(settings).path)
      if (typeof path === 'string' && path.startsWith('/')) return path.split('?')[0] ?? ''
      throw new DefinitionError([`${field}.request: expected a path that begins with /`])
    },
  )
}

function requestOf<Made>(field: string, make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    throw new DefinitionError([`${field}.request: ${messageOf(error)}`])
  }
}

/** A successful reply to a request for an access token, for carriers whose reply is not that of OAuth. */
function tokenReplyIn(fixtures: FixtureFolder['fixtures'], tokenPath: string): GivenReply | undefined {
  for (const { exchanges } of fixtures)
    for (const { request, reply } of exchanges)
      if (request.method === 'POST' && request.path === tokenPath && reply !== 'reset' && reply.status < 300)
        return reply
  return undefined
}

/** Never throws for a faulty connector: what it throws is a result. */
export async function checkConnector(
  subject: Subject,
  { fixtures }: Pick<FixtureFolder, 'fixtures'>,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [...settingFaults(subject), ...untriedServices(subject, fixtures)]
  for (const fixture of fixtures) results.push(await playFixture(subject, fixture))
  for (const fixture of fixtures) results.push(...(await playVariants(subject, fixture)))
  // A cancellation has all numbers that the other calls need.
  const about: Omit<CallInput, 'call'> = fixtures.find(({ call }) => call === 'cancel') ??
    fixtures[0] ?? { number: ANY_NUMBER, orderNumber: ANY_NUMBER, sends: 1, ageMs: 0 }
  return [...results, ...(await playContradictions(subject, about))]
}

/** Services that the connector says it passes on, and that no fixture books. */
function untriedServices(
  { services = [] }: Subject,
  fixtures: FixtureFolder['fixtures'],
): readonly CheckResult[] {
  const booked = new Set(fixtures.flatMap((fixture) => fixture.services ?? []))
  return services
    .filter((service) => !booked.has(service))
    .map((service) => ({
      name: `service ${service}`,
      outcome: 'not booked',
      warning: 'add a fixture of `book` with it, so that its request is checked',
    }))
}

/** Formats that the values for the check do not have. `settings.json` of the fixtures can replace them. */
function settingFaults({ type, settings }: Subject): CheckResult[] {
  return Object.entries(valuesOf(type, settings)).flatMap(([name, value]) => {
    const fault = type.credentialFault?.(name, value)
    if (fault === undefined) return []
    return [{ name: `setting ${name}`, outcome: 'refused', fault: `${fault}; give one in settings.json` }]
  })
}
