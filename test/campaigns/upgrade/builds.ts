/** Folders with the code of other versions: an earlier commit, and this version with an additional migration. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const repository = path.resolve(import.meta.dirname, '../../..')

/** The code of a commit. Its packages are installed if they differ from those of this version. */
export function checkOut(commit: string, folder: string): string {
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', commit], { cwd: repository, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const [needed, installed] = [folder, repository].map((root) =>
    readFileSync(path.join(root, 'package-lock.json')),
  )
  if (needed?.equals(installed ?? Buffer.alloc(0)))
    symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
  else
    execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'ignore',
    })
  return folder
}

/** Copies this version and adds a migration. */
export function withMigration(
  folder: string,
  name: string,
  statements: readonly string[],
  compatibleFrom: string,
): string {
  mkdirSync(folder)
  for (const part of ['src', 'schema', 'package.json', 'tsconfig.json'])
    cpSync(path.join(repository, part), path.join(folder, part), { recursive: true })
  symlinkSync(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'))
  const file = path.join(folder, 'src/store/migrations/index.ts')
  const text = readFileSync(file, 'utf8')
  const entry = `  ${JSON.stringify(name)}: ${JSON.stringify({ statements, compatibleFrom })},\n}\n`
  writeFileSync(file, text.replace(/\}\n$/, entry))
  return folder
}
