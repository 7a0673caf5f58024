import { useState } from 'preact/hooks'
import { explorerClient } from '../../data/explorer.ts'
import { target } from '../../data/target.ts'
import { usePolled } from '../../data/usePolled.ts'
import { hashOf, navigate } from '../../data/useRoute.ts'
import { useNamed, useNameOf } from '../../names/names.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { shortHex } from '../../ui/Hex.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** Chooses the task or the client that the editors are filled from. */
export function LoadFrom(props: { readonly taskId: string; readonly client: string | undefined }) {
  const { taskId, client } = props
  const [typed, setTyped] = useState('')
  const { has } = target()
  const tasks = usePolled(
    async () => (has.explorer ? (await explorerClient().listTasks({ size: 25 })).results : []),
    5_000,
  )
  const clients = useNamed('client')
  const nameOf = useNameOf()
  if (!has.control) return <Notice>Tasks and clients can be loaded from a local stack only.</Notice>
  const found = tasks.value ?? []
  const listed = found.some(({ id }) => id === taskId)
  const isId = /^0x[0-9a-fA-F]{64}$/.test(typed)
  return (
    <div class="columns">
      <SelectField
        label="Load a task"
        value={taskId}
        onChange={(id) => navigate(hashOf('playground', id === '' ? [] : [id]))}
        options={[
          { value: '', text: 'choose …' },
          ...(listed || taskId === '' ? [] : [{ value: taskId, text: shortHex(taskId) }]),
          ...found.map(({ id, policy_client_address: of }) => ({
            value: id,
            text: `${shortHex(id)} of ${nameOf(of)}`,
          })),
        ]}
      />
      <div class="row end">
        <div class="grow">
          <TextField
            label="Or by its id"
            value={typed}
            placeholder="0x…"
            onChange={setTyped}
            error={typed === '' || isId ? undefined : 'This is not the id of a task.'}
          />
        </div>
        <Button disabled={!isId} onPress={() => navigate(hashOf('playground', [typed]))}>
          Load
        </Button>
      </div>
      <SelectField
        label="Or load the policy of a client"
        value={client?.toLowerCase() ?? ''}
        onChange={(value) =>
          navigate(hashOf('playground', [], value === '' ? {} : { client: value }))
        }
        options={[
          { value: '', text: 'choose …' },
          ...clients.map(({ address, name }) => ({ value: address.toLowerCase(), text: name })),
        ]}
      />
    </div>
  )
}
