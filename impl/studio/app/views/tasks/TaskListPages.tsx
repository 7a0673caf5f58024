import type { TaskList } from 'polgate-protocol/control/taskList.ts'
import { Button } from '../../ui/Button.tsx'
import { Pages } from '../../ui/DataTable.tsx'

/** Pages of the list; of a search only the next one is known. */
export function TaskListPages({
  list,
  onPage,
}: {
  readonly list: TaskList & { readonly searched?: number }
  readonly onPage: (page: number) => void
}) {
  const { page, size, total, more, searched } = list
  if (total !== null) return <Pages {...{ page, size, total, onPage }} />
  return (
    <nav class="row" aria-label="Pages">
      <Button small disabled={page <= 1} onPress={() => onPage(page - 1)}>
        Previous
      </Button>
      <span>
        Page {page}
        {searched === undefined ? '' : `: searched the latest ${searched.toLocaleString()} tasks`}
      </span>
      <Button small disabled={!more} onPress={() => onPage(page + 1)}>
        {searched === undefined ? 'Next' : 'Search further'}
      </Button>
    </nav>
  )
}
