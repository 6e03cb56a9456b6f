/**
 * The user that the server runs as. PostgreSQL refuses root, and Waybill does not create users. If this process is
 * root, the server runs as `nobody` with the capability `dac_override`, which root has in Docker by default too. It
 * ignores the permissions of files and folders, so the programs and the data can be below /root. Otherwise, the server
 * runs as the current user. See docs/decisions/database.md#d280.
 */
import { execFile } from 'node:child_process'

const NOBODY = 65534

/**
 * Prepended to a command line. `setpriv` is part of util-linux. The secure bit makes the capability count in access(2)
 * too, with which PostgreSQL checks its programs.
 */
const AS_NOBODY: readonly string[] = [
  'setpriv',
  ...[`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'],
  ...['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'],
]

/**
 * The environment of all processes that are started here. It does not include Waybill's environment, which contains
 * secrets.
 */
export const SERVER_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
}

export function isRoot(): boolean {
  return process.geteuid?.() === 0
}

/** The uid and gid of the server's files; undefined on systems without uids. */
export function serverOwner(): number | undefined {
  return isRoot() ? NOBODY : process.geteuid?.()
}

/** The command line that runs a command as the server's user. */
export function asServerUser(command: readonly string[]): readonly string[] {
  return isRoot() ? [...AS_NOBODY, ...command] : command
}

export interface Ended {
  /** Undefined if the command could not be started. */
  readonly status: number | undefined
  readonly errorCode: string | undefined
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command in `/`. Never throws. */
export function runToEnd([first = '', ...args]: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { cwd: '/', env: SERVER_ENVIRONMENT, maxBuffer: 16 * 1024 * 1024 }
    execFile(first, args, options, (error, stdout, stderr) => {
      const code = error?.code
      resolve({
        status: error === null ? 0 : typeof code === 'number' ? code : undefined,
        errorCode: typeof code === 'string' ? code : undefined,
        stdout,
        stderr,
      })
    })
  })
}
