import type { ClientChange, ClientDetail } from 'polgate-protocol/control/policies.ts'
import { useState } from 'preact/hooks'
import { control } from '../../data/control.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { TextField } from '../../ui/Field.tsx'
import { ErrorNotice, Notice } from '../../ui/Notice.tsx'

const isAddress = (text: string): boolean => /^0x[0-9a-fA-F]{40}$/.test(text)

/** Transfers the ownership of a client, after a question: what the stack has no key of, it cannot take back. */
export function OwnerForm(props: {
  readonly client: ClientDetail
  readonly canChange: boolean
  readonly onSet: () => void
}) {
  const { client, canChange, onSet } = props
  const [owner, setOwner] = useState('')
  const [asks, setAsks] = useState(false)
  const [error, setError] = useState<Error>()
  const [done, setDone] = useState<ClientChange>()
  if (!canChange) return <Unchangeable client={client} />
  const transfer = async () => {
    setAsks(false)
    setError(undefined)
    try {
      setDone(await control.post<ClientChange>(`/clients/${client.address}/owner`, { owner }))
      onSet()
    } catch (reason) {
      setError(reason as Error)
    }
  }
  return (
    <div class="stack">
      <TextField
        label="New owner"
        value={owner}
        onChange={setOwner}
        placeholder="0x…"
        help={`The owner now: ${client.owner}`}
        error={owner === '' || isAddress(owner) ? undefined : 'This is not an address.'}
      />
      <div class="row">
        <Button kind="danger" disabled={!isAddress(owner)} onPress={() => setAsks(true)}>
          Transfer ownership
        </Button>
      </div>
      <ErrorNotice error={error} />
      {done === undefined ? null : <Notice>Transferred in block {done.block}.</Notice>}
      {asks ? (
        <Dialog title="Transfer ownership" onClose={() => setAsks(false)}>
          <p>
            The client will belong to <code>{owner}</code>. If that is no development account of
            this stack, Studio cannot change the client any more.
          </p>
          <div class="row">
            <Button kind="danger" onPress={transfer}>
              Transfer
            </Button>
          </div>
        </Dialog>
      ) : null}
    </div>
  )
}

/** Why Studio cannot change a client. */
export const Unchangeable = ({ client }: { readonly client: ClientDetail }) => (
  <Notice>
    {client.owner === null
      ? 'This client has no owner: its policy, its parameters and its owner stay as they are.'
      : `The stack does not have the key of the owner ${client.owner}: change the client with the wallet of its owner.`}
  </Notice>
)
