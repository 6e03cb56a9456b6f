/**
 * Starts the server under a shell that stops it when Node ends. The shell reads from a pipe that Node holds open. The
 * pipe closes when Node stops the server, exits, crashes or is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { asServerUser, SERVER_ENVIRONMENT } from './run-as.ts'

/** Paths are absolute. */
export interface Command {
  /** The `postgres` program and its arguments. */
  readonly postgres: readonly string[]
  readonly lockFile: string
  readonly ownerFile: string
  /** Written to the owner file once the lock is held. */
  readonly ownerText: string
  readonly pidFile: string
  readonly socketFolder: string
  readonly socketFolderIsTemporary: boolean
  readonly log: (line: string) => void
  /** Called if the server ends without a call of `stop`. */
  readonly onUnexpectedEnd: (reason: string) => void
}

/** `locked`: another process uses the data folder. */
export type Launched = { readonly kind: 'ready'; stop(): Promise<void> } | { readonly kind: 'locked' }

/** Exit status of the shell if another process holds the lock. */
const LOCKED_STATUS = 75
const START_LIMIT_MS = 120_000
const STOP_LIMIT_S = 20

/**
 * A separate watcher process reads the pipe, so the server stops even if only the shell is killed. The server inherits
 * the flock on descriptor 9 and holds it while any of its processes runs. The flock also works across containers that
 * share the folder. If postmaster.pid contains the id of another program, it is left over from before a restart of the
 * container. It is deleted, because PostgreSQL would refuse to start. A fast shutdown during crash recovery can hang
 * (seen with 18.4), so SIGQUIT follows after a while. No commits are lost.
 */
const SUPERVISOR = `
trap "" INT TERM HUP
lock=$1 owner=$2 owner_text=$3 pidfile=$4 sockets=$5 temporary=$6; shift 6
exec 3<&0
if command -v flock >/dev/null 2>&1; then
  exec 9>>"$lock"
  flock -n 9 || exit ${LOCKED_STATUS}
  printf '%s\\n' "$owner_text" > "$owner"
  pid=$(head -n 1 "$pidfile" 2>/dev/null)
  if [ -n "$pid" ] && [ -r "/proc/$pid/comm" ] && [ "$(cat "/proc/$pid/comm")" != postgres ]; then
    rm -f "$pidfile"
  fi
  rm -f "$sockets"/.s.PGSQL.*
fi
"$@" </dev/null 3<&- &
server=$!
(
  read -r _ <&3
  kill -INT "$server"
  waited=0
  while [ "$waited" -lt ${STOP_LIMIT_S * 5} ] && kill -0 "$server" 2>/dev/null; do
    sleep 0.2
    waited=$((waited + 1))
  done
  [ "$waited" -lt ${STOP_LIMIT_S * 5} ] || kill -QUIT "$server" 2>/dev/null
) 9>&- &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill -KILL "$watcher" 2>/dev/null
[ -f "$owner" ] && rm -f "$owner"
[ "$temporary" = yes ] && rmdir "$sockets" 2>/dev/null
exit "$status"
`

/**
 * Starts the server and waits until it accepts connections: at most two minutes, including crash recovery. After that,
 * throws with the last lines of the log.
 */
export function launch(command: Command): Promise<Launched> {
  const child = spawnSupervisor(command)
  const lastLines: string[] = []
  let state: 'starting' | 'ready' | 'stopping' = 'starting'
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? signal))
  })
  const stop = async () => {
    if (state !== 'stopping') {
      state = 'stopping'
      child.ref()
      child.stdin?.end()
    }
    await ended
  }
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      const error = new Error(
        `PostgreSQL was not ready in ${START_LIMIT_MS / 1000} s\n${lastLines.join('\n')}`,
      )
      void stop().then(() => reject(error))
    }, START_LIMIT_MS)
    child.once('error', (error) => {
      clearTimeout(limit)
      reject(new Error(`PostgreSQL cannot be started: ${error.message}`, { cause: error }))
    })
    readLines(child, (line) => {
      lastLines.push(line)
      if (lastLines.length > 20) lastLines.shift()
      command.log(line)
      if (state !== 'starting' || !/ready to accept connections/.test(line)) return
      state = 'ready'
      clearTimeout(limit)
      letNodeExit(child)
      resolve({ kind: 'ready', stop })
    })
    void ended.then(async (status) => {
      clearTimeout(limit)
      if (state === 'ready') command.onUnexpectedEnd(`PostgreSQL ended unexpectedly (${status})`)
      if (state !== 'starting') return
      // Wait for the last lines from the pipe.
      await new Promise((resume) => setTimeout(resume, 20))
      const isLocked = lastLines.some(
        (line) => line.includes('lock file ') && line.includes(' already exists'),
      )
      if (status === LOCKED_STATUS || isLocked) resolve({ kind: 'locked' })
      else reject(new Error(`PostgreSQL did not start (${status})\n${lastLines.join('\n')}`))
    })
  })
}

function spawnSupervisor(command: Command): ChildProcess {
  const [first = '', ...args] = asServerUser([
    ...['/bin/sh', '-c', SUPERVISOR, 'sh'],
    ...[command.lockFile, command.ownerFile, command.ownerText, command.pidFile, command.socketFolder],
    command.socketFolderIsTemporary ? 'yes' : 'no',
    ...command.postgres,
  ])
  const child = spawn(first, args, {
    cwd: '/',
    env: SERVER_ENVIRONMENT,
    stdio: ['pipe', 'ignore', 'pipe'],
    // A new session, so that Ctrl-C in a terminal reaches only Node, which drains before it stops the server.
    detached: true,
  })
  // The pipe breaks when the server ends. The exit event reports that.
  child.stdin?.on('error', () => {})
  return child
}

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', onLine)
}

/** A running server does not keep Node alive. When Node ends, the pipe closes and the server stops. */
function letNodeExit(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdin, child.stderr]) {
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}
