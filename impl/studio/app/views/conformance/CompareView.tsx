import type {
  ConformanceChange,
  ConformanceComparison,
} from 'polgate-protocol/control/conformance.ts'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'

const parts: readonly {
  readonly name: keyof Omit<ConformanceComparison, 'same'>
  readonly title: string
  readonly tone: Tone
}[] = [
  { name: 'broken', title: 'Broken', tone: 'bad' },
  { name: 'newlyUntested', title: 'No longer decided', tone: 'warn' },
  { name: 'fixed', title: 'Fixed', tone: 'good' },
  { name: 'stillFailing', title: 'Still failing', tone: 'bad' },
  { name: 'newlyTested', title: 'Newly proven', tone: 'good' },
]

const everyMs = 3_600_000

/** What differs between two runs. */
export function CompareView(props: { readonly before: string; readonly after: string }) {
  const { before, after } = props
  const path = `/conformance/compare?${new URLSearchParams({ before, after })}`
  const { value, error } = usePolled(
    (signal) => control.get<ConformanceComparison>(path, signal),
    everyMs,
    [path],
  )
  return (
    <>
      <p>
        <a href={hashOf('conformance')}>All checks and runs</a>
      </p>
      <h2>Comparison of two runs</h2>
      <p class="muted">
        {before} → {after}
      </p>
      <ErrorNotice error={error} />
      {value === undefined ? null : (
        <>
          <div class="row">
            {parts.map(({ name, title, tone }) => (
              <Badge key={name} tone={value[name].length === 0 ? 'neutral' : tone}>
                {title}: {value[name].length}
              </Badge>
            ))}
            <Badge>Same: {value.same}</Badge>
          </div>
          {parts.every(({ name }) => value[name].length === 0) ? (
            <Empty>No check has another result.</Empty>
          ) : null}
          {parts.map(({ name, title }) =>
            value[name].length === 0 ? null : (
              <Changes key={name} title={title} changes={value[name]} run={after} />
            ),
          )}
        </>
      )}
    </>
  )
}

const Changes = (props: {
  readonly title: string
  readonly changes: readonly ConformanceChange[]
  readonly run: string
}) => (
  <section class="panel stack" aria-label={props.title}>
    <h3>
      {props.title} ({props.changes.length})
    </h3>
    <ul class="failures">
      {props.changes.map(({ id, before, after, reason }) => (
        <li key={id}>
          {after === undefined ? (
            <code>{id}</code>
          ) : (
            <a href={hashOf('conformance', ['runs', props.run, id])}>{id}</a>
          )}{' '}
          <span class="muted">
            {before ?? 'not run'} → {after ?? 'not run'}
            {reason === undefined ? '' : `: ${reason}`}
          </span>
        </li>
      ))}
    </ul>
  </section>
)
