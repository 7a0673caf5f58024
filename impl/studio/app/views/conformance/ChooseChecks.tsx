import type {
  ConformanceCatalogue,
  ConformanceCheck,
} from 'polgate-protocol/control/conformance.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { usePolled } from '../../data/usePolled.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { type CheckGroup, effectsOf, filterChecks, groupsOf, selectionOf } from './chooseChecks.ts'
import { RunButton } from './RunButton.tsx'
import { sectionTitles } from './sectionTitles.ts'

/** The groups of at most this many checks are open. */
const short = 20
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
      <Chooser all={value?.checks} />
    </section>
  )
}

/** @param props.all undefined while they are loaded: all of them can be run meanwhile */
function Chooser(props: { readonly all: readonly ConformanceCheck[] | undefined }) {
  const all = props.all ?? []
  const [filter, setFilter] = useState({ text: '', clause: '', level: '' })
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const found = filterChecks(all, filter)
  const chosen = picked.size === 0 ? found : all.filter(({ id }) => picked.has(id))
  const effects = effectsOf(chosen)
  const change = (name: keyof typeof filter) => (text: string) =>
    setFilter({ ...filter, [name]: text })
  const pick = (ids: readonly string[], wanted: boolean) =>
    setPicked((known) => {
      const others = [...known].filter((id) => !ids.includes(id))
      return new Set(wanted ? [...others, ...ids] : others)
    })
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
          disabled={props.all !== undefined && chosen.length === 0}
          selection={selectionOf(chosen, all, filter)}
        >
          {props.all === undefined
            ? 'Run all checks'
            : chosen.length === all.length
              ? `Run all ${all.length} checks`
              : chosen.length === 1
                ? 'Run 1 check'
                : `Run ${chosen.length} checks`}
        </RunButton>
        {picked.size === 0 ? null : (
          <Button small onPress={() => setPicked(new Set())}>
            Clear the choice
          </Button>
        )}
      </div>
      {effects.length === 0 ? null : (
        <p class="muted">On this stack they do the following: {effects.join(', ')}.</p>
      )}
      {props.all === undefined ? (
        <p class="muted">Loading the checks …</p>
      ) : found.length === 0 ? (
        <Empty>No check matches.</Empty>
      ) : (
        <div class="check-groups">
          {groupsOf(found).map((group) => (
            <Group
              key={group.section}
              {...{ group, picked }}
              isOpen={found.length <= short}
              onPick={pick}
            />
          ))}
        </div>
      )}
    </>
  )
}

function Group(props: {
  readonly group: CheckGroup
  readonly picked: ReadonlySet<string>
  readonly isOpen: boolean
  readonly onPick: (ids: readonly string[], wanted: boolean) => void
}) {
  const { group, picked, isOpen, onPick } = props
  const { section, checks } = group
  const ids = checks.map(({ id }) => id)
  const count = ids.filter((id) => picked.has(id)).length
  return (
    <details open={isOpen}>
      <summary>
        {section} {sectionTitles[section]}{' '}
        <span class="muted">
          {count === 0 ? checks.length : `${count} of ${checks.length} chosen`}
        </span>
      </summary>
      <div class="stack">
        <div class="row">
          <Button
            small
            label={`Choose all of section ${section}`}
            disabled={count === ids.length}
            onPress={() => onPick(ids, true)}
          >
            Choose all
          </Button>
          <Button
            small
            label={`Choose none of section ${section}`}
            disabled={count === 0}
            onPress={() => onPick(ids, false)}
          >
            Choose none
          </Button>
        </div>
        <DataTable
          label={`Checks of section ${section}`}
          rows={checks}
          columns={columnsFor(picked, onPick)}
          keyOf={({ id }) => id}
        />
      </div>
    </details>
  )
}

const columnsFor = (
  picked: ReadonlySet<string>,
  onPick: (ids: readonly string[], wanted: boolean) => void,
): readonly Column<ConformanceCheck>[] => [
  {
    title: 'Check',
    cell: ({ id, title }) => (
      <label class="pick">
        <input
          type="checkbox"
          checked={picked.has(id)}
          onChange={() => onPick([id], !picked.has(id))}
        />
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
