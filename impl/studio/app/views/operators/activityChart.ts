import type { OperatorActivity } from 'polgate-protocol/control/operators.ts'
import type { ChartData } from '../../ui/chart/chartSeries.ts'
import { durationText } from '../../ui/Time.tsx'

/** Tasks of which the agreement is a share. */
const window = 10

/** Latency of an operator's signatures, and its agreement with the others, over time. */
export const activityChart = (recent: OperatorActivity['recent']): ChartData => ({
  x: recent.map(({ at }) => at),
  xKind: 'time',
  xTitle: 'Task at',
  xText: (at) => new Date(at).toLocaleTimeString(),
  series: [
    {
      ...{ title: 'Signature', tone: 'accent', draw: 'line', text: durationText },
      axisText: (value) => `${value} ms`,
      values: recent.map(({ ms }) => ms),
    },
    {
      ...{ title: `Agreement, last ${window} tasks`, tone: 'good', draw: 'line' },
      ...{ axis: 'right', most: 100, text: (value) => `${Math.round(value)} %` },
      values: recent.map((_, at) =>
        agreementOf(recent.slice(Math.max(0, at + 1 - window), at + 1)),
      ),
    },
  ],
})

/** Percent of the tasks that it took part in; null without one. */
function agreementOf(recent: OperatorActivity['recent']): number | null {
  const agreed = recent.filter(({ outcome }) => outcome === 'agreed').length
  const took = recent.filter(({ outcome }) => outcome !== 'missed').length
  return took === 0 ? null : (100 * agreed) / took
}
