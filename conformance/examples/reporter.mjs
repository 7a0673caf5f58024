import { appendFileSync } from 'node:fs'

/** Writes a line for each failure, and one for the verdict. */
const file = process.env.FAILURES_FILE ?? 'failures.txt'

export const reporter = {
  onEvent: (event) => {
    if (event.type === 'check-finished' && event.verdict === 'failed')
      appendFileSync(file, `${event.id}: ${event.reason}\n`)
  },
  onEnd: ({ verdict, seed }) => {
    appendFileSync(file, `${verdict}, seed ${seed}\n`)
  },
}
