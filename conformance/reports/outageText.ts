import type { RunStarted } from '../core/events.ts'
import type { Call, Outage } from './outages.ts'

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`

const timeOf = (startedAt: string, ms: number) => new Date(Date.parse(startedAt) + ms).toISOString()

const callText = ({ check, method, id, at, status }: Call): string =>
  [
    `${method}${id === undefined ? '' : `, id ${id}`}, sent after ${seconds(at)}`,
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    `by ${check}`,
  ].join(', ')

/** One outage in one line: when, why, and how many checks it explains. */
export const outageHeadline = ({ at, why, checks }: Outage, { at: begun }: RunStarted): string =>
  `the gateway stopped answering after ${seconds(at)} (${timeOf(begun, at)}): ${why}; it explains ${checks.length} ${checks.length === 1 ? 'check' : 'checks'} without a result`

export type OutageRow = { readonly label: string; readonly text: string }

/** What a reader needs to find the reason, as labelled lines. */
export function outageRows({ lastAnswered, pending }: Outage): readonly OutageRow[] {
  const next =
    'read the log of the gateway at that time, start it again, then: polgate run --only-failed'
  return [
    {
      label: 'Answered',
      text: lastAnswered === undefined ? 'no request of this run' : callText(lastAnswered),
    },
    ...pending.map((call, i) => ({ label: i === 0 ? 'Pending' : '', text: callText(call) })),
    { label: 'Next', text: next },
  ]
}
