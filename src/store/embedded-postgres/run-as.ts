/**
 * Chooses the user that the server runs as. PostgreSQL refuses root and users without a passwd entry, and Waybill does
 * not create users. In order of preference: the current user; a user namespace that maps the current user to `nobody`;
 * `nobody`; `nobody` with the capability `dac_override`, which ignores folder permissions.
 */
import { execFile } from 'node:child_process'
import { chownSync } from 'node:fs'
import { userInfo } from 'node:os'

export type RunAsKind = 'current-user' | 'user-namespace' | 'nobody' | 'nobody-with-reach'

export interface RunAs {
  readonly kind: RunAsKind
  /** Prepended to the command line. */
  readonly prefix: readonly string[]
  /** Options for spawn; undefined keeps the current user. */
  readonly spawnIds: { uid: number; gid: number } | undefined
  /** The uid and gid of the server's files; undefined on systems without uids. */
  readonly fileOwner: number | undefined
}

export interface Ended {
  /** Undefined if the command could not be started. */
  readonly status: number | undefined
  readonly errorCode: string | undefined
  readonly stdout: string
  readonly stderr: string
}

const NOBODY = 65534

/**
 * The environment of all processes that are started here. It does not include Waybill's environment, which contains
 * secrets.
 */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
}

/** The possible ways for this process, best first. If `forced` is given, only that one. */
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
        prefix: ['unshare', '--user', `--map-user=${NOBODY}`, `--map-group=${NOBODY}`],
        spawnIds: undefined,
        // Inside the namespace the files appear to belong to nobody. On disk their owner does not change.
        fileOwner: uid,
      }
    case 'nobody':
      return { kind, prefix: [], spawnIds: { uid: NOBODY, gid: NOBODY }, fileOwner: NOBODY }
    case 'nobody-with-reach':
      return {
        kind,
        // By default, root in Docker cannot create namespaces but has this capability. With it the server can use a
        // data folder below a folder that `nobody` cannot enter, such as /root.
        prefix: [
          'setpriv',
          `--reuid=${NOBODY}`,
          `--regid=${NOBODY}`,
          '--clear-groups',
          '--inh-caps=+dac_override',
          '--ambient-caps=+dac_override',
        ],
        spawnIds: undefined,
        fileOwner: NOBODY,
      }
  }
}

/** Runs a command as the server's user in `/`. Never throws. */
export function runToEnd(runAs: RunAs, command: string, args: readonly string[]): Promise<Ended> {
  const [first = command, ...rest] = [...runAs.prefix, command, ...args]
  return new Promise((resolve) => {
    execFile(
      first,
      rest,
      { cwd: '/', env: SERVER_ENVIRONMENT, maxBuffer: 16 * 1024 * 1024, ...runAs.spawnIds },
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
 * The reason why the server's user cannot use `folder`; undefined if it can. If this process is root, it first makes
 * that user the owner of the folder (not of its content).
 */
export async function findAccessFault(runAs: RunAs, folder: string): Promise<string | undefined> {
  if (process.geteuid?.() === 0 && runAs.fileOwner !== undefined) {
    chownSync(folder, runAs.fileOwner, runAs.fileOwner)
  }
  const ended = await runToEnd(runAs, '/bin/sh', ['-c', 'cd "$1" && test -w .', 'sh', folder])
  if (ended.status === 0) return undefined
  const output = ended.stderr.trim().split('\n').at(-1) || ended.errorCode
  const detail =
    output === undefined || /\bcd\b/.test(output) ? 'a folder above it is closed to that user' : output
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
