import { taskStatuses } from 'polgate-protocol/control/taskList.ts'
import { useEffect, useState } from 'preact/hooks'
import { target } from '../../data/target.ts'
import { AddressField } from '../../names/AddressField.tsx'
import { useNamed } from '../../names/names.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { isFiltered, type TaskFilters } from './taskList.ts'

const any = { value: '', text: 'Any' }
const choices = (values: readonly string[]) => [
  any,
  ...values.map((value) => ({ value, text: value })),
]
const none: TaskFilters = { status: '', method: '', client: '', decision: '', text: '' }
const typingMs = 300
const isDecision = (outcome: string) => outcome === 'allow' || outcome === 'deny'
/** A task that succeeded has a decision. */
const outcomes = ['allow', 'deny', ...taskStatuses.filter((status) => status !== 'success')]

/** Filters of the list. What is typed applies after a pause. */
export function TaskFiltersForm(props: {
  readonly filters: TaskFilters
  readonly onChange: (filters: TaskFilters) => void
}) {
  const { filters, onChange } = props
  const clients = useNamed('client')
  const [typed, setTyped] = useState({ text: filters.text, client: filters.client })
  useEffect(() => {
    setTyped({ text: filters.text, client: filters.client })
  }, [filters.text, filters.client])
  const clientError =
    typed.client === '' || /^0x[0-9a-fA-F]{40}$/.test(typed.client)
      ? undefined
      : 'An address has 40 hex digits'
  useEffect(() => {
    const isApplied = typed.text === filters.text && typed.client === filters.client
    if (isApplied || clientError !== undefined) return
    const timer = setTimeout(() => onChange({ ...filters, ...typed }), typingMs)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <form class="task-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label="Text"
        value={typed.text}
        placeholder="id, error, address"
        onChange={(text) => setTyped({ ...typed, text })}
      />
      <AddressField
        label="Policy client"
        {...{ known: clients, value: typed.client, error: clientError }}
        none={any.text}
        onChange={(client) => setTyped({ ...typed, client: client.trim() })}
      />
      <SelectField
        label="Outcome"
        value={filters.decision || filters.status}
        options={choices(outcomes)}
        onChange={(outcome) =>
          onChange({
            ...filters,
            ...(isDecision(outcome)
              ? { decision: outcome, status: '' }
              : { decision: '', status: outcome }),
          })
        }
      />
      {target().has.control ? (
        <SelectField
          label="Method"
          value={filters.method}
          options={choices(['createTask', 'sendTask'])}
          onChange={(method) => onChange({ ...filters, method })}
        />
      ) : null}
      {isFiltered(filters) ? <Button onPress={() => onChange(none)}>Clear</Button> : null}
    </form>
  )
}
