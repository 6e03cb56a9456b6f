/**
 * Folders for the databases of tests: in memory (/dev/shm) if it is large enough. A database consists of a thousand
 * small files; creating them took 15 ms in memory and 350 ms on a slow disk.
 */
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'waybill-test-'
const roomNeededBytes = 2 ** 31

/** Parent folders, best first. Docker's /dev/shm has only 64 MB, so the temporary folder is used there. */
export function throwAwayPlaces(): string[] {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= roomNeededBytes ? ['/dev/shm', tmpdir()] : [tmpdir()]
  } catch {
    return [tmpdir()]
  }
}

/** Makes an empty folder (0700) in `place`, named by this process so that a later run can clean up after it. */
export function makeThrowAwayFolder(place: string = throwAwayPlaces()[0] ?? tmpdir()): string {
  return mkdtempSync(join(place, `${prefix}${process.pid}-`))
}

/** Removes the folders of killed runs. Their servers have stopped, but the files remain. */
export function removeLeftovers(): void {
  for (const place of throwAwayPlaces()) {
    for (const name of readdirSync(place)) {
      const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0
      if (!(pid > 0) || isRunning(pid)) continue
      try {
        rmSync(join(place, name), { recursive: true, force: true })
      } catch {
        // The folder belongs to a run of another user.
      }
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
