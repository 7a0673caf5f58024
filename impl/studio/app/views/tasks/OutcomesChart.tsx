import {
  type OutcomeCounts,
  type OutcomesOverTime,
  outcomesOverTime,
} from 'polgate-protocol/control/taskOutcomes.ts'
import { control } from '../../data/control.ts'
import { explorerClient } from '../../data/explorer.ts'
import { target } from '../../data/target.ts'
import { usePolled } from '../../data/usePolled.ts'
import { Chart } from '../../ui/chart/Chart.tsx'
import type { ChartTone } from '../../ui/chart/chartSeries.ts'
import { outcomesSummary } from './outcomesSummary.ts'
import { rowOf } from './taskList.ts'

/** The largest page of an explorer. */
const explorerPage = 100

/** Of the latest tasks; of fewer where there is no control API. @throws ApiError */
async function readOutcomes(signal: AbortSignal): Promise<OutcomesOverTime> {
  if (target().has.control) return await control.get<OutcomesOverTime>('/tasks/outcomes', signal)
  const { results } = await explorerClient().listTasks({ page: 1, size: explorerPage }, { signal })
  return outcomesOverTime(results.map(rowOf))
}

const kinds: readonly (readonly [Exclude<keyof OutcomeCounts, 'at'>, string, ChartTone])[] = [
  ['allowed', 'Allowed', 'good'],
  ['denied', 'Denied', 'warn'],
  ['failed', 'Failed', 'bad'],
  ['open', 'Not decided', 'muted'],
]

/** How the latest tasks ended, over time. */
export function OutcomesChart() {
  const { value } = usePolled(readOutcomes, 4_000)
  if (value === undefined || value.tasks === 0) return null
  return (
    <Chart
      label="Outcomes of tasks over time"
      summary={outcomesSummary(value)}
      data={{
        ...{ x: value.stretches.map(({ at }) => at), xKind: 'time', stacked: true },
        ...{ xTitle: 'From', xText: (at) => new Date(at).toLocaleString() },
        series: kinds.map(([kind, title, tone]) => ({
          ...{ title, tone, draw: 'bars', text: String },
          values: value.stretches.map((counts) => counts[kind]),
        })),
      }}
    />
  )
}
