import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 50

/** Whether no process of a group is left, at the latest after `withinMs` milliseconds. */
export async function groupEnd(group: number, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited < withinMs; waited += pollMs) {
    if (!isAlive(group)) return true
    await sleep(pollMs)
  }
  return false
}

function isAlive(group: number): boolean {
  try {
    process.kill(-group, 0)
  } catch {
    return false
  }
  // Orphans that have ended stay as zombies where process 1 does not reap them, as in a container that
  // was started without an init. Nothing is to be waited for then.
  return process.platform !== 'linux' || hasRunning(group)
}

/** From `/proc/PID/stat`: after the name, in parentheses, follow state, parent and group. */
const hasRunning = (group: number): boolean =>
  readdirSync('/proc').some((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const [state, , own] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(own) === group && state !== 'Z' && state !== 'X'
    } catch {
      return false // It has ended meanwhile.
    }
  })
