/**
 * A small file system in memory, in a private mount namespace, so it disappears with the process and its
 * children. It can be filled to the last byte and emptied. Requires root on Linux.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'

const PRIVATE_MOUNTS = ['--mount', '--propagation', 'private', '--']

/**
 * Runs this script again in a private mount namespace, with `--on <folder to mount on>` appended, and returns
 * its exit status. Prints `skipped` if that is not permitted.
 */
export async function runAgainWithOwnMounts(script: string, args: readonly string[]): Promise<void> {
  const folder = makeThrowAwayFolder(tmpdir())
  try {
    // A server that runs as `nobody` needs access to this folder.
    chmodSync(folder, 0o755)
    try {
      execFileSync('unshare', [...PRIVATE_MOUNTS, 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], {
        stdio: 'pipe',
      })
    } catch (error) {
      const reason = `a small file system cannot be mounted here (${reasonOf(error)}); it needs root on Linux`
      console.log(`skipped: ${reason}`)
      console.log(JSON.stringify({ skipped: reason }))
      return
    }
    const node = [process.execPath, ...process.execArgv, script]
    const child = spawn('unshare', [...PRIVATE_MOUNTS, ...node, ...args, '--on', folder], {
      stdio: 'inherit',
    })
    const gone = once(child, 'exit')
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
    const [code] = await gone
    process.exitCode = typeof code === 'number' ? code : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function reasonOf(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: Buffer }
  return (stderr?.toString().trim() || message).split('\n').at(-1) ?? ''
}

export type SmallDisk = {
  freeBytes(): number
  /** Writes until no byte fits, and again whenever space becomes free, until `empty` is called. */
  fill(): void
  /** Deletes everything that `fill` wrote. */
  empty(): void
  unmount(): void
}

/** Mounts the file system on an empty folder. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
  const ballast = join(folder, 'ballast')
  let file: number | undefined
  let refill: NodeJS.Timeout | undefined
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  }
  return {
    freeBytes,
    fill() {
      file ??= openSync(ballast, 'w')
      const into = file
      writeUntilFull(into)
      refill ??= setInterval(() => writeUntilFull(into), 50)
    },
    empty() {
      clearInterval(refill)
      refill = undefined
      if (file !== undefined) closeSync(file)
      file = undefined
      rmSync(ballast, { force: true })
    },
    unmount: () => execFileSync('umount', ['--lazy', folder]),
  }
}

function writeUntilFull(file: number): void {
  for (const bytes of [2 ** 20, 2 ** 12, 1]) {
    const block = Buffer.alloc(bytes)
    try {
      while (writeSync(file, block) === bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}
