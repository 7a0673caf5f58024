import type { NamedAddress } from 'polgate-protocol/control/chain.ts'
import { useState } from 'preact/hooks'
import { formatEther, isAddress, parseEther } from 'viem'
import { chainRpc } from '../../data/chain.ts'
import { usePolled } from '../../data/usePolled.ts'
import { useNamed } from '../../names/names.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Hex } from '../../ui/Hex.tsx'
import { ErrorNotice } from '../../ui/Notice.tsx'
import { readBalances } from './reads.ts'

/** What the faucet adds, wei. */
const portion = parseEther('10')

/** The accounts and contracts with their balances, and a faucet where the node has one. */
export function AccountsTab({ canChange }: { readonly canChange: boolean }) {
  const addresses = useNamed()
  const [other, setOther] = useState('')
  const [failure, setFailure] = useState<Error>()
  const all = [...new Set(addresses.map(({ address }) => address))]
  const { value, error, refresh } = usePolled(() => readBalances(all), 3_000, [all.join()])

  const fund = async (address: string) => {
    try {
      const balance = (await readBalances([address])).get(address) ?? 0n
      await chainRpc('anvil_setBalance', [address, `0x${(balance + portion).toString(16)}`])
      setFailure(undefined)
    } catch (reason) {
      setFailure(reason as Error)
    }
    refresh()
  }
  const columns: readonly Column<NamedAddress>[] = [
    { title: 'Name', cell: ({ name }) => name },
    { title: 'Kind', cell: ({ role }) => <Badge>{role}</Badge> },
    { title: 'Address', cell: ({ address }) => <Hex value={address} /> },
    {
      title: 'Balance',
      cell: ({ address }) => {
        const balance = value?.get(address)
        return balance === undefined ? '–' : `${shortEther(balance)} ETH`
      },
    },
    ...(canChange
      ? [
          {
            title: 'Faucet',
            cell: ({ address, name }: NamedAddress) => (
              <Button small label={`Add 10 ETH to ${name}`} onPress={() => fund(address)}>
                + 10 ETH
              </Button>
            ),
          },
        ]
      : []),
  ]
  const isWrong = other !== '' && !isAddress(other, { strict: false })
  return (
    <>
      <ErrorNotice error={failure ?? error} />
      <DataTable
        label="Accounts"
        rows={addresses}
        columns={columns}
        keyOf={({ name, role }) => `${role} ${name}`}
      />
      {canChange ? (
        <div class="row">
          <TextField
            label="Another address"
            value={other}
            placeholder="0x…"
            error={isWrong ? 'no address' : undefined}
            onChange={setOther}
          />
          <Button disabled={other === '' || isWrong} onPress={() => fund(other)}>
            Add 10 ETH
          </Button>
        </div>
      ) : null}
    </>
  )
}

/** With at most four decimal places. */
function shortEther(wei: bigint): string {
  const [whole = '0', fraction = ''] = formatEther(wei).split('.')
  return fraction === '' ? whole : `${whole}.${fraction.slice(0, 4)}`
}
