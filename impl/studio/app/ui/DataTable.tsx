import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

export type Column<T> = {
  readonly title: string
  readonly cell: (row: T) => ComponentChildren
}

/** Rows of a page. */
const size = 50

/** A table that never scrolls: where there is little room it is a list of cards, and many rows have pages. */
export function DataTable<T>(props: {
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string
  readonly selected?: string | undefined
}) {
  const { columns, keyOf } = props
  const total = props.rows.length
  const [asked, setPage] = useState(1)
  const page = Math.min(asked, Math.max(1, Math.ceil(total / size)))
  const rows = props.rows.slice((page - 1) * size, page * size)
  return (
    <div class="table stack" role="region" aria-label={props.label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={keyOf(row) === props.selected ? 'selected' : ''}>
              {columns.map(({ title, cell }) => (
                <td key={title} data-label={title}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {total > size ? <Pages {...{ page, size, total }} onPage={setPage} /> : null}
    </div>
  )
}

/** Previous and next page of a list. */
export function Pages(props: {
  readonly page: number
  readonly size: number
  readonly total: number
  readonly onPage: (page: number) => void
}) {
  const last = Math.max(1, Math.ceil(props.total / props.size))
  return (
    <nav class="row" aria-label="Pages">
      <button
        type="button"
        class="button small"
        disabled={props.page <= 1}
        onClick={() => props.onPage(props.page - 1)}
      >
        Previous
      </button>
      <span>
        Page {props.page} of {last} ({props.total.toLocaleString()} in all)
      </span>
      <button
        type="button"
        class="button small"
        disabled={props.page >= last}
        onClick={() => props.onPage(props.page + 1)}
      >
        Next
      </button>
    </nav>
  )
}
