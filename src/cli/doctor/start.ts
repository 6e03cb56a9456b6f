/** Checks of what else a start opens: the classifier, trusted documents, ports, and the limits of demo data. */
import { createServer } from 'node:net'
import type { Kysely } from 'kysely'
import { compiledClassifier, moduleClassifier } from '../../classifiers/classifiers.ts'
import type { Config } from '../../config/config.ts'
import { loadLexicon } from '../../reference/lexicon-reader/lexicon.ts'
import { openTokenSecrets } from '../../store/accounts/token-secrets.ts'
import type { Database } from '../../store/database/database.ts'
import { demoRefusal } from '../../store/demo/reset.ts'
import { type Finding, findingsOf, reasonOf } from './finding.ts'

/** The module of WAYBILL_CLASSIFIER is loaded and opened, as at a start. */
export async function checkClassifier({ classifier }: Config): Promise<Finding[]> {
  if (classifier === undefined) return []
  const { ok, problem } = findingsOf('classifier')
  const { path, timeoutMs } = classifier
  try {
    const builtIn = compiledClassifier(loadLexicon())
    await moduleClassifier(path, builtIn, { timeoutMs, isCode: () => true, reportFault: () => {} })
    return [ok(`${path} can be used`)]
  } catch (error) {
    return [problem(reasonOf(error), 'correct the module; see docs/hs-classification.md')]
  }
}

export async function checkTrustedDocuments({ trustedDocuments, introspection }: Config): Promise<Finding[]> {
  if (trustedDocuments === undefined) return []
  const { ok, problem } = findingsOf('trusted documents')
  const { ManifestError, readTrustedDocuments } = await import('../../graphql/trusted-documents.ts')
  const { path, isExclusive } = trustedDocuments
  try {
    const { texts } = readTrustedDocuments(path, { isExclusive, introspection })
    return [ok(`${path} has ${texts.size} documents`)]
  } catch (error) {
    if (!(error instanceof ManifestError)) throw error
    const faults = error.message.split('\n').map((line) => line.trim())
    return [problem(faults.join(' '), 'correct the file; see docs/graphql-clients.md#trusted-documents')]
  }
}

/** Demo secrets in production, demo data in a database of production, and a database without a secret for tokens. */
export async function checkStartData(db: Kysely<Database>, config: Config): Promise<Finding[]> {
  const demo = findingsOf('demo data')
  const tokens = findingsOf('tokens')
  const refusal = await demoRefusal(db, config)
  const secretsFault = await openTokenSecrets(db, config.tokenSecrets).then(() => undefined, reasonOf)
  return [
    refusal === undefined
      ? demo.ok(config.demoData ? 'loaded at start' : 'none is loaded')
      : demo.problem(refusal, 'see docs/operations.md#production-databases'),
    ...(secretsFault === undefined ? [] : [tokens.problem(secretsFault, 'run waybill token rotate')]),
  ]
}

const EVERY_ADDRESS = ['0.0.0.0', '::']

type Address = { readonly host: string; readonly port: number }

/** The ports of the service and its metrics can be opened, or this service has opened them. */
export async function checkPorts({ host, port, metrics }: Config): Promise<Finding[]> {
  const { problem } = findingsOf('ports')
  const service = await checkPort('the service', { host, port }, '/healthz', '"alive"')
  if (metrics === undefined) return service
  const sharesHost = host === metrics.host || [host, metrics.host].some((one) => EVERY_ADDRESS.includes(one))
  if (metrics.port === port && port !== 0 && sharesHost)
    return [problem(`the service and its metrics have the same port ${port}`, 'choose another port for one')]
  return [...service, ...(await checkPort('the metrics', metrics, '/metrics', 'waybill_build_info'))]
}

/** A port of 0 is a free one. `mark` is in the reply of Waybill to `path`. */
async function checkPort(
  what: string,
  { host, port }: Address,
  path: string,
  mark: string,
): Promise<Finding[]> {
  if (port === 0) return []
  const { ok, problem } = findingsOf('ports')
  const fault = await listenFault({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  const name = `port ${port} of ${what}`
  if (fault === undefined) return [ok(`${name} is free on ${host}`)]
  if (fault !== 'EADDRINUSE')
    return [problem(`${name} cannot be opened on ${host}: ${fault}`, 'see docs/configuration.md')]
  return (await hasReply({ host, port }, path, mark))
    ? [ok(`${name} is used by a running Waybill`)]
    : [problem(`${name} is used by another program`, 'stop it, or choose another port')]
}

/** The code of the error, such as EACCES. Undefined if the port can be opened. */
function listenFault(address: Address): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(String((error as { code?: unknown }).code)))
    server.listen(address, () => server.close(() => resolve(undefined)))
  })
}

/** Metrics come after seven seconds if a worker does not respond. */
const REPLY_LIMIT_MS = 8_000
async function hasReply({ host, port }: Address, path: string, mark: string): Promise<boolean> {
  const url = new URL(`http://localhost:${port}${path}`)
  if (!EVERY_ADDRESS.includes(host)) url.hostname = host.includes(':') ? `[${host}]` : host
  try {
    const reply = await fetch(url, { signal: AbortSignal.timeout(REPLY_LIMIT_MS) })
    return (await reply.text()).includes(mark)
  } catch {
    return false
  }
}
