/** The dry run of a release: where it refuses to start, and the files that it changes. See docs/releases.md. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { makeThrowAwayFolder } from '../support/app/throw-away-folder.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

const { writeVersion, readVersion, releaseChangelog } = (await import(
  pathToFileURL(path.join(ROOT, 'tools/release/version.mjs')).href
)) as {
  readonly writeVersion: (root: string, version: string) => void
  readonly readVersion: (root: string) => string
  readonly releaseChangelog: (root: string, version: string, day: string) => string
}

function copyOf(...files: readonly string[]): string {
  const folder = makeThrowAwayFolder(tmpdir())
  for (const file of files) cpSync(path.join(ROOT, file), path.join(folder, file), { recursive: true })
  return folder
}

const VERSIONED = [
  'package.json',
  'package-lock.json',
  'client/package.json',
  'client/README.md',
  'examples/checkout/README.md',
  'deploy/helm/waybill/Chart.yaml',
  'Dockerfile',
  'docs/operations.md',
]

describe('the version', () => {
  test('is changed in every file that names it', () => {
    const folder = copyOf(...VERSIONED)
    const before = readVersion(folder)
    writeVersion(folder, '9.8.7')
    expect(readVersion(folder)).toBe('9.8.7')
    for (const file of VERSIONED) {
      const [old, changed] = [ROOT, folder].map((root) => readFileSync(path.join(root, file), 'utf8'))
      expect(changed, file).toContain('9.8.7')
      // Dependencies can have the same version, in the lock file.
      if (!file.includes('lock')) expect(changed, file).not.toContain(before)
      expect(changed?.replaceAll('9.8.7', before), file).toBe(old)
    }
  })

  test('is not changed anywhere if one of the files does not name it', () => {
    const folder = copyOf(...VERSIONED)
    writeFileSync(path.join(folder, 'Dockerfile'), 'FROM scratch\n')
    expect(() => writeVersion(folder, '9.8.7')).toThrow(/^Dockerfile: .*must occur once/)
    expect(readVersion(folder)).toBe(readVersion(ROOT))
  })
})

describe('the changelog', () => {
  const release = (text: string): readonly [section: string, changelog: string] => {
    const folder = makeThrowAwayFolder(tmpdir())
    writeFileSync(path.join(folder, 'CHANGELOG.md'), text)
    const section = releaseChangelog(folder, '1.0.0', '2026-12-01')
    return [section, readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8')]
  }

  test('gets a section of the first version', () => {
    expect(
      release(
        '# Changelog\n\nFormat. Nothing has been released yet.\n\n## Unreleased\n\n### Added\n\n- A.\n',
      ),
    ).toEqual([
      '### Added\n\n- A.',
      '# Changelog\n\nFormat.\n\n## Unreleased\n\n## 1.0.0 - 2026-12-01\n\n### Added\n\n- A.\n',
    ])
  })

  test('keeps earlier sections', () => {
    expect(release('## Unreleased\n\n### Fixed\n\n- B.\n\n## 0.9.0 - 2026-11-01\n\n- A.\n')).toEqual([
      '### Fixed\n\n- B.',
      '## Unreleased\n\n## 1.0.0 - 2026-12-01\n\n### Fixed\n\n- B.\n\n## 0.9.0 - 2026-11-01\n\n- A.\n',
    ])
  })

  test.each([
    ['no entries', '## Unreleased\n\n## 0.9.0 - 2026-11-01\n\n- A.\n', 'no unreleased entries'],
    ['no section', '# Changelog\n', 'must occur once'],
    ['the version', '## Unreleased\n\n- B.\n\n## 1.0.0 - 2026-11-01\n\n- A.\n', 'a section of 1.0.0 already'],
  ])('is refused if it has %s', (_name, text, message) => {
    expect(() => release(text)).toThrow(message)
  })

  test('of this repository can be released', () => {
    const folder = copyOf('CHANGELOG.md')
    expect(releaseChangelog(folder, '1.0.0', '2026-12-01')).toContain('\n- ')
  })
})

describe('the images', () => {
  const digest = `sha256:${'0a'.repeat(32)}`
  /** What the program says if Docker is this script; undefined: not installed. */
  const imagesWith = (script: string | undefined): string => {
    const folder = makeThrowAwayFolder(tmpdir())
    if (script !== undefined)
      writeFileSync(path.join(folder, 'docker'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    const { stdout } = spawnSync(
      process.execPath,
      [
        '--input-type=module',
        '--eval',
        `import { baseImage, pinnedImages } from '${pathToFileURL(path.join(ROOT, 'tools/release/images.mjs')).href}'
        try { const images = pinnedImages('${ROOT}'); console.log(images ?? 'none', baseImage(images)) }
        catch (error) { console.log('failed') }`,
      ],
      { env: { PATH: folder }, encoding: 'utf8' },
    )
    return stdout.trim()
  }

  test('are pinned by the digests that Docker finds', () => {
    const text = imagesWith(`echo ${digest}`)
    expect(text).toMatch(new RegExp(`^POSTGRES_IMAGE=postgres:\\d+@${digest}$`, 'm'))
    const [, base = ''] = /^NODE_IMAGE=(.+)$/m.exec(text) ?? []
    expect(base).toContain(`@${digest}`)
    expect(text.split('\n').at(-1)).toBe(` ${base}`)
  })

  test('are left out without Docker, and end the run if a digest is not found', () => {
    expect(imagesWith(undefined)).toBe('none <image with its digest>')
    expect(imagesWith('exit 1')).toBe('failed')
    expect(imagesWith('echo latest')).toBe('failed')
  })
})

describe('the dry run', () => {
  /** A repository with the program and one commit. */
  const repository = (): string => {
    const folder = copyOf('tools/release', 'package.json')
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' })
    git('init', '--quiet')
    git('add', '.')
    git('-c', 'user.name=test', '-c', 'user.email=test@localhost', 'commit', '--quiet', '--message', 'test')
    return folder
  }
  const start = (folder: string, ...args: readonly string[]) => {
    const program = path.join(folder, 'tools/release/dry-run.mjs')
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' })
    return { status, text: `${stdout}${stderr}` }
  }
  const empty = () => makeThrowAwayFolder(tmpdir())

  test('needs a folder and a version', () => {
    const folder = repository()
    for (const args of [[], [empty(), '1.0'], [empty(), 'v1.0.0'], [empty(), '1.0.0-rc.1']]) {
      const { status, text } = start(folder, ...args)
      expect(text).toContain('usage: npm run release:dry folder')
      expect(status).toBe(2)
    }
  })

  test('refuses a work tree with changes', () => {
    const folder = repository()
    writeFileSync(path.join(folder, 'new.txt'), '')
    const { status, text } = start(folder, empty())
    expect(text).toBe('the work tree has changes that are not committed:\n?? new.txt\n')
    expect(status).toBe(1)
  })

  test('refuses a tag that exists, and a folder in the work tree or with files', () => {
    const folder = repository()
    execFileSync('git', ['tag', 'v1.0.0'], { cwd: folder })
    const output = empty()
    mkdirSync(path.join(output, 'old'))
    expect(start(folder, output)).toEqual({
      status: 1,
      text: `the tag v1.0.0 exists already\n${output} is not empty\n`,
    })
    const inside = path.join(folder, 'output')
    expect(start(folder, inside, '1.0.1')).toEqual({
      status: 1,
      text: `${inside} is in the work tree: choose a folder outside\n`,
    })
  })

  test('leaves nothing behind when a step fails', () => {
    const folder = repository()
    const output = empty()
    // There is no lock file, so the first step that needs npm fails.
    const { status, text } = start(folder, output)
    expect(text).toContain('\nfailed: npm ci')
    expect(status).toBe(1)
    const [, clone = ''] = /== clone \w+ to (.+)\n/.exec(text) ?? []
    expect(clone).not.toBe('')
    expect(spawnSync('ls', [clone]).status).not.toBe(0)
  })
})
