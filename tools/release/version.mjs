/** Changes the files of a checkout that name the version, and the changelog. See docs/releases.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** The files that name the version, and the text around it. Each text occurs once. */
const VERSIONED = [
  ['package.json', (version) => `"version": "${version}",\n  "description"`],
  ['package-lock.json', (version) => `{\n  "name": "waybill",\n  "version": "${version}"`],
  ['package-lock.json', (version) => `"": {\n      "name": "waybill",\n      "version": "${version}"`],
  ['client/package.json', (version) => `"version": "${version}"`],
  ['client/README.md', (version) => `waybill-client-${version}.tgz`],
  ['examples/checkout/README.md', (version) => `waybill-client-${version}.tgz`],
  ['deploy/helm/waybill/Chart.yaml', (version) => `\nversion: ${version}\n`],
  ['deploy/helm/waybill/Chart.yaml', (version) => `\nappVersion: ${version}\n`],
  ['Dockerfile', (version) => `\nARG VERSION=${version}\n`],
  ['docs/operations.md', (version) => `Waybill ${version},`],
]

const UNRELEASED = '## Unreleased\n'

/** A version without a suffix, such as 1.0.0. */
export const isVersion = (text) => /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}$/.test(text)

/** The version in package.json. */
export function readVersion(root) {
  return JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version
}

/** Writes the version to all files that name it. Throws if one of them does not name the present version once. */
export function writeVersion(root, version) {
  const present = readVersion(root)
  const texts = new Map(
    VERSIONED.map(([file]) => [file, readFileSync(path.join(root, file), 'utf8').replaceAll('\r\n', '\n')]),
  )
  for (const [file, textOf] of VERSIONED) {
    const parts = texts.get(file).split(textOf(present))
    if (parts.length !== 2) throw new Error(`${file}: ${JSON.stringify(textOf(present))} must occur once`)
    texts.set(file, parts.join(textOf(version)))
  }
  for (const [file, text] of texts) writeFileSync(path.join(root, file), text)
}

/**
 * Moves the unreleased entries of CHANGELOG.md to a section of the version. `day` is such as 2026-11-23. Returns the
 * section without its heading. Throws if there are no entries, or the version has a section already.
 */
export function releaseChangelog(root, version, day) {
  const file = path.join(root, 'CHANGELOG.md')
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n')
  if (text.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md has a section of ${version} already`)
  const [before, after, ...more] = text.split(UNRELEASED)
  if (after === undefined || more.length > 0)
    throw new Error(`CHANGELOG.md: "${UNRELEASED.trim()}" must occur once`)
  const next = after.search(/^## /m)
  const section = (next === -1 ? after : after.slice(0, next)).trim()
  if (!section.includes('\n- ')) throw new Error('CHANGELOG.md has no unreleased entries')
  const earlier = next === -1 ? '' : `\n${after.slice(next)}`
  const heading = `## ${version} - ${day}`
  const title = before.replace(' Nothing has been released yet.', '')
  writeFileSync(file, `${title}${UNRELEASED}\n${heading}\n\n${section}\n${earlier}`)
  return section
}
