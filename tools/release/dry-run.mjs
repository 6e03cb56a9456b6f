/**
 * Makes everything that a release consists of, and publishes nothing: `npm run release:dry folder [version]`. Works on
 * a clone of the last commit, so the work tree is not changed. `folder` must be new or empty. See docs/releases.md.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { baseImage, pinnedImages } from './images.mjs'
import { isVersion, readVersion, releaseChangelog, writeVersion } from './version.mjs'

const ROOT = path.resolve(import.meta.dirname, '../..')

const [folder, version = '1.0.0'] = process.argv.slice(2)
if (folder === undefined || !isVersion(version)) {
  console.error('usage: npm run release:dry folder [version, such as 1.0.0]')
  process.exit(2)
}
const faults = checkStart(path.resolve(folder), version)
if (faults.length > 0) {
  for (const fault of faults) console.error(fault)
  process.exit(1)
}
const clone = mkdtempSync(path.join(tmpdir(), 'waybill-release-'))
try {
  dryRun({ output: path.resolve(folder), clone, version, day: new Date().toISOString().slice(0, 10) })
} catch (error) {
  console.error(`\nfailed: ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(clone, { recursive: true, force: true })
}

/** Why the release cannot begin. */
function checkStart(output, version) {
  const changed = git(ROOT, 'status', '--porcelain')
  const tags = git(ROOT, 'tag', '--list', `v${version}`)
  return [
    ...(changed === '' ? [] : [`the work tree has changes that are not committed:\n${changed}`]),
    ...(tags === '' ? [] : [`the tag v${version} exists already`]),
    ...(isWithin(output, ROOT) ? [`${output} is in the work tree: choose a folder outside`] : []),
    ...(existsSync(output) && readdirSync(output).length > 0 ? [`${output} is not empty`] : []),
  ]
}

function dryRun({ output, clone, version, day }) {
  const step = (text) => console.log(`\n== ${text}`)
  step(`clone ${git(ROOT, 'rev-parse', '--short', 'HEAD')} to ${clone}`)
  git(ROOT, 'clone', '--quiet', ROOT, clone)
  mkdirSync(output, { recursive: true })

  step('install')
  run(clone, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')

  step(`prepare ${version}: version, changelog, released schema`)
  const from = readVersion(clone)
  if (from !== version) writeVersion(clone, version)
  const notes = releaseChangelog(clone, version, day)
  run(clone, process.execPath, 'tools/schema-changes.mjs', 'release')
  writeFileSync(path.join(output, 'RELEASE_NOTES.md'), `# Waybill ${version}\n\n${notes}\n`)
  commitAndTag(clone, version)
  writeFileSync(path.join(output, 'release.patch'), `${git(clone, 'diff', 'HEAD~1')}\n`)

  step('build')
  run(clone, 'npm', 'run', 'build')
  const built = run(clone, process.execPath, 'dist/cli/waybill.js', '--version').trim()
  if (built !== version) throw new Error(`the built service has the version ${built}`)

  step('pack the service and the client')
  const packages = path.join(output, 'npm')
  mkdirSync(packages)
  run(clone, 'npm', 'run', 'build:client')
  // The name that a lock file has in a package. With it, an installation has the packages that are listed below.
  const lock = path.join(clone, 'npm-shrinkwrap.json')
  copyFileSync(path.join(clone, 'package-lock.json'), lock)
  for (const source of ['.', 'client'])
    run(path.join(clone, source), 'npm', 'pack', '--ignore-scripts', '--pack-destination', packages)
  rmSync(lock)

  step('schema and OpenAPI document')
  const api = path.join(output, 'api')
  mkdirSync(api)
  copyFileSync(path.join(clone, 'docs/schema-released.graphql'), path.join(api, 'schema.graphql'))
  copyFileSync(
    path.join(clone, 'schema/partner-api.openapi.json'),
    path.join(api, 'partner-api.openapi.json'),
  )

  step('packages and licenses')
  run(clone, 'npm', 'prune', '--omit=dev', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund')
  run(clone, process.execPath, 'tools/sbom.mjs', path.join(output, 'sbom'))

  step('chart')
  const isPackaged = packageChart(clone, output)

  step('images')
  const images = pinnedImages(clone)
  if (images === undefined)
    console.log('left out: Docker is not installed, so no image is pinned by its digest')
  else writeFileSync(path.join(output, 'images.env'), images)

  const files = writeChecksums(output)
  console.log(`\n${files.join('\n')}`)
  printPlan({ version, from, images, isPackaged, mentions: findMentions(clone, from, version) })
}

/** In the clone only. */
function commitAndTag(clone, version) {
  const author = ['-c', 'user.name=release', '-c', 'user.email=release@localhost']
  git(clone, ...author, 'commit', '--quiet', '--all', '--message', `Release ${version}`)
  git(clone, ...author, 'tag', '--annotate', '--message', `Waybill ${version}`, `v${version}`)
}

/** Helm is an archive for Linux on x64. Elsewhere HELM or the path names it. Returns whether there is a chart. */
function packageChart(clone, output) {
  if (process.platform === 'linux' && process.arch === 'x64')
    run(clone, process.execPath, 'tools/install.mjs', 'tools/helm')
  const script = `import('./tools/helm.mjs').then(({ findHelm }) => console.log(findHelm() ?? ''))`
  const helm = run(clone, process.execPath, '--eval', script).trim()
  if (helm === '') {
    console.log('left out: Helm is not installed, set HELM to its path')
    return false
  }
  run(clone, helm, 'package', 'deploy/helm/waybill', '--destination', path.join(output, 'helm'))
  return true
}

/** Writes SHA256SUMS, as sha256sum does. Returns its lines. */
function writeChecksums(output) {
  const lines = readdirSync(output, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(output, path.join(entry.parentPath ?? entry.path, entry.name)))
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => {
      const digest = createHash('sha256')
        .update(readFileSync(path.join(output, file)))
        .digest('hex')
      return `${digest}  ${file}`
    })
  writeFileSync(path.join(output, 'SHA256SUMS'), `${lines.join('\n')}\n`)
  return lines
}

/** Lines of the release that still name the version before, or say that there was no release. */
function findMentions(clone, from, version) {
  const pattern = [
    '-e',
    'has been released yet',
    ...(from === version ? [] : ['-e', `\\b${from.replaceAll('.', '\\.')}\\b`]),
  ]
  const places = [
    '--',
    '*.md',
    '*.mjs',
    '*.ts',
    '*.y*ml',
    'Dockerfile',
    '*.json',
    ':!*package-lock.json',
    ':!tools/release',
    ':!test',
    ':!examples/checkout/package.json',
  ]
  try {
    return git(clone, 'grep', '--line-number', '--perl-regexp', ...pattern, ...places).split('\n')
  } catch (error) {
    // It finds nothing.
    if (error.status === 1) return []
    throw error
  }
}

function printPlan({ version, from, images, isPackaged, mentions }) {
  const build = [
    ...[
      'docker buildx build',
      `--build-arg NODE_IMAGE=${baseImage(images)}`,
      `--build-arg VERSION=${version}`,
    ],
    ...['--build-arg REVISION=$(git rev-parse HEAD)', '--build-arg SOURCE=<URL of the repository>'],
    ...['--provenance=true', `--tag <registry>/waybill:${version}`, '--push .'],
  ].join(' ')
  const steps = [
    `git apply --index release.patch && git commit --message "Release ${version}"    (was ${from})`,
    `git tag --sign --message "Waybill ${version}" v${version} && git push origin main v${version}`,
    build,
    `npm publish npm/waybill-client-${version}.tgz`,
    ...(isPackaged ? [`helm push helm/waybill-${version}.tgz oci://<registry>/charts`] : []),
    'attach api, npm, sbom and SHA256SUMS to the release, with RELEASE_NOTES.md as its text',
  ]
  console.log(`\nNothing was published. The release of ${version} would do this:`)
  for (const [index, text] of steps.entries()) console.log(`${index + 1}. ${text}`)
  if (mentions.length > 0) console.log(`\nCheck these lines before:\n${mentions.join('\n')}`)
}

function isWithin(file, folder) {
  const relative = path.relative(folder, file)
  return relative === '' || !(relative.startsWith('..') || path.isAbsolute(relative))
}

/** Returns the output of git without the line break at its end. */
function git(folder, ...args) {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 }).trimEnd()
}

/** Runs a program and returns its output. If it fails, its output is in the error. */
function run(folder, program, ...args) {
  console.log(`$ ${[path.basename(program), ...args].join(' ')}`)
  try {
    return execFileSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    console.error(`${error.stdout ?? ''}${error.stderr ?? ''}`)
    throw new Error([path.basename(program), ...args].join(' '))
  }
}
