/**
 * The server's process and the shell that watches over it. Decided here: the shell holds a pipe from Node, and
 * the end of that pipe, however it comes about (stop, exit, crash, kill -9), stops the server.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { type RunAs, serverEnvironment } from './run-as.ts'

/** What the supervisor needs; paths are absolute. */
export interface Command {
  readonly runAs: RunAs
  /** The `postgres` program and its arguments. */
  readonly postgres: readonly string[]
  readonly lockFile: string
  readonly ownerFile: string
  /** Written to the owner file once the lock is held. */
  readonly ownerText: string
  readonly pidFile: string
  readonly socketFolder: string
  readonly socketFolderIsTemporary: boolean
  /** Receives each line of the server's log. */
  readonly log: (line: string) => void
  /** Called when the server ends without having been asked to. */
  readonly onUnexpectedEnd: (reason: string) => void
}

/** A start ends in a running server, or finds that another process holds the folder. */
export type Launched = { readonly kind: 'ready'; stop(): Promise<void> } | { readonly kind: 'held' }

const lockHeldStatus = 75
const startLimitMs = 120_000
const stopPatienceS = 20

// Two processes watch the pipe's two sides, so that killing the shell alone still leaves the watcher, which
// stops the server when Node goes. The flock on 9 is inherited by the server: it is held as long as anything
// of it runs, and across containers that share the folder. A postmaster.pid that names something other than
// a postgres is from before a restart of the container, where pids start again; PostgreSQL would refuse it.
// A fast shutdown that arrives while the server recovers from a crash of its own may never end (seen with 18.4):
// after a while it is told to quit, which loses nothing that was committed.
const supervisor = `
trap "" INT TERM HUP
lock=$1 owner=$2 who=$3 pidfile=$4 sockets=$5 temporary=$6; shift 6
exec 3<&0
if command -v flock >/dev/null 2>&1; then
  exec 9>>"$lock"
  flock -n 9 || exit ${lockHeldStatus}
  printf '%s\\n' "$who" > "$owner"
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
  while [ "$waited" -lt ${stopPatienceS * 5} ] && kill -0 "$server" 2>/dev/null; do
    sleep 0.2
    waited=$((waited + 1))
  done
  [ "$waited" -lt ${stopPatienceS * 5} ] || kill -QUIT "$server" 2>/dev/null
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
 * Starts the server and waits until it accepts connections (crash recovery included, at most two minutes).
 * Throws with the server's last lines when it does not come up.
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
      const error = new Error(`PostgreSQL was not ready in ${startLimitMs / 1000} s\n${lastLines.join('\n')}`)
      void stop().then(() => reject(error))
    }, startLimitMs)
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
      if (state === 'ready') command.onUnexpectedEnd(`PostgreSQL ended by itself (${status})`)
      if (state !== 'starting') return
      // The last lines may still be on their way through the pipe.
      await new Promise((flushed) => setTimeout(flushed, 20))
      const isHeld = lastLines.some((line) => line.includes('lock file ') && line.includes(' already exists'))
      if (status === lockHeldStatus || isHeld) resolve({ kind: 'held' })
      else reject(new Error(`PostgreSQL did not start (${status})\n${lastLines.join('\n')}`))
    })
  })
}

function spawnSupervisor(command: Command): ChildProcess {
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      supervisor,
      'sh',
      command.lockFile,
      command.ownerFile,
      command.ownerText,
      command.pidFile,
      command.socketFolder,
      command.socketFolderIsTemporary ? 'yes' : 'no',
      ...command.runAs.prefix,
      ...command.postgres,
    ],
    {
      cwd: '/',
      env: serverEnvironment,
      stdio: ['pipe', 'ignore', 'pipe'],
      // A session of its own: Ctrl-C in a terminal reaches Node only, which drains before it stops the server.
      detached: true,
      ...command.runAs.spawnIds,
    },
  )
  // A server that dies closes the pipe; the exit is reported, this would only repeat it as a crash.
  child.stdin?.on('error', () => {})
  return child
}

function readLines(child: ChildProcess, onLine: (line: string) => void): void {
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', onLine)
}

/** A running server must not keep Node alive: when Node is done, the pipe closes and the server stops. */
function letNodeExit(child: ChildProcess): void {
  child.unref()
  for (const stream of [child.stdin, child.stderr]) {
    if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
}
