/**
 * Installs packages that only some commands need: `node tools/install.mjs test/bench` runs `npm ci` in that folder,
 * unless the packages of its lock file are installed.
 */
import { execSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'

for (const folder of process.argv.slice(2)) {
  const installed = path.join(folder, 'node_modules/.package-lock.json')
  const isCurrent =
    existsSync(installed) &&
    statSync(installed).mtimeMs >= statSync(path.join(folder, 'package-lock.json')).mtimeMs
  if (isCurrent) continue
  console.log(`Installing the packages of ${folder}`)
  execSync('npm ci', { cwd: folder, stdio: 'inherit' })
}
