import type { ProfiledLine } from '../../../playground/evaluation.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { durationText } from '../../ui/Time.tsx'

/** What each line took, the most expensive first. */
export const ProfileTable = ({ lines }: { readonly lines: readonly ProfiledLine[] }) => (
  <DataTable
    label="Profile"
    rows={lines}
    keyOf={({ row }) => String(row)}
    columns={[
      { title: 'Line', cell: ({ row }) => row },
      { title: 'Time', cell: ({ time }) => durationText(time) },
      { title: 'Evaluated', cell: ({ evaluations }) => evaluations },
      { title: 'Held', cell: ({ passes }) => passes },
      { title: 'Text', cell: ({ text }) => <code>{text}</code> },
    ]}
  />
)
