import type { Address } from 'viem'
import { target } from '../../data/target.ts'
import { usePolled } from '../../data/usePolled.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { Empty, ErrorNotice, Notice } from '../../ui/Notice.tsx'
import { shareOf } from './effect.ts'
import { type Registered, registeredOperators } from './registeredOperators.ts'

/** What the chain tells of the operators of a gateway without a control API. */
export function RegisteredView() {
  const registry = target().contracts.OperatorRegistry as Address | undefined
  return (
    <>
      <Notice>
        Operators are stopped, started and given faults only on a local stack; here is what the
        chain knows of them.
      </Notice>
      {registry === undefined || !target().has.chain ? (
        <Empty>
          The target names no chain with an operator registry: add chain.rpcUrl and
          chain.operatorRegistry to its file.
        </Empty>
      ) : (
        <RegisteredTable registry={registry} />
      )}
    </>
  )
}

function RegisteredTable({ registry }: { readonly registry: Address }) {
  const { value, error } = usePolled(() => registeredOperators(registry), 10_000, [registry])
  const columns: readonly Column<Registered>[] = [
    { title: 'Operator', cell: ({ address }) => <Hex value={address} /> },
    { title: 'Id', cell: ({ id }) => <Hex value={id} /> },
    {
      title: 'Stake',
      cell: ({ stake }) => `${stake} (${shareOf(stake, value?.total ?? '0')} %)`,
    },
  ]
  return (
    <>
      <ErrorNotice error={error} />
      {value === undefined ? null : (
        <DataTable
          label="Operators"
          rows={value.operators}
          columns={columns}
          keyOf={({ id }) => id}
        />
      )}
    </>
  )
}
