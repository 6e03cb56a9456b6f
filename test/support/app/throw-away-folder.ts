/**
 * Where tests put databases. Decided here: memory (/dev/shm) when it is large enough, since a database is a
 * thousand small files, and creating those took 15 ms there against 350 ms on a slow disk.
 */
import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const prefix = 'waybill-test-'
const roomNeededBytes = 2 ** 31

/** The places to try, best first. Docker's /dev/shm is 64 MB, which leaves the temporary folder. */
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

/** Removes folders of runs that were killed: their servers stopped by themselves, the files are still there. */
export function removeLeftovers(): void {
  for (const place of throwAwayPlaces()) {
    for (const name of readdirSync(place)) {
      const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : 0
      if (!(pid > 0) || isRunning(pid)) continue
      try {
        rmSync(join(place, name), { recursive: true, force: true })
      } catch {
        // Another user's run: not ours to remove.
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
