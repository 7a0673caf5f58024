import { type Difference, pathText } from 'polgate-lib/view/typedDiff.ts'
import { Badge } from '../../ui/Badge.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'

const texts = {
  missing: 'missing',
  extra: 'added',
  type: 'other type',
  value: 'other value',
} as const

const longest = 400

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)} …` : text
}

/** Where two JSON values differ. */
export function DiffTable(props: {
  readonly label: string
  readonly before: string
  readonly after: string
  readonly differences: readonly Difference[]
}) {
  const columns: readonly Column<Difference>[] = [
    { title: 'Where', cell: ({ path }) => <code>{pathText(path)}</code> },
    { title: 'What', cell: ({ kind }) => <Badge tone="warn">{texts[kind]}</Badge> },
    {
      title: props.before,
      cell: (each) => <code>{each.kind === 'extra' ? '–' : shown(each.expected)}</code>,
    },
    {
      title: props.after,
      cell: (each) => <code>{each.kind === 'missing' ? '–' : shown(each.observed)}</code>,
    },
  ]
  if (props.differences.length === 0) return <p class="muted">They do not differ.</p>
  return (
    <DataTable
      label={props.label}
      rows={props.differences}
      columns={columns}
      keyOf={({ path, kind }) => `${kind} ${pathText(path)}`}
    />
  )
}
