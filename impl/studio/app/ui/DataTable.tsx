import type { ComponentChildren } from 'preact'

export type Column<T> = {
  readonly title: string
  readonly cell: (row: T) => ComponentChildren
}

/** A table that scrolls inside itself, and becomes a list of cards on a phone. */
export function DataTable<T>(props: {
  readonly label: string
  readonly rows: readonly T[]
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string
  readonly selected?: string | undefined
}) {
  const { rows, columns, keyOf } = props
  return (
    <div class="table-scroll tall" tabIndex={0} role="region" aria-label={props.label}>
      <table class="cards">
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
    </div>
  )
}

/** Previous and next page of a list that the server pages. */
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
