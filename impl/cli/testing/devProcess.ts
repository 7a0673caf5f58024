import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { DevEvent } from '../dev/devEvents.ts'
import { marked, markVariable } from './markedProcesses.ts'
import { startProcess } from './runProcess.ts'

type Named<Name extends DevEvent['event']> = DevEvent & { readonly event: Name }

export type DevProcess = {
  /** The next event of this name; those before it are passed over. @throws Error if the process ends first */
  next<Name extends DevEvent['event']>(name: Name): Promise<Named<Name>>
  /** Waits until nothing is left to do; the events since the last call. */
  idle(): Promise<readonly DevEvent[]>
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<{ readonly code: number | null; readonly stderr: string }>
  /** Its processes, with those that they have started. */
  readonly processes: () => readonly string[]
  /** Every event so far. */
  readonly events: readonly DevEvent[]
}

/** For tests: `polgate dev --json` as a process. */
export function startDev(args: readonly string[], cwd: string): DevProcess {
  const mark = randomUUID()
  const { child, told, ended } = startProcess(['dev', ...args, '--json'], {
    cwd,
    env: { [markVariable]: mark },
  })
  const events: DevEvent[] = []
  let read = 0
  let changed = () => {}
  let gone = false
  createInterface({ input: child.stdout! }).on('line', (line) => {
    events.push(JSON.parse(line) as DevEvent)
    changed()
  })
  void ended.then(() => {
    gone = true
    changed()
  })

  async function next<Name extends DevEvent['event']>(name: Name): Promise<Named<Name>> {
    for (;;) {
      while (read < events.length) {
        const event = events[read]!
        read += 1
        if (event.event === name) return event as Named<Name>
      }
      if (gone)
        throw new Error(`it ended before ${name}: ${told()}${JSON.stringify(events.at(-1))}`)
      await new Promise<void>((done) => {
        changed = done
      })
    }
  }

  return {
    events,
    next,
    processes: () => marked(mark),
    async idle() {
      const from = read
      await next('waiting')
      return events.slice(from, read)
    },
    async end(signal = 'SIGINT') {
      child.kill(signal)
      const { code, stderr } = await ended
      return { code, stderr }
    },
  }
}
