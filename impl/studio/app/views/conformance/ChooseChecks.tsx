import type {
  ConformanceCatalogue,
  ConformanceCheck,
} from 'polgate-protocol/control/conformance.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { type Column, DataTable, Pages } from '../../ui/DataTable.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { effectsOf, filterChecks, selectionOf } from './chooseChecks.ts'
import { RunButton } from './RunButton.tsx'

const size = 50
/** The catalogue is of the installed suite. */
const everyMs = 3_600_000

/** The checks of the suite by clause, level and text, single ones by their boxes. */
export function ChooseChecks() {
  const { value, error } = usePolled(
    (signal) => control.get<ConformanceCatalogue>('/conformance/checks', signal),
    everyMs,
  )
  return (
    <section class="stack" aria-label="Checks">
      <h2>Checks</h2>
      <ErrorNotice error={error} />
      {value === undefined ? (
        error === undefined && <p class="muted">Loading the checks …</p>
      ) : (
        <Chooser all={value.checks} />
      )}
    </section>
  )
}

function Chooser({ all }: { readonly all: readonly ConformanceCheck[] }) {
  const [filter, setFilter] = useState({ text: '', clause: '', level: '' })
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [page, setPage] = useState(1)
  const found = filterChecks(all, filter)
  const chosen = picked.size === 0 ? found : all.filter(({ id }) => picked.has(id))
  const effects = effectsOf(chosen)
  const change = (name: keyof typeof filter) => (text: string) => {
    setFilter({ ...filter, [name]: text })
    setPage(1)
  }
  const toggle = (id: string) => {
    const next = new Set(picked)
    if (!next.delete(id)) next.add(id)
    setPicked(next)
  }
  return (
    <>
      <div class="filters">
        <TextField
          label="Text"
          value={filter.text}
          help="In the id or the title"
          onChange={change('text')}
        />
        <TextField
          label="Clause"
          value={filter.clause}
          help="A section or a clause, such as 4.2 or 4.2-07"
          onChange={change('clause')}
        />
        <SelectField
          label="Level"
          value={filter.level}
          options={[
            { value: '', text: 'all' },
            ...['must', 'should', 'may'].map((text) => ({ value: text, text })),
          ]}
          onChange={change('level')}
        />
      </div>
      <div class="row">
        <RunButton
          primary
          disabled={chosen.length === 0}
          selection={selectionOf(chosen, all, filter)}
        >
          {chosen.length === all.length
            ? `Run all ${all.length} checks`
            : chosen.length === 1
              ? 'Run 1 check'
              : `Run ${chosen.length} checks`}
        </RunButton>
        {picked.size === 0 ? null : (
          <button type="button" class="button small" onClick={() => setPicked(new Set())}>
            Clear the choice
          </button>
        )}
      </div>
      {effects.length === 0 ? null : (
        <p class="muted">On this stack they do the following: {effects.join(', ')}.</p>
      )}
      {found.length === 0 ? (
        <Empty>No check matches.</Empty>
      ) : (
        <>
          <DataTable
            label="Checks of the suite"
            rows={found.slice((page - 1) * size, page * size)}
            columns={columnsFor(picked, toggle)}
            keyOf={({ id }) => id}
          />
          {found.length <= size ? null : (
            <Pages {...{ page, size, total: found.length }} onPage={setPage} />
          )}
        </>
      )}
    </>
  )
}

const columnsFor = (
  picked: ReadonlySet<string>,
  toggle: (id: string) => void,
): readonly Column<ConformanceCheck>[] => [
  {
    title: 'Check',
    cell: ({ id, title }) => (
      <label class="pick">
        <input type="checkbox" checked={picked.has(id)} onChange={() => toggle(id)} />
        <span>
          <code>{id}</code>
          <span class="muted title">{title}</span>
        </span>
      </label>
    ),
  },
  { title: 'Clauses', cell: ({ clauses }) => clauses.join(', ') },
  { title: 'Level', cell: ({ level }) => level },
  { title: 'Needs', cell: ({ needs }) => <span class="muted">{needs.join(', ')}</span> },
]
