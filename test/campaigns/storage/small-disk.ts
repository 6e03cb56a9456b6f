/**
 * A small disk: a file system in memory, mounted where only this process and its children see it, so that it is gone
 * with them however they end. Needs root on Linux. Decided here: how it is filled to the last byte, and emptied.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeThrowAwayFolder } from '../../support/app/throw-away-folder.ts'

const ALONE = ['--mount', '--propagation', 'private', '--']

/**
 * Runs this very script again where mounts are its own, with the folder to mount on as its last argument, and leaves
 * its exit status. Says `skipped` where that is not allowed.
 */
export async function runAgainWithOwnMounts(script: string, args: readonly string[]): Promise<void> {
  const folder = makeThrowAwayFolder(tmpdir())
  try {
    // In a folder that others may pass, for a server that runs as nobody.
    chmodSync(folder, 0o755)
    try {
      execFileSync('unshare', [...ALONE, 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], {
        stdio: 'pipe',
      })
    } catch (error) {
      const why = `a small file system cannot be mounted here (${reasonOf(error)}); it needs root on Linux`
      console.log(`skipped: ${why}`)
      console.log(JSON.stringify({ skipped: why }))
      return
    }
    const node = [process.execPath, ...process.execArgv, script]
    const child = spawn('unshare', [...ALONE, ...node, ...args, '--on', folder], { stdio: 'inherit' })
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

/** A mounted disk. */
export type SmallDisk = {
  freeBytes(): number
  /** Writes until there is no room for one more byte, and again whenever something was given back, until `empty`. */
  fill(): void
  /** Takes everything away that `fill` wrote. */
  empty(): void
  unmount(): void
}

/** Mounts a disk on an empty folder. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder])
  const ballast = join(folder, 'ballast')
  let file: number | undefined
  let again: NodeJS.Timeout | undefined
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
      again ??= setInterval(() => writeUntilFull(into), 50)
    },
    empty() {
      clearInterval(again)
      again = undefined
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
