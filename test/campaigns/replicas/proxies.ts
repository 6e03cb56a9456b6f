/** The proxies of `deploy` in front of replicas, with the ports, paths and users of this machine. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Agent, fetch } from 'undici'
import { isRoot } from '../../../src/store/embedded-postgres/run-as.ts'
import type { Undo } from '../storage/undo.ts'
import { deployed, findProgram, freePorts, startProgram, untilReady } from './programs.ts'

export type ProxyKind = 'nginx' | 'haproxy'

export type Proxy = {
  readonly origin: string
  /** `fetch` that trusts the certificate of the proxy. */
  readonly fetch: typeof globalThis.fetch
  stop(): Promise<void>
}

/** The ports in the configuration files, one for each replica. The last one is free until an upgrade. */
export const PORTS = [4000, 4001, 4002, 4003] as const
const HOST = 'shipping.example.com'

type Certificate = { readonly certificate: string; readonly key: string }

/** Throws Missing if the program is not installed. */
export async function startProxy(
  undo: Undo,
  kind: ProxyKind,
  place: string,
  replicaPorts: readonly number[],
): Promise<Proxy> {
  const program = findProgram(kind)
  const folder = path.join(place, kind)
  mkdirSync(folder)
  const [port = 0] = await freePorts(1)
  const { command, certificate } = configureProxy(kind, folder, port, replicaPorts)
  const running = startProgram(undo, [program, ...command])
  const origin = `https://127.0.0.1:${port}`
  const agent = new Agent({
    connect: { ca: readFileSync(certificate, 'utf8'), servername: HOST },
    // A proxy that stalls must not look like a slow one.
    headersTimeout: 40_000,
  })
  undo.add(() => agent.destroy())
  const send = ((url: string, init: object) =>
    fetch(url, { ...init, dispatcher: agent })) as unknown as typeof globalThis.fetch
  await untilReady(running, kind, async () => (await send(`${origin}/readyz`)).status === 404)
  return {
    origin,
    fetch: send,
    async stop() {
      await agent.close()
      await running.end('SIGTERM')
    },
  }
}

function makeCertificate(folder: string): Certificate {
  const certificate = path.join(folder, 'fullchain.pem')
  const key = path.join(folder, 'privkey.pem')
  const wanted = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const names = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  execFileSync(
    findProgram('openssl'),
    ['req', '-x509', ...wanted, ...names, '-keyout', key, '-out', certificate],
    {
      stdio: 'ignore',
    },
  )
  return { certificate, key }
}

function portsOf(replicaPorts: readonly number[]): readonly (readonly [string, string])[] {
  return PORTS.map((from, index) => [`127.0.0.1:${from}`, `127.0.0.1:${replicaPorts[index]}`])
}

/**
 * Writes the configuration of a proxy that listens on `port` into the folder, with a certificate of its own. Returns
 * the command line that runs it in the foreground, without the program, and the file of the certificate.
 */
export function configureProxy(
  kind: ProxyKind,
  folder: string,
  port: number,
  replicaPorts: readonly number[],
): { readonly command: readonly string[]; readonly certificate: string } {
  const files = makeCertificate(folder)
  const command = kind === 'nginx' ? nginx : haproxy
  return { command: command(folder, port, replicaPorts, files), certificate: files.certificate }
}

function nginx(
  folder: string,
  port: number,
  replicaPorts: readonly number[],
  { certificate, key }: Certificate,
): readonly string[] {
  const site = deployed('nginx.conf', [
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['listen [::]:443 ssl;', ''],
    [`/etc/ssl/${HOST}/fullchain.pem`, certificate],
    [`/etc/ssl/${HOST}/privkey.pem`, key],
    ...portsOf(replicaPorts),
  ])
  writeFileSync(path.join(folder, 'waybill.conf'), site)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const main = [
    'worker_processes 2;',
    `pid ${folder}/nginx.pid;`,
    'error_log stderr warn;',
    'events {}',
    'http {',
    '  access_log off;',
    ...temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`),
    `  include ${folder}/waybill.conf;`,
    '}',
  ]
  const file = path.join(folder, 'main.conf')
  writeFileSync(file, `${main.join('\n')}\n`)
  return ['-c', file, '-e', 'stderr', '-g', 'daemon off;']
}

function haproxy(
  folder: string,
  port: number,
  replicaPorts: readonly number[],
  { certificate, key }: Certificate,
): readonly string[] {
  const pem = path.join(folder, 'both.pem')
  writeFileSync(pem, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'), { mode: 0o600 })
  const text = deployed('haproxy.cfg', [
    ['bind :443 ', `bind 127.0.0.1:${port} `],
    [`/etc/haproxy/${HOST}.pem`, pem],
    ...(isRoot() ? [] : ([['  user haproxy\n  group haproxy\n', '']] as const)),
    ...portsOf(replicaPorts),
  ])
  const file = path.join(folder, 'haproxy.cfg')
  writeFileSync(file, text)
  return ['-db', '-f', file]
}
