import { colours } from '../colours.ts'
import type { OracleStages } from './simulatedOracle.ts'

/** Replaces terminal control characters in untrusted text, such as an oracle's error. */
export const printable = (text: string): string => text.replace(/[^\P{Cc}\n]/gu, '\ufffd')

/** Prints a note on stderr, so that stdout contains only the result. */
export function note(text: string): void {
  const { yellow } = colours(process.stderr)
  console.error(`${yellow('note:')} ${printable(text)}`)
}

/** Milliseconds, rounded for display. */
export const shownMs = (ms: number | undefined): string =>
  ms === undefined ? '-' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

export function stageLines(name: string, stages: OracleStages): readonly string[] {
  const { dim } = colours(process.stderr)
  const loading = stages.transpiled ? 'transpile' : 'load'
  return [
    `${name}  ${loading} ${shownMs(stages.load)}, run ${shownMs(stages.run)}`,
    ...stages.http.map(({ method, url, status, error, ms }) =>
      dim(printable(`  ${method} ${url} ${error ?? status} ${shownMs(ms)}`)),
    ),
  ]
}
