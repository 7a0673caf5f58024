import type { CheckFinished, RunEvent } from '../core/events.ts'
import { printable } from '../core/printable.ts'
import type { Colours } from './colours.ts'
import { failureHeadline } from './failureLines.ts'

export type Progress = {
  readonly show: (event: RunEvent) => void
  readonly note: (text: string) => void
  readonly end: () => void
}

type Output = {
  readonly write: (text: string) => unknown
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

const failed = (result: CheckFinished, c: Colours) =>
  `${c.red('x')} ${result.section} ${result.id}: ${printable(failureHeadline(result))}`

/**
 * Progress on stderr. On a terminal one line that is rewritten, with failures kept above it;
 * elsewhere a plain line for each finished section and each failure.
 */
export function createProgress(
  output: Output,
  colours: Colours,
  live: boolean,
  now: () => number = Date.now,
): Progress {
  let total = 0
  let done = 0
  let failures = 0
  let untestable = 0
  let outage = false
  let started = now()
  const open = new Map<string, number>()
  const clear = () => live && output.write('\r\u001b[2K')
  const line = (text: string) => {
    clear()
    output.write(`${text}\n`)
  }
  const status = (id: string) => {
    const seconds = (now() - started) / 1000
    const left = done === 0 ? 0 : (seconds / done) * (total - done)
    const eta = `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, '0')}`
    const counts = `${failures} failed  ${untestable} untestable  ETA ${eta}`
    const text = `[${done}/${total}] ${counts}  ${id}`
    output.write(`\r\u001b[2K${text.slice(0, (output.columns ?? 80) - 1)}`)
  }
  const finish = (result: CheckFinished) => {
    done++
    if (result.verdict === 'failed') failures++
    if (result.verdict === 'untestable') untestable++
    if (result.verdict === 'failed') line(failed(result, colours))
    // Once: the checks that follow say the same.
    if (result.outage !== undefined && !outage)
      line(`${colours.yellow('!')} ${printable(result.reason ?? '')} (${result.id})`)
    outage ||= result.outage !== undefined
    const left = (open.get(result.section) ?? 1) - 1
    open.set(result.section, left)
    if (live) status(result.id)
    else if (left === 0) output.write(`[${done}/${total}] section ${result.section} done\n`)
  }
  return {
    show: (event) => {
      if (event.type === 'run-started') {
        total = event.checks.length
        started = now()
        for (const check of event.checks)
          open.set(check.section, (open.get(check.section) ?? 0) + 1)
      } else if (event.type === 'check-finished') finish(event)
    },
    note: line,
    end: () => {
      clear()
    },
  }
}
