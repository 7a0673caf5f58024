import { target } from '../../data/target.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf } from '../../data/useRoute.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice } from '../../ui/Notice.tsx'
import { type Attestation, attestationsOf } from './attestations.ts'
import { readEvents } from './reads.ts'

const shown = 10
const tones = { valid: 'good', expired: 'bad', spent: 'neutral' } as const

/** The latest attestations, which expire at a block; mining reaches it. */
export function AttestationsPanel(props: {
  readonly latest: number | undefined
  readonly onMine: (blocks: number) => unknown
}) {
  const { latest = 0, onMine } = props
  const { value, error } = usePolled(() => readEvents(target().contracts.TaskManager), 3_000)
  const columns: readonly Column<Attestation>[] = [
    {
      title: 'Task',
      cell: ({ taskId }) => <Hex value={taskId} href={hashOf('tasks', [taskId])} />,
    },
    { title: 'State', cell: ({ state }) => <Badge tone={tones[state]}>{state}</Badge> },
    { title: 'Expires at block', cell: ({ expirationBlock }) => expirationBlock },
    {
      title: 'Reach its expiry',
      cell: ({ taskId, state, expirationBlock }) => {
        // The next block is then the one in which it has expired.
        const blocks = expirationBlock - 1 - latest
        return state === 'valid' && blocks > 0 ? (
          <Button
            small
            label={`Mine ${blocks} blocks, past the expiry of ${taskId}`}
            onPress={() => onMine(blocks)}
          >
            Mine {blocks.toLocaleString()} blocks
          </Button>
        ) : null
      },
    },
  ]
  const rows = attestationsOf(value ?? [], latest).slice(0, shown)
  return (
    <section class="stack" aria-label="Attestations">
      <h2>Attestations</h2>
      <ErrorNotice error={error} />
      {rows.length === 0 ? (
        <Empty>No attestation has been posted lately.</Empty>
      ) : (
        <DataTable
          label="Attestations"
          rows={rows}
          columns={columns}
          keyOf={({ taskId }) => taskId}
        />
      )}
    </section>
  )
}
