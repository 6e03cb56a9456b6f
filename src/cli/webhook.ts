/** `waybill webhook …`: the endpoints of accounts that events are sent to. See docs/webhooks.md. */
import { type Command, InvalidArgumentError } from 'commander'
import { EVENT_TYPES, type EventType } from '../core/shipments/event.ts'
import {
  addEndpoint,
  ENDPOINTS_MAX,
  type EndpointListing,
  type ListedDelivery,
  listEndpoints,
  readDeliveries,
  removeEndpoint,
  replayEvents,
  rotateSecret,
} from '../store/webhooks/endpoints.ts'
import { urlFault } from '../webhooks/target.ts'
import type { WithDatabase } from './terminal/database.ts'
import { Refusal, UsageError } from './terminal/errors.ts'
import { type Output, report, table } from './terminal/output.ts'

type JsonOption = { readonly json?: boolean }

/** Adds `add`, `list`, `rotate`, `log`, `replay` and `remove`. */
export function webhookCommands(webhook: Command, withDatabase: WithDatabase, output: Output): void {
  addCommand(webhook, withDatabase, output)
  webhook
    .command('list')
    .description('list endpoints with their state and the number of events that wait')
    .argument('[accountId]')
    .option('--json', 'print JSON')
    .action(async (accountId: string | undefined, { json }: JsonOption) => {
      const endpoints = await withDatabase(({ db }) => listEndpoints(db, accountId))
      report(output, json, endpoints, endpointTable(endpoints))
    })
  webhook
    .command('rotate')
    .description('replace the secret of an endpoint; the old one also signs for 24 hours')
    .argument('<endpointId>')
    .option('--json', 'print JSON')
    .action(async (endpointId: string, { json }: JsonOption) => {
      const secret = await withDatabase(({ db }) => rotateSecret(db, endpointId))
      if (secret === undefined) throw noEndpoint(endpointId)
      report(output, json, { endpointId, secret }, [`Secret: ${secret}`])
    })
  webhook
    .command('log')
    .description('list the newest 100 deliveries to an endpoint')
    .argument('<endpointId>')
    .option('--json', 'print JSON')
    .action(async (endpointId: string, { json }: JsonOption) => {
      const deliveries = await withDatabase(({ db }) => readDeliveries(db, endpointId, LOGGED_MAX))
      report(output, json, deliveries, deliveryTable(deliveries))
    })
  webhook
    .command('replay')
    .description('deliver events again, and enable the endpoint if it is disabled')
    .argument('<endpointId>')
    .option(
      '--after <sequence>',
      'deliver all kept events after this number (default: only those that wait)',
      sequence,
    )
    .option('--json', 'print JSON')
    .action(async (endpointId: string, { after, json }: JsonOption & { after?: number }) => {
      if (!(await withDatabase(({ db }) => replayEvents(db, endpointId, after)))) throw noEndpoint(endpointId)
      report(output, json, { endpointId }, [`Endpoint ${endpointId} is active.`])
    })
  webhook
    .command('remove')
    .description('remove an endpoint with its log')
    .argument('<endpointId>')
    .option('--json', 'print JSON')
    .action(async (endpointId: string, { json }: JsonOption) => {
      if (!(await withDatabase(({ db }) => removeEndpoint(db, endpointId)))) throw noEndpoint(endpointId)
      report(output, json, { endpointId }, [`Endpoint ${endpointId} removed.`])
    })
}

const LOGGED_MAX = 100

type AddOptions = JsonOption & { readonly types?: readonly EventType[]; readonly private?: boolean }

function addCommand(webhook: Command, withDatabase: WithDatabase, output: Output): void {
  webhook
    .command('add')
    .description('send the events of an account to a URL, from now on')
    .argument('<accountId>')
    .argument('<url>', 'https URL with a public address')
    .option('--types <types>', 'only events of these types, separated by commas', eventTypes)
    .option('--private', 'allow http and private addresses; the service needs WAYBILL_WEBHOOK_PRIVATE=true')
    .option('--json', 'print JSON')
    .action(async (accountId: string, url: string, options: AddOptions) => {
      const fault = urlFault(url, options.private === true)
      if (fault !== undefined) throw new UsageError(`${url}: ${fault}`)
      const added = await withDatabase(({ db }) => addEndpoint(db, accountId, url, options.types))
      if (added === undefined) throw new Refusal(`there is no account ${accountId}`)
      if (added === 'full')
        throw new Refusal(`account ${accountId} has ${ENDPOINTS_MAX} endpoints, the most it may have`)
      report(output, options.json, added, [`Endpoint ${added.endpointId} added.`, `Secret: ${added.secret}`])
    })
}

function eventTypes(text: string): readonly EventType[] {
  const types = text.split(',').map((name) => EVENT_TYPES.find((type) => type === name.trim()))
  const known = types.filter((type) => type !== undefined)
  if (known.length < types.length)
    throw new InvalidArgumentError(`Expected types of ${EVENT_TYPES.join(', ')}.`)
  return [...new Set(known)]
}

function sequence(text: string): number {
  if (!/^\d{1,15}$/.test(text))
    throw new InvalidArgumentError('Expected the number of an event, such as 17, or 0.')
  return Number(text)
}

function noEndpoint(endpointId: string): Refusal {
  return new Refusal(`there is no endpoint ${endpointId}`)
}

function endpointTable(endpoints: readonly EndpointListing[]): readonly string[] {
  return table(
    ['ENDPOINT', 'ACCOUNT', 'STATE', 'WAITING', 'TYPES', 'URL'],
    endpoints.map(({ endpointId, accountId, state, waiting, types, url }) => [
      ...[endpointId, accountId, state, String(waiting), types === null ? 'all' : types.join(','), url],
    ]),
  )
}

function deliveryTable(deliveries: readonly ListedDelivery[]): readonly string[] {
  return table(
    ['AT', 'EVENT', 'STATUS', 'MS', 'FAILURE'],
    deliveries.map(({ at, sequence, status, durationMs, failure }) => [
      ...[at, String(sequence), status === null ? '-' : String(status), String(durationMs), failure ?? ''],
    ]),
  )
}
