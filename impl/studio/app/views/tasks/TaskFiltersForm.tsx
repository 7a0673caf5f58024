import { taskStatuses } from 'polgate-protocol/control/taskList.ts'
import { useEffect, useState } from 'preact/hooks'
import { target } from '../../data/target.ts'
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

/** Filters of the list. What is typed applies after a pause. */
export function TaskFiltersForm(props: {
  readonly filters: TaskFilters
  readonly onChange: (filters: TaskFilters) => void
}) {
  const { filters, onChange } = props
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
  const select = (name: 'status' | 'method' | 'decision') => (value: string) =>
    onChange({ ...filters, [name]: value })
  return (
    <form class="task-filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <TextField
        label="Text"
        value={typed.text}
        placeholder="id, error, address"
        onChange={(text) => setTyped({ ...typed, text })}
      />
      <TextField
        label="Policy client"
        value={typed.client}
        placeholder="0x…"
        error={clientError}
        onChange={(client) => setTyped({ ...typed, client: client.trim() })}
      />
      <SelectField
        label="Status"
        value={filters.status}
        options={choices(taskStatuses)}
        onChange={select('status')}
      />
      <SelectField
        label="Decision"
        value={filters.decision}
        options={choices(['allow', 'deny'])}
        onChange={select('decision')}
      />
      {target().has.control ? (
        <SelectField
          label="Method"
          value={filters.method}
          options={choices(['createTask', 'sendTask'])}
          onChange={select('method')}
        />
      ) : null}
      {isFiltered(filters) ? <Button onPress={() => onChange(none)}>Clear</Button> : null}
    </form>
  )
}
