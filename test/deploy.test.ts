/** Checks the deployment files against docs/production.md and the limits of the server. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { DEFAULT_LIMITS } from '../src/http/server.ts'
import { installed, type ProgramName } from './campaigns/replicas/programs.ts'
import { configureProxy, PORTS, type ProxyKind, startProxy } from './campaigns/replicas/proxies.ts'

const read = (file: string): string => readFileSync(path.resolve(import.meta.dirname, '..', file), 'utf8')

/** The services of a compose file: name and lines. */
function servicesOf(compose: string): [name: string, lines: string][] {
  const [, services = ''] = /\nservices:\n((?: {2}.*\n|\n)+)/.exec(compose) ?? []
  return services
    .split(/^ {2}(?=\w)/m)
    .slice(1)
    .map((service) => [service.slice(0, service.indexOf(':')), service])
}

const compose = servicesOf(read('docker-compose.yml'))

test('the compose file has the service, its database and what the profiles add', () => {
  expect(compose.map(([name]) => name)).toEqual(['postgres', 'waybill', 'pgbouncer', 'prometheus', 'grafana'])
})

describe.each(compose)('the container of %s', (_name, service) => {
  test('has no privileges beyond those of its user', () => {
    expect(service).toMatch(/^ {4}user: (node|postgres|nobody|"472")$/m)
    expect(service).toMatch(/^ {4}cap_drop:\n {6}- ALL$/m)
    expect(service).toMatch(/^ {4}security_opt:\n {6}- no-new-privileges:true$/m)
    expect(service).not.toMatch(/cap_add|privileged:/)
  })

  test('has limits of memory and processes', () => {
    expect(service).toMatch(/^ {4}mem_limit: \d+[mg]$/m)
    expect(service).toMatch(/^ {4}pids_limit: \d+$/m)
  })

  test('has a limited log', () => {
    expect(read('docker-compose.yml')).toMatch(
      /^x-logging: &logging\n {2}driver: local\n {2}options:\n {4}max-size: 100m\n {4}max-file: "10"$/m,
    )
    expect(service).toMatch(/^ {4}logging: \*logging$/m)
  })

  test('publishes ports on the loopback interface only', () => {
    const published = [...service.matchAll(/^ {6}- "(.*:\d+)"$/gm)].map(([, port]) => port)
    expect(published.every((port) => port?.startsWith('127.0.0.1:'))).toBe(true)
    expect(service.includes('ports:')).toBe(published.length > 0)
  })
})

test('the password of the database is not part of a URL', () => {
  expect(new Map(compose).get('waybill')).toMatch(
    /^ {6}DATABASE_URL: postgres:\/\/waybill@\$\{DATABASE_HOST:-postgres:5432\}\/waybill\n {6}PGPASSWORD: \$\{POSTGRES_PASSWORD\}$/m,
  )
})

test('the image runs Node 24 as an unprivileged user, with a heap that follows the memory limit of the container', () => {
  const image = read('Dockerfile')
  expect(image).toMatch(/^ARG NODE_IMAGE=node:24-/m)
  expect(image).toMatch(/^USER node$/m)
  const [, percentage] = /NODE_OPTIONS=--max-old-space-size-percentage=(\d+)$/m.exec(image) ?? []
  expect(Number(percentage)).toBeGreaterThanOrEqual(50)
  expect(Number(percentage)).toBeLessThanOrEqual(70)
})

test('the health check of the image asks the port of the setting', async () => {
  const [, command = ''] = /HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? []
  const [, ...options]: string[] = JSON.parse(command)
  const asked: (string | undefined)[] = []
  const statuses = [200, 503]
  const service = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(statuses.shift() ?? 500).end()
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  const { port } = service.address() as AddressInfo
  const exitCode = async () => {
    const env = { ...process.env, PORT: String(port) }
    const [code] = await once(spawn(process.execPath, options, { env }), 'exit')
    return code
  }
  expect([await exitCode(), await exitCode()]).toEqual([0, 1])
  expect(asked).toEqual(['/readyz', '/readyz'])
  service.close()
})

test('every image can be replaced by one with a digest', () => {
  // An ARG before the first FROM applies to every FROM.
  const dockerfile = read('Dockerfile')
  const [, ...stages] = dockerfile.split(/^FROM /m)
  expect(stages.length).toBe(2)
  expect(stages.every((stage) => /^\$\{NODE_IMAGE\}(?: AS build)?\n/.test(stage))).toBe(true)
  // An ARG before the first FROM applies to every FROM.
  const [, byDefault = ''] = /^ARG NODE_IMAGE=(.*)\n(?:#.*\n)*FROM /m.exec(dockerfile) ?? []
  expect(byDefault).toBe('node:24-bookworm-slim')
  const services = new Map(compose)
  expect(services.get('postgres')).toMatch(/^ {4}image: \$\{POSTGRES_IMAGE:-postgres:18\}$/m)
  const [, passed] =
    /^ {6}args:\n {8}NODE_IMAGE: \$\{NODE_IMAGE:-(.*)\}$/m.exec(services.get('waybill')!) ?? []
  expect(passed).toBe(byDefault)
  const page = read('docs/production.md')
  for (const name of ['NODE_IMAGE', 'POSTGRES_IMAGE']) expect(page).toContain(`${name}=`)
  const named = compose.flatMap(([, lines]) => lines.match(/^ {4}image: .*$/gm) ?? [])
  expect(named.length).toBe(3)
  for (const image of named) expect(image).toMatch(/^ {4}image: \$\{\w+_IMAGE:-[\w./-]+:[\w.-]+\}$/)
})

describe.each([
  [
    'deploy/nginx.conf',
    /keepalive_timeout (\d+)s/g,
    /proxy_read_timeout (\d+)s/,
    /client_max_body_size (\d+)k/,
    1024,
  ],
  [
    'deploy/haproxy.cfg',
    /timeout http-keep-alive (\d+)s/g,
    /timeout server (\d+)s/,
    /req\.body_size gt (\d+) /,
    1,
  ],
  ['deploy/Caddyfile', /keepalive (\d+)s/g, /response_header_timeout (\d+)s/, /max_size (\d+)KiB/, 1024],
])('the proxy of %s', (file, keepAlive, wait, body, unit) => {
  const proxy = read(file)

  test('closes idle connections before the service does', () => {
    const seconds = [...proxy.matchAll(keepAlive)].map(([, number]) => Number(number))
    expect(seconds.length).toBeGreaterThan(0)
    for (const second of seconds) expect(second * 1_000).toBeLessThan(DEFAULT_LIMITS.keepAliveMs)
  })

  test('waits longer than a cancellation may take', () => {
    expect(Number(wait.exec(proxy)?.[1])).toBeGreaterThan(12)
  })

  test('lets the service refuse bodies that are too large', () => {
    expect(Number(body.exec(proxy)?.[1]) * unit).toBeGreaterThan(DEFAULT_LIMITS.bodyBytes)
  })

  test('does not expose health checks', () => {
    expect(proxy).toMatch(/\/healthz/)
    expect(proxy).toMatch(/\/readyz/)
  })
})

test('the image has the labels of the Open Container Initiative, with the version of package.json', () => {
  const image = read('Dockerfile').split(/^FROM /m)[2] ?? ''
  const { version, license }: { version: string; license: string } = JSON.parse(read('package.json'))
  expect(image).toContain(`\nARG VERSION=${version}\n`)
  const labels = Object.fromEntries(
    [...image.matchAll(/org\.opencontainers\.image\.(\w+)="(?:\$\{)?(.*?)\}?"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  )
  expect(labels).toEqual({
    title: 'Waybill',
    description: 'A self-hosted shipping partner gateway',
    licenses: license,
    version: 'VERSION',
    revision: 'REVISION',
    source: 'SOURCE',
  })
})

test('the image gets every file of tools that its build names', () => {
  const allowed: readonly string[] = read('.dockerignore').match(/^!tools\/.+$/gm) ?? []
  const named = ['tools/build.mjs', 'tools/sbom.mjs', 'Dockerfile'].flatMap(
    (file) => read(file).match(/(?<=['" ])(?:\.\/|tools\/)[\w/.-]+(?=['" ])/g) ?? [],
  )
  const files = named
    .filter((file) => file.startsWith('tools/') || file.endsWith('.mjs') || file.endsWith('.json'))
    // Of a folder, the folder is allowed.
    .map((file) => `!tools/${file.replace(/^(?:\.\/|tools\/)/, '')}`)
    .map((file) => file.replace(/^(!tools\/[\w-]+)\/.*/, '$1'))
  expect(files).toContain('!tools/connector-types.json')
  expect(files).toContain('!tools/sbom')
  expect(files).toContain('!tools/sbom.mjs')
  expect(files.filter((file) => !allowed.includes(file))).toEqual([])
})

describe('several replicas', () => {
  const nginx = read('deploy/nginx.conf')
  const haproxy = read('deploy/haproxy.cfg')
  const serversOf = (text: string): readonly number[] =>
    [...text.matchAll(/^ {2}server .*127\.0\.0\.1:(\d+)/gm)].map(([, port]) => Number(port))
  const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? Number.NaN)

  test('have the same addresses in all lists', () => {
    expect(serversOf(nginx)).toEqual(PORTS)
    expect(
      haproxy
        .split(/^backend /m)
        .slice(1)
        .map(serversOf),
    ).toEqual([PORTS, PORTS])
  })

  test('lose no connection when one of them stops', () => {
    const [, upstream = ''] = /upstream waybill \{(.*?)\n\}/s.exec(nginx) ?? []
    expect(numberIn(upstream, /keepalive_timeout (\d+)s/) * 1_000).toBeLessThan(DEFAULT_LIMITS.lameDuckMs)
    const checks = numberIn(haproxy, /fall (\d+)/) + 1
    expect(checks * numberIn(haproxy, /inter (\d+)ms/)).toBeLessThan(DEFAULT_LIMITS.lameDuckMs)
  })

  test('get a request again after it was sent only if it calculates', () => {
    const repeating = [...nginx.matchAll(/location (\S+(?: \S+)?) \{([^}]*)\}/g)].filter(([, , body]) =>
      body?.includes('non_idempotent'),
    )
    expect(repeating.map(([, where]) => where)).toEqual([
      '~ ^/partners-api/v1/(rates|duties-taxes-estimate)$',
    ])
    expect(haproxy.match(/retry-on .*/g)).toEqual(['retry-on conn-failure'])
  })
})

test('a Patroni cluster confirms commits only with a standby, and can renew its lock in time', () => {
  const { bootstrap } = parse(read('deploy/patroni.yml'))
  const { ttl, loop_wait: wait, retry_timeout: retry, ...dcs } = bootstrap.dcs
  expect(dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true })
  expect(dcs.postgresql.parameters.synchronous_commit).toBe('on')
  expect(ttl).toBeGreaterThanOrEqual(wait + 2 * retry)
})

test('a Patroni cluster can be changed only with a password', () => {
  const { restapi } = parse(read('deploy/patroni.yml'))
  expect(restapi.authentication).toEqual({ username: 'patroni', password: 'change-me-api' })
})

/** Runs the check of a program on its rendered configuration. Prints a line where a program is missing. */
function testWithPrograms(
  name: string,
  needed: readonly ProgramName[],
  run: (folder: string) => void | Promise<void>,
): void {
  const missing = needed.filter((program) => installed(program) === undefined)
  if (missing.length > 0)
    console.log(`skipped: ${name}: ${missing.join(', ')} is not installed on this machine`)
  test.skipIf(missing.length > 0)(name, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'waybill-deploy-'))
    try {
      await run(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

function expectAccepted(program: ProgramName, ...options: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(installed(program) ?? program, options, { encoding: 'utf8' })
  expect(stdout + stderr).not.toMatch(/\[(warn|WARNING|ALERT|emerg)\b/)
  expect(status).toBe(0)
}

testWithPrograms('nginx accepts its file', ['nginx', 'openssl'], (folder) => {
  expectAccepted('nginx', '-t', ...configureProxy('nginx', folder, 8443, [4101, 4102, 4103, 4104]).command)
})

testWithPrograms('HAProxy accepts its files', ['haproxy', 'openssl'], (folder) => {
  expectAccepted(
    'haproxy',
    '-c',
    ...configureProxy('haproxy', folder, 8443, [4101, 4102, 4103, 4104]).command,
  )
  expectAccepted('haproxy', '-c', '-f', path.resolve(import.meta.dirname, '../deploy/haproxy-postgres.cfg'))
})

testWithPrograms(
  'HAProxy accepts both files in one, with the first section global',
  ['haproxy', 'openssl'],
  (folder) => {
    configureProxy('haproxy', folder, 8443, [4101, 4102, 4103, 4104])
    const postgres = read('deploy/haproxy-postgres.cfg')
    const file = path.join(folder, 'haproxy.cfg')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n${postgres.slice(postgres.indexOf('\ndefaults\n'))}`)
    expectAccepted('haproxy', '-c', '-f', file)
  },
)

/** Starts the proxy in front of four addresses that lead to one server. */
async function withProxy(
  kind: ProxyKind,
  folder: string,
  answer: RequestListener,
  use: (proxy: Awaited<ReturnType<typeof startProxy>>) => Promise<void>,
): Promise<void> {
  const replica = createServer(answer).listen(0, '127.0.0.1')
  await once(replica, 'listening')
  const { port } = replica.address() as AddressInfo
  const steps: (() => unknown)[] = [() => replica.close()]
  try {
    const undo = { add: (step: () => unknown) => void steps.push(step) }
    await use(await startProxy(undo, kind, folder, [port, port, port, port]))
  } finally {
    for (const step of steps.reverse()) await step()
  }
}

for (const kind of ['nginx', 'haproxy'] as const) {
  const reached = `${kind} does not lead to health checks, however their path is written`
  testWithPrograms(reached, [kind, 'openssl'], (folder) =>
    withProxy(
      kind,
      folder,
      (request, response) => response.end(request.url),
      async (proxy) => {
        const statusOf = async (where: string) => (await proxy.fetch(`${proxy.origin}${where}`)).status
        for (const where of ['/healthz', '/readyz?verbose', '/%68ealthz', '/%72%65adyz?verbose'])
          expect(await statusOf(where), where).toBe(404)
        expect(await statusOf('/')).toBe(200)
      },
    ),
  )

  const repeated = `${kind} sends a cancellation to no second replica when the first one breaks the connection`
  testWithPrograms(repeated, [kind, 'openssl'], async (folder) => {
    let received = 0
    const answer: RequestListener = (request, response) => {
      if (request.method !== 'POST') return void response.end()
      received += 1
      // The first one leaves an idle connection behind, which the next one uses.
      if (received === 1) return void response.end()
      request.socket.destroy()
    }
    await withProxy(kind, folder, answer, async (proxy) => {
      const url = `${proxy.origin}/partners-api/v1/shipments/1/cancel`
      const cancel = async () =>
        (await proxy.fetch(url, { method: 'POST', body: '{}' }).catch(() => undefined))?.status
      // HAProxy closes the client's connection too, unless the request is the first one there.
      expect([await cancel(), await cancel()]).toEqual([200, { nginx: 502, haproxy: undefined }[kind]])
      expect(received).toBe(2)
    })
  })
}

test('Caddy does not end event streams: its limit for writing would count from the start of a response', () => {
  expect(read('deploy/Caddyfile')).not.toMatch(/^\s+write /m)
})
