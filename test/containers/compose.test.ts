/** The compose file and the files that its profiles mount. test/deploy.test.ts checks what containers may do. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

type Service = {
  readonly profiles?: readonly string[]
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly command?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
}

const compose: {
  services: Record<'postgres' | 'waybill' | 'pgbouncer' | 'prometheus' | 'grafana', Service>
} = parse(read('docker-compose.yml'))

test('follows the schema of Compose', () => {
  const { $schema: _, ...schema } = JSON.parse(
    read('test/containers/node_modules/dclint/schemas/compose.schema.json'),
  )
  const ajv = new Ajv({ strict: false, validateFormats: false })
  expect(ajv.validate(schema, compose) || ajv.errors).toBe(true)
  const { waybill } = compose.services
  expect(ajv.validate(schema, { services: { waybill: { ...waybill, profile: [] } } })).toBe(false)
})

test('starts two services unless profiles are chosen', () => {
  const profiles = Object.entries(compose.services).map(([name, { profiles = [] }]) => [name, ...profiles])
  expect(profiles).toEqual([
    ['postgres'],
    ['waybill'],
    ['pgbouncer', 'pgbouncer'],
    ['prometheus', 'metrics'],
    ['grafana', 'metrics'],
  ])
})

test('PostgreSQL counts as healthy when the service can connect to it', () => {
  // The entrypoint of the image first runs a server that has only a socket.
  expect(compose.services.postgres.healthcheck?.test).toContain('--host=127.0.0.1')
})

test('mounts files that exist, and cannot be changed from inside', () => {
  const mounted = Object.values(compose.services)
    .flatMap(({ volumes = [] }) => volumes)
    .filter((volume) => volume.startsWith('./'))
  expect(mounted.length).toBe(5)
  for (const volume of mounted) {
    const [file = '', , mode] = volume.split(':')
    expect(existsSync(path.join(ROOT, file)), file).toBe(true)
    expect(mode).toBe('ro')
  }
})

test('Prometheus scrapes the documented port under the job of the alerts, with their rules', () => {
  const { rule_files, scrape_configs } = parse(read('deploy/prometheus/prometheus.yml'))
  expect(rule_files).toEqual(['waybill.rules.yml'])
  expect(scrape_configs[0].job_name).toBe('waybill')
  expect(read('docs/production.md')).toContain(
    `\nWAYBILL_METRICS_PORT=${scrape_configs[0].dns_sd_configs[0].port}\n`,
  )
  const { url } = parse(read('deploy/compose/grafana/datasources/waybill.yml')).datasources[0]
  expect(url).toBe('http://prometheus:9090')
})

const promtool = [process.env['PROMTOOL'], '/usr/bin/promtool'].find((file) => file && existsSync(file))

test.skipIf(promtool === undefined)('promtool accepts the configuration of Prometheus', () => {
  execFileSync(promtool ?? '', ['check', 'config', path.join(ROOT, 'deploy/prometheus/prometheus.yml')], {
    stdio: 'pipe',
  })
})

test('PgBouncer gets a list of users with any password', () => {
  const folder = makeThrowAwayFolder(tmpdir())
  const users = path.join(folder, 'users.txt')
  writeFileSync(path.join(folder, 'pgbouncer'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
  const script = compose.services.pgbouncer.command?.[2]
    ?.replaceAll('$$', '$')
    .replace('/tmp/users.txt', users)
  const { status } = spawnSync('sh', ['-ec', script ?? ''], {
    env: { PATH: `${folder}:${process.env['PATH']}`, POSTGRES_PASSWORD: `a"b '$HOME\\e%s` },
  })
  expect(status).toBe(0)
  expect(readFileSync(users, 'utf8')).toBe(`"waybill" "a""b '$HOME\\e%s"\n`)
  expect(read('deploy/compose/pgbouncer.ini')).toContain('\nauth_file = /tmp/users.txt\n')
})

test('pins every image by the digest that Docker finds', () => {
  const folder = makeThrowAwayFolder(tmpdir())
  const digest = `sha256:${'0a'.repeat(32)}`
  writeFileSync(path.join(folder, 'docker'), `#!/bin/sh\necho "$@" >> ${folder}/log\necho ${digest}\n`, {
    mode: 0o755,
  })
  const output = execFileSync(process.execPath, [path.join(ROOT, 'tools/pin-images.mjs')], {
    env: { PATH: `${folder}:${process.env['PATH']}` },
    encoding: 'utf8',
  })
  const lines = output.trim().split('\n')
  expect(lines.map((line) => line.split('=')[0]).sort()).toEqual([
    'DEBIAN_IMAGE',
    'GRAFANA_IMAGE',
    'NODE_IMAGE',
    'POSTGRES_IMAGE',
    'PROMETHEUS_IMAGE',
  ])
  for (const line of lines) expect(line).toMatch(/^\w+=[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/)
  expect(readFileSync(path.join(folder, 'log'), 'utf8')).toContain(
    'buildx imagetools inspect node:24-bookworm-slim --format {{.Manifest.Digest}}\n',
  )
})
