import { type Difference, pathText } from 'polgate-lib/view/typedDiff.ts'
import { Badge } from './Badge.tsx'
import { DataTable } from './DataTable.tsx'

const longest = 400

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > longest ? `${text.slice(0, longest)} …` : text
}

const words = {
  missing: 'missing',
  extra: 'additional',
  type: 'other type',
  value: 'other value',
} as const

/** Where two JSON values differ, a line for each place. */
export const Diff = (props: {
  readonly label: string
  /** What the two sides are called. */
  readonly sides: readonly [expected: string, observed: string]
  readonly differences: readonly Difference[]
}) =>
  props.differences.length === 0 ? (
    <p class="muted">They do not differ.</p>
  ) : (
    <DataTable
      label={props.label}
      rows={props.differences}
      keyOf={({ path, kind }) => `${kind} ${pathText(path)}`}
      columns={[
        { title: 'Place', cell: ({ path }) => <code>{pathText(path)}</code> },
        { title: 'Difference', cell: ({ kind }) => <Badge tone="warn">{words[kind]}</Badge> },
        {
          title: props.sides[0],
          cell: (each) => <code>{'expected' in each ? shown(each.expected) : '–'}</code>,
        },
        {
          title: props.sides[1],
          cell: (each) => <code>{'observed' in each ? shown(each.observed) : '–'}</code>,
        },
      ]}
    />
  )
