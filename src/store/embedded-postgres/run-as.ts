/**
 * Which user the server runs as. PostgreSQL refuses root and a uid without a passwd entry, and Waybill never
 * creates users. Decided here, in this order: the current user; a user namespace in which we are `nobody`;
 * really `nobody`; `nobody` allowed to pass folders that are closed to it.
 */
import { execFile } from 'node:child_process'
import { chownSync } from 'node:fs'
import { userInfo } from 'node:os'

/** The ways to run the server; a function option of the launcher can force one of them. */
export type RunAsKind = 'current-user' | 'user-namespace' | 'nobody' | 'nobody-with-reach'

/** How a command is started so that it runs as the server's user. */
export interface RunAs {
  readonly kind: RunAsKind
  /** Put before the command line. */
  readonly prefix: readonly string[]
  /** Given to spawn; undefined leaves the user as it is. */
  readonly spawnIds: { uid: number; gid: number } | undefined
  /** The uid (and gid) that files of the server carry on disk; undefined where there are no uids. */
  readonly fileOwner: number | undefined
}

/** How one command ended; `status` is undefined when it could not be started. */
export interface Ended {
  readonly status: number | undefined
  readonly errorCode: string | undefined
  readonly stdout: string
  readonly stderr: string
}

const nobody = 65534

/** The environment of every process started here: fixed, so that secrets in ours never reach it. */
export const serverEnvironment: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
}

/** The ways worth trying for this process, best first; only the forced one when `forced` is given. */
export function waysToRun(forced?: RunAsKind): RunAs[] {
  const uid = process.geteuid?.()
  if (forced !== undefined) return [wayToRun(forced, uid)]
  if (uid === 0) {
    return [wayToRun('user-namespace', uid), wayToRun('nobody', uid), wayToRun('nobody-with-reach', uid)]
  }
  return [wayToRun(hasPasswdEntry() ? 'current-user' : 'user-namespace', uid)]
}

function wayToRun(kind: RunAsKind, uid: number | undefined): RunAs {
  switch (kind) {
    case 'current-user':
      return { kind, prefix: [], spawnIds: undefined, fileOwner: uid }
    case 'user-namespace':
      return {
        kind,
        prefix: ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`],
        spawnIds: undefined,
        // Inside the namespace they look like nobody's; on disk they stay ours.
        fileOwner: uid,
      }
    case 'nobody':
      return { kind, prefix: [], spawnIds: { uid: nobody, gid: nobody }, fileOwner: nobody }
    case 'nobody-with-reach':
      return {
        kind,
        // Docker's default root may not make namespaces but does hold this one capability, which lets the
        // server reach a data folder below, say, /root (0700) without changing the mode of /root.
        prefix: [
          'setpriv',
          `--reuid=${nobody}`,
          `--regid=${nobody}`,
          '--clear-groups',
          '--inh-caps=+dac_override',
          '--ambient-caps=+dac_override',
        ],
        spawnIds: undefined,
        fileOwner: nobody,
      }
  }
}

/** Runs one command to its end as the server's user, from `/`. Never throws: the end is a value. */
export function runToEnd(runAs: RunAs, command: string, args: readonly string[]): Promise<Ended> {
  const [first = command, ...rest] = [...runAs.prefix, command, ...args]
  return new Promise((resolve) => {
    execFile(
      first,
      rest,
      { cwd: '/', env: serverEnvironment, maxBuffer: 16 * 1024 * 1024, ...runAs.spawnIds },
      (error, stdout, stderr) => {
        const code = error?.code
        resolve({
          status: error === null ? 0 : typeof code === 'number' ? code : undefined,
          errorCode: typeof code === 'string' ? code : undefined,
          stdout,
          stderr,
        })
      },
    )
  })
}

/**
 * Whether the server's user may use `folder`, after root has handed the folder (alone, not what is in it) to
 * that user. Returns the reason it may not, or undefined.
 */
export async function whyOutOfReach(runAs: RunAs, folder: string): Promise<string | undefined> {
  if (process.geteuid?.() === 0 && runAs.fileOwner !== undefined) {
    chownSync(folder, runAs.fileOwner, runAs.fileOwner)
  }
  const ended = await runToEnd(runAs, '/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', folder])
  if (ended.status === 0) return undefined
  const said = ended.stderr.trim().split('\n').at(-1) || ended.errorCode
  const detail = said === undefined || /\bcd\b/.test(said) ? 'a folder above it is closed to that user' : said
  return `as ${runAs.kind} it cannot enter and write ${folder} (${detail})`
}

function hasPasswdEntry(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}
