import { useState } from 'preact/hooks'
import { useNameOf } from '../../names/names.ts'
import { SelectField } from '../../ui/Field.tsx'
import { Empty, Notice } from '../../ui/Notice.tsx'
import { Waterfall } from '../../ui/Waterfall.tsx'
import { ChainPartPanel } from './ChainPartPanel.tsx'
import { chainParts } from './chainParts.ts'
import { SpanPanel } from './SpanPanel.tsx'
import { failedPart, partsOf } from './taskParts.ts'
import type { KnownTask } from './useTaskTrace.ts'

const isFailure = (status: string) => status === 'failed' || status === 'timeout'

/** The parts of a task on a time axis, and the selected one. */
export function TaskPath({ known }: { readonly known: KnownTask }) {
  const [all, setAll] = useState(false)
  const [operator, setOperator] = useState('')
  /** Null once it was closed. */
  const [chosen, setChosen] = useState<string | null>()
  const nameOf = useNameOf()
  const { path } = known
  if (path === undefined)
    return (
      <Empty>
        {known.isLoading
          ? 'Loading …'
          : 'The path of this task is not known: a local stack keeps the paths of its latest 1,000 tasks in memory, until it stops.'}
      </Empty>
    )
  const operators = [...new Set(path.spans.flatMap(({ operator: each }) => each ?? []))].sort()
  const onChain = chainParts(path)
  const parts = [
    ...partsOf(path.spans, { all, operator: operator === '' ? undefined : operator }).map(
      (part) => ({ ...part, owner: part.owner && nameOf(part.owner) }),
    ),
    ...onChain,
  ]
  const hasFailed = known.summary !== undefined && isFailure(known.summary.status)
  const opened = hasFailed ? failedPart(parts)?.id : undefined
  const selected = chosen === undefined ? opened : (chosen ?? undefined)
  const span = path.spans.find(({ id }) => String(id) === selected)
  const event = onChain.find(({ id }) => id === selected)
  const close = () => setChosen(null)
  return (
    <div class="stack">
      <div class="task-filters">
        <SelectField
          label="Parts"
          value={all ? 'all' : 'main'}
          options={[
            { value: 'main', text: 'Without chain reads, store and loading' },
            { value: 'all', text: 'All' },
          ]}
          onChange={(value) => setAll(value === 'all')}
        />
        <SelectField
          label="Operator"
          value={operator}
          options={[
            { value: '', text: 'All' },
            ...operators.map((value) => ({ value, text: nameOf(value) })),
          ]}
          onChange={setOperator}
        />
      </div>
      {path.notes.map((note) => (
        <Notice key={note} tone="warn">
          {note}
        </Notice>
      ))}
      <div class="task-path">
        <Waterfall
          label="Path of the task"
          parts={parts}
          selected={selected}
          onSelect={setChosen}
        />
        {event !== undefined ? (
          <ChainPartPanel part={event} onClose={close} />
        ) : span !== undefined ? (
          <SpanPanel span={span} onClose={close} />
        ) : (
          <p class="muted">Select a part to see its request, its response or its error.</p>
        )}
      </div>
    </div>
  )
}
