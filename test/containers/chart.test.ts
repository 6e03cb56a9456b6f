/**
 * The Helm chart in deploy/helm, rendered by Helm, against the schemas of Kubernetes, the service and the
 * documentation.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { isExposed } from '../../src/carriers/settings.ts'
import { DEFAULT_LIMITS } from '../../src/http/server.ts'
import { CANCEL_POLICY } from '../../src/operations/ask-carrier/policy.ts'
import { readPage } from '../docs/pages.ts'
import { CHART, findHelm, type Manifest, render } from './render.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8')

const MINIMAL = {
  settings: { DATABASE_URL: 'postgres://waybill@db:5432/waybill' },
  secrets: { existingSecret: 'waybill' },
}

/** Every optional object and field. */
const EVERYTHING = {
  fullnameOverride: 'gateway',
  image: { repository: 'registry.example/waybill', digest: `sha256:${'0a'.repeat(32)}` },
  imagePullSecrets: [{ name: 'registry' }],
  settings: { ...MINIMAL.settings, WAYBILL_TRUSTED_PROXIES: '10.0.0.0/8', PGSSLMODE: 'verify-full' },
  secrets: {
    files: { WAYBILL_CARRIERS: 'carriers.json', WAYBILL_TOKEN_SECRET_FILE: 'token-secret' },
    externalSecret: {
      enabled: true,
      storeRef: { name: 'vault' },
      remoteRefs: {
        'postgres-password': { key: 'waybill/production', property: 'password' },
        'carriers.json': { key: 'waybill/carriers' },
        'token-secret': { key: 'waybill/token' },
      },
    },
  },
  migrations: { settings: { DATABASE_URL: 'postgres://owner@db:5432/waybill' } },
  service: { type: 'LoadBalancer', annotations: { a: 'b' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    annotations: { a: 'b' },
    host: 'api.example.com',
    tlsSecret: 'tls',
  },
  drain: { preStopSeconds: 10, lameDuckMs: 7_001 },
  autoscaling: { enabled: true },
  metrics: {
    serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
    prometheusRule: { enabled: true, labels: { release: 'prometheus' } },
    dashboard: { enabled: true },
  },
  networkPolicy: {
    from: [{ namespaceSelector: { matchLabels: { name: 'ingress' } } }],
    metricsFrom: [{ namespaceSelector: { matchLabels: { name: 'monitoring' } } }],
    databaseTo: [{ ipBlock: { cidr: '10.1.2.0/24' } }],
    extraEgress: [{ ports: [{ port: 4318 }] }],
  },
  serviceAccount: { annotations: { a: 'b' } },
  podAnnotations: { a: 'b' },
  podLabels: { team: 'shipping' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
  priorityClassName: 'high',
  topologySpreadConstraints: [
    { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} },
  ],
  extraVolumes: [{ name: 'connectors', configMap: { name: 'connectors' } }],
  extraVolumeMounts: [{ name: 'connectors', mountPath: '/etc/waybill/connectors', readOnly: true }],
}

const LEAST = {
  settings: { DATABASE_URL: '' },
  secrets: { existingSecret: 'waybill', files: { DATABASE_URL_FILE: 'url', PGPASSWORD_FILE: null } },
  migrations: { enabled: false },
  metrics: { enabled: false },
  networkPolicy: { enabled: false },
  podDisruptionBudget: { enabled: false },
  serviceAccount: { name: 'existing' },
  drain: { preStopSeconds: 0, lameDuckMs: 0 },
}

const CASES = { MINIMAL, EVERYTHING, LEAST }

const helm = await findHelm()
if (helm === undefined)
  console.log(
    'the Helm chart: skipped, Helm is not installed (node tools/install.mjs tools/helm, or set HELM to its path)',
  )

function objectsOf(values: object): readonly Manifest[] {
  const { manifests, fault } = render(helm ?? '', values)
  expect(fault).toBe('')
  return manifests
}

function one(manifests: readonly Manifest[], kind: string, suffix = ''): Manifest {
  const found = manifests.filter((object) => object.kind === kind && object.metadata.name.endsWith(suffix))
  expect(found.length).toBeGreaterThan(0)
  return found[0]!
}

/** The module with the schema and the types of an object's kind. */
function moduleOf({ apiVersion }: Manifest): string {
  const [group = ''] = apiVersion.split('/')
  const packages: Readonly<Record<string, string>> = {
    'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
    'external-secrets.io': '@kubernetes-models/external-secrets',
  }
  return `${packages[group] ?? 'kubernetes-models'}/${apiVersion}`
}

const mountedBy = (pod: Manifest['spec']): string[] =>
  pod.volumes
    .find(({ name }: { name: string }) => name === 'secrets')
    .secret.items.map(({ path }: { path: string }) => path)

const podsOf = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind)).map(({ spec }) => spec.template)

describe.skipIf(helm === undefined)('the Helm chart', () => {
  test('passes the strict lint', () => {
    const values = JSON.stringify(MINIMAL)
    const { status, stdout } = spawnSync(helm ?? '', ['lint', '--strict', CHART, '--values', '-'], {
      input: values,
      encoding: 'utf8',
    })
    expect(stdout).toContain('1 chart(s) linted, 0 chart(s) failed')
    expect(status).toBe(0)
  })

  test.each(
    Object.entries(CASES),
  )('renders objects that the schemas of Kubernetes accept: %s', async (_name, values) => {
    for (const manifest of objectsOf(values)) {
      const kinds = await import(moduleOf(manifest))
      expect(() => new kinds[manifest.kind](manifest).validate(), JSON.stringify(manifest)).not.toThrow()
    }
  })

  test('renders no field that the types of Kubernetes do not have', () => {
    // The compiler refuses unknown fields of object literals at every depth. The schemas allow them.
    const manifests = Object.values(CASES).flatMap(objectsOf)
    const check = (objects: readonly object[]): string => {
      const lines = objects.map((manifest, index) => {
        const { kind } = manifest as Manifest
        const type = `import('${moduleOf(manifest as Manifest)}').I${kind}`
        return `export const object${index}: ${type} = ${JSON.stringify(manifest)}`
      })
      const folder = path.join(import.meta.dirname, 'node_modules/.cache/manifests')
      mkdirSync(folder, { recursive: true })
      const file = path.join(folder, `${process.pid}.mts`)
      writeFileSync(file, lines.join('\n'))
      const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
      const options = ['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext']
      return spawnSync(process.execPath, [compiler, ...options, file], { encoding: 'utf8' }).stdout
    }
    expect(check(manifests)).toBe('')
    const deployment = structuredClone(one(manifests, 'Deployment'))
    deployment.spec.template.spec.containers[0].livenessProbe.httpGet.prot = 1
    expect(check([deployment])).toMatch(/"prot"' does not exist in type 'IHTTPGetAction'/)
  })

  test('has the version of the service, and uses its image', () => {
    const { version } = JSON.parse(read('package.json'))
    expect(parse(read('deploy/helm/waybill/Chart.yaml'))).toMatchObject({ version, appVersion: version })
    for (const pod of podsOf(objectsOf(MINIMAL)))
      expect(pod.spec.containers[0].image).toBe(`waybill:${version}`)
    for (const pod of podsOf(objectsOf(EVERYTHING)))
      expect(pod.spec.containers[0].image).toBe(`registry.example/waybill@sha256:${'0a'.repeat(32)}`)
  })

  test.each(Object.entries(CASES))('gives pods no rights and a memory limit: %s', (_name, values) => {
    const pods = podsOf(objectsOf(values))
    expect(pods.length).toBe(values === LEAST ? 1 : 2)
    for (const { spec } of pods) {
      const { runAsNonRoot, runAsUser, seccompProfile } = spec.securityContext
      expect({ runAsNonRoot, runAsUser, seccompProfile }).toEqual({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(spec.automountServiceAccountToken).toBe(false)
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      expect(spec.containers[0].resources.limits.memory).toMatch(/^\d+[MG]i$/)
    }
  })

  test('mounts secrets as files that the service accepts, and puts none into the environment', () => {
    const { spec } = one(objectsOf(EVERYTHING), 'Deployment').spec.template
    expect(mountedBy(spec)).toEqual(['carriers.json', 'postgres-password', 'token-secret'])
    for (const { spec } of podsOf(objectsOf(EVERYTHING))) {
      const { secret } = spec.volumes.find(({ name }: { name: string }) => name === 'secrets')
      expect(isExposed({ mode: secret.defaultMode, uid: 0 }, spec.securityContext.runAsUser)).toBe(false)
      expect(spec.securityContext.fsGroup).toBe(spec.securityContext.runAsGroup)
      const [{ env, volumeMounts }] = spec.containers
      expect(env.filter((variable: object) => 'valueFrom' in variable)).toEqual([])
      expect(env).toContainEqual({
        name: 'PGPASSWORD_FILE',
        value: '/etc/waybill/secrets/postgres-password',
      })
      expect(volumeMounts).toContainEqual({
        name: 'secrets',
        mountPath: '/etc/waybill/secrets',
        readOnly: true,
      })
    }
  })

  test('gives the migration the secrets and settings of the database only, because others may not exist yet', () => {
    const { spec } = one(objectsOf(EVERYTHING), 'Job').spec.template
    expect(mountedBy(spec)).toEqual(['postgres-password'])
    expect(spec.containers[0].env.map(({ name }: { name: string }) => name)).toEqual([
      'DATABASE_URL',
      'PGPASSWORD_FILE',
      'PGSSLMODE',
      'WAYBILL_LAME_DUCK_MS',
    ])
  })

  test('sets only documented settings', () => {
    const documented = new Set(
      [...readPage('docs/configuration.md').text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name),
    )
    const names = Object.values(CASES)
      .flatMap((values) => podsOf(objectsOf(values)))
      .flatMap(({ spec }) => spec.containers[0].env.map(({ name }: { name: string }) => name))
    expect(names).toContain('WAYBILL_LAME_DUCK_MS')
    // Read by the driver of the database.
    expect(names.filter((name) => !documented.has(name) && name !== 'PGSSLMODE')).toEqual([])
  })

  test.each(
    Object.entries(CASES),
  )('gives the service the time that it needs to stop: %s', (_name, values) => {
    const { spec } = one(objectsOf(values), 'Deployment').spec.template
    const [{ env, lifecycle }] = spec.containers
    const lameDuckMs = Number(env.find(({ name }: { name: string }) => name === 'WAYBILL_LAME_DUCK_MS').value)
    const preStopSeconds = Number(lifecycle?.preStop.exec.command[1] ?? 0)
    const [, databaseMs = ''] = /DATABASE_CLOSE_MS = ([\d_]+)/.exec(read('src/app/context.ts')) ?? []
    const serviceMs =
      lameDuckMs + DEFAULT_LIMITS.closingMs + CANCEL_POLICY.deadlineMs + Number(databaseMs.replace('_', ''))
    const spareMs = spec.terminationGracePeriodSeconds * 1_000 - preStopSeconds * 1_000 - serviceMs
    expect(spareMs).toBeGreaterThanOrEqual(1_000)
    expect(spareMs).toBeLessThan(3_000)
  })

  test('waits for a start as long as the service waits for the database and for locks of migrations', () => {
    const { spec } = one(objectsOf(MINIMAL), 'Deployment').spec.template
    const [{ startupProbe, livenessProbe, readinessProbe }] = spec.containers
    expect(startupProbe.periodSeconds * startupProbe.failureThreshold).toBeGreaterThanOrEqual(60 + 300 + 30)
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/healthz',
      '/healthz',
      '/readyz',
    ])
    // The check of the database takes up to a second.
    expect(readinessProbe.timeoutSeconds).toBeGreaterThan(1)
  })

  test.each(Object.entries(CASES))('selects its pods by labels that they have: %s', (_name, values) => {
    const manifests = objectsOf(values)
    const service = one(manifests, 'Deployment').spec.template.metadata.labels
    const selectors = manifests.flatMap(({ kind, spec }) =>
      kind === 'Service' ? [spec.selector] : kind === 'Job' ? [] : (spec?.selector?.matchLabels ?? []),
    )
    const pods = selectors.filter((selector) => selector['app.kubernetes.io/component'] !== 'metrics')
    expect(pods.length).toBe({ MINIMAL: 4, EVERYTHING: 4, LEAST: 2 }[_name])
    for (const selector of pods) expect(service).toMatchObject(selector)
    const migration = manifests.find(({ kind }) => kind === 'Job')?.spec.template.metadata.labels
    if (migration !== undefined)
      expect(migration['app.kubernetes.io/component']).not.toBe(service['app.kubernetes.io/component'])
  })

  test('migrates before the replicas are replaced', () => {
    const existing = one(objectsOf(MINIMAL), 'Job')
    expect(existing.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade')
    expect(existing.spec.template.spec.containers[0].command).toEqual([
      'node',
      'dist/cli/waybill.js',
      'migrate',
    ])
    // The account of the chart does not exist before the installation.
    expect(existing.spec.template.spec.serviceAccountName).toBeUndefined()
    const external = one(objectsOf(EVERYTHING), 'Job')
    expect(external.metadata.annotations?.['helm.sh/hook']).toBe('pre-upgrade')
    expect(external.spec.template.spec.containers[0].env).toContainEqual({
      name: 'DATABASE_URL',
      value: 'postgres://owner@db:5432/waybill',
    })
    const owner = { DATABASE_URL: 'postgres://owner@db:5432/waybill', DATABASE_URL_FILE: null }
    const other = one(objectsOf({ ...LEAST, migrations: { settings: owner } }), 'Job')
    const names = other.spec.template.spec.containers[0].env.map(({ name }: { name: string }) => name)
    expect(names).toContain('DATABASE_URL')
    expect(names).not.toContain('DATABASE_URL_FILE')
  })

  test('has the alert rules and the dashboard of deploy, for the job that the alerts name', () => {
    const manifests = objectsOf(EVERYTHING)
    expect(one(manifests, 'PrometheusRule').spec).toEqual(parse(read('deploy/prometheus/waybill.rules.yml')))
    expect(one(manifests, 'ConfigMap').data?.['waybill.json']).toBe(read('deploy/grafana/waybill.json'))
    const { jobLabel, selector, endpoints } = one(manifests, 'ServiceMonitor').spec
    const metrics = one(manifests, 'Service', '-metrics')
    expect(metrics.metadata.labels).toMatchObject(selector.matchLabels)
    expect(metrics.metadata.labels[jobLabel]).toBe('waybill')
    expect(read('deploy/prometheus/waybill.rules.yml')).toContain('up{job="waybill"}')
    expect(endpoints[0].port).toBe(metrics.spec.ports[0].name)
  })

  test('scales by a metric that the documented rule of the adapter derives from a recording rule', () => {
    const { metrics } = one(objectsOf(EVERYTHING), 'HorizontalPodAutoscaler').spec
    const page = readPage('docs/kubernetes.md').text
    const [, block = ''] = /```yaml\n(rules:\n[^`]*)```/.exec(page) ?? []
    const [rule] = parse(block).rules.custom
    expect(metrics[0].pods.metric.name).toBe(rule.name.as)
    const [series] = rule.seriesQuery.split('{')
    expect(read('deploy/prometheus/waybill.rules.yml')).toContain(`record: ${series}\n`)
  })

  test('accepts the values on the page', () => {
    const page = readPage('docs/kubernetes.md').text
    const blocks = [...page.matchAll(/^ *```yaml\n([^`]*)```/gm)].map(([, block = '']) =>
      parse(block.replace('sha256:…', `sha256:${'0a'.repeat(32)}`)),
    )
    const examples = blocks.filter((block) => !('rules' in block))
    expect(examples.length).toBe(3)
    for (const example of examples) {
      const settings = { ...MINIMAL.settings, ...example.settings }
      const secrets = { ...MINIMAL.secrets, ...example.secrets }
      expect(objectsOf({ ...example, settings, secrets }).length).toBeGreaterThan(5)
    }
  })

  test('publishes neither health checks nor metrics', () => {
    const manifests = objectsOf(EVERYTHING)
    const { tls, rules } = one(manifests, 'Ingress').spec
    expect(tls).toEqual([{ hosts: ['api.example.com'], secretName: 'tls' }])
    expect(rules[0].http.paths.map((entry: { path: string }) => entry.path)).toEqual([
      '/partners-api/v1',
      '/graphql',
      '/events',
      '/carrier-events',
    ])
    const published = manifests.filter(({ kind, spec }) => kind === 'Service' && spec.clusterIP !== 'None')
    expect(published.map(({ spec }) => spec.ports.map(({ name }: { name: string }) => name))).toEqual([
      ['http'],
    ])
    expect(one(objectsOf(MINIMAL), 'NetworkPolicy').spec.ingress).toEqual([{ ports: [{ port: 'http' }] }])
  })

  test.each([
    ['a Secret', { secrets: { existingSecret: '' } }, 'secrets.existingSecret: name the Secret'],
    ['two Secrets', { secrets: { externalSecret: { enabled: true } } }, 'only one of them'],
    ['a database', { settings: { DATABASE_URL: '' } }, 'settings.DATABASE_URL: give the URL'],
    [
      'a password in the URL',
      { settings: { DATABASE_URL: 'postgres://a:b@c/d' } },
      /settings[./]DATABASE_URL/,
    ],
    [
      'a password in the parameters of the URL',
      { settings: { DATABASE_URL: 'postgres://a@c/d?sslmode=require&password=b' } },
      /settings[./]DATABASE_URL/,
    ],
    [
      'a password in the URL of the limits',
      { settings: { WAYBILL_SHARED_LIMITS: 'rediss://a:b@c' } },
      /settings[./]WAYBILL_SHARED_LIMITS/,
    ],
    ['a secret as a setting', { settings: { PGPASSWORD: 'secret' } }, /property ?name.*PGPASSWORD/i],
    [
      'the key of a collector as a setting',
      { settings: { OTEL_EXPORTER_OTLP_HEADERS: 'a=b' } },
      /property ?name.*OTEL_EXPORTER_OTLP_HEADERS/i,
    ],
    ['a setting that the chart sets', { settings: { WAYBILL_LAME_DUCK_MS: '1' } }, 'the chart sets it'],
    [
      'a setting that is also a file',
      { settings: { WAYBILL_CARRIERS: '/a' }, secrets: { files: { WAYBILL_CARRIERS: 'carriers.json' } } },
      'settings.WAYBILL_CARRIERS: also in secrets.files',
    ],
    ['another port', { settings: { PORT: '1' } }, /property ?name.*PORT/i],
    ['an unknown value', { replica: 3 }, /additional propert.*replica.*not allowed/i],
    ['a wrong digest', { image: { digest: 'sha256:1' } }, /image[./]digest/],
    ['no memory limit', { resources: { limits: { memory: null } } }, /resources[./]limits/],
    [
      'an autoscaler without metrics',
      { autoscaling: { enabled: true, inFlightRequests: null, cpuPercent: null } },
      'inFlightRequests or cpuPercent',
    ],
    [
      'an autoscaler with an empty range',
      { autoscaling: { enabled: true, minReplicas: 7 } },
      'autoscaling.minReplicas: greater',
    ],
    ['an ingress without TLS', { ingress: { enabled: true, host: 'a.example' } }, 'ingress.tlsSecret'],
    [
      'an ExternalSecret without a reference',
      { secrets: { existingSecret: '', externalSecret: { enabled: true, storeRef: { name: 'vault' } } } },
      'postgres-password missing',
    ],
  ])('refuses %s and names the value', (_name, values, message) => {
    const merged = {
      settings: { ...MINIMAL.settings, ...('settings' in values ? values.settings : {}) },
      secrets: { ...MINIMAL.secrets, ...('secrets' in values ? values.secrets : {}) },
    }
    expect(render(helm ?? '', { ...values, ...merged }).fault).toMatch(message)
  })

  test('refuses a release whose name cannot be that of a Service, unless another name is given', () => {
    expect(render(helm ?? '', MINIMAL, '2shop').fault).toContain('fullnameOverride: give a name')
    expect(render(helm ?? '', { ...MINIMAL, fullnameOverride: 'shop' }, '2shop').fault).toBe('')
  })

  test('is packaged with the files that its links lead to', () => {
    const folder = path.join(import.meta.dirname, 'node_modules/.cache/package')
    mkdirSync(folder, { recursive: true })
    const { version } = JSON.parse(read('package.json'))
    execFileSync(helm ?? '', ['package', CHART, '--destination', folder], { stdio: 'ignore' })
    const archive = path.join(folder, `waybill-${version}.tgz`)
    const listed = execFileSync('tar', ['tzvf', archive], { encoding: 'utf8' })
    expect(listed).toMatch(/^-.* waybill\/files\/waybill\.rules\.yml$/m)
  })
})
