import { colours } from '../colours.ts'
import type { OracleStages } from './simulatedOracle.ts'

/** A text of somebody else, such as an oracle, without what would command the terminal. */
export const printable = (text: string): string => text.replace(/[^\P{Cc}\n]/gu, '\ufffd')

/** What is said beside the result: on stderr, so that stdout can be piped. */
export const note = (text: string): void => {
  const { yellow } = colours(process.stderr)
  console.error(`${yellow('note:')} ${printable(text)}`)
}

/** Milliseconds for a reader: no more digits than are worth reading. */
export const shownMs = (ms: number | undefined): string =>
  ms === undefined ? '-' : `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

export const stageLines = (name: string, stages: OracleStages): readonly string[] => {
  const { dim } = colours(process.stderr)
  const loading = stages.transpiled ? 'transpile' : 'load'
  return [
    `${name}  ${loading} ${shownMs(stages.load)}, run ${shownMs(stages.run)}`,
    ...stages.http.map(({ method, url, status, error, ms }) =>
      dim(printable(`  ${method} ${url} ${error ?? status} ${shownMs(ms)}`)),
    ),
  ]
}
