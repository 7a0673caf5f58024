import type { OperatorReport } from 'polgate-protocol/control/operators.ts'
import { exactJsonOrText } from '../../data/jsonOrText.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Address } from '../../names/Address.tsx'
import { Chart } from '../../ui/chart/Chart.tsx'
import { JsonView } from '../../ui/JsonView.tsx'
import { Empty } from '../../ui/Notice.tsx'
import { Time } from '../../ui/Time.tsx'
import { activityChart } from './activityChart.ts'
import { latencyText } from './OperatorTable.tsx'

/** One operator: what it did over time, and the data that it reported last. */
export function OperatorPanel({ operator }: { readonly operator: OperatorReport }) {
  const { index, activity } = operator
  const { recent = [], reported = null } = activity ?? {}
  return (
    <section class="panel stack" aria-label={`Operator ${index}`}>
      <div class="row">
        <h2 class="grow">Operator {index}</h2>
        <a href={hashOf('operators')}>Close</a>
      </div>
      {recent.length === 0 ? (
        <Empty>It has taken part in no task yet.</Empty>
      ) : (
        <Chart
          label={`Latency and agreement of operator ${index}`}
          summary={`The latest ${recent.length} tasks: ${latencyText(activity)}.`}
          data={activityChart(recent)}
        />
      )}
      {reported === null ? null : (
        <>
          <h3>Reported data</h3>
          {reported.outputs.map((output) => (
            <JsonView key={output} value={exactJsonOrText(output)} />
          ))}
          <p class="muted">
            <Time at={reported.at} />, for client <Address value={reported.policyClient} />
          </p>
        </>
      )}
    </section>
  )
}
