/**
 * Preloaded into a command: kills the process before a step, which is an operation on files or a statement to the
 * database. `KILL_AT_STEP` is its number. Steps are counted from the first statement that has the text `KILL_FROM`.
 * Waits of the command end after 100 ms.
 */
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import timers from 'node:timers/promises'

const killAt = Number(process.env.KILL_AT_STEP)
let isCounting = false
let steps = 0

function step() {
  if (!isCounting) return
  steps += 1
  if (steps === killAt) process.kill(process.pid, 'SIGKILL')
}

for (const name of ['rename', 'rm', 'open']) {
  const original = promises[name]
  promises[name] = async (...given) => {
    step()
    const result = await original(...given)
    return name === 'open' ? counted(result) : result
  }
}
const { setTimeout: wait } = timers
timers.setTimeout = (ms, ...given) => wait(Math.min(ms, 100), ...given)
syncBuiltinESMExports()

function counted(handle) {
  for (const name of ['appendFile', 'sync', 'close']) {
    const original = handle[name].bind(handle)
    handle[name] = (...given) => {
      step()
      return original(...given)
    }
  }
  return handle
}

const { write } = Socket.prototype
Socket.prototype.write = function (data, ...given) {
  const text = Buffer.isBuffer(data) ? data.toString('latin1') : String(data)
  if (text.includes(process.env.KILL_FROM)) isCounting = true
  // The messages Query and Sync of the protocol of PostgreSQL end a statement.
  if (text.startsWith('Q') || text.includes('S\0\0\0\x04')) step()
  return write.call(this, data, ...given)
}
