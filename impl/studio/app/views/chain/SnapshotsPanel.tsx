import type { ChainSnapshot } from 'polgate-protocol/control/chain.ts'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Time } from '../../ui/Time.tsx'

/** The snapshots of the stack; reverting to one is confirmed. */
export function SnapshotsPanel(props: {
  readonly snapshots: readonly ChainSnapshot[]
  readonly onTake: () => unknown
  readonly onRevert: (id: string) => Promise<unknown>
}) {
  const { snapshots, onTake, onRevert } = props
  const [asking, setAsking] = useState<ChainSnapshot>()
  const revert = async (id: string) => {
    await onRevert(id)
    setAsking(undefined)
  }
  return (
    <section class="stack" aria-label="Snapshots">
      <div class="row">
        <h2 class="grow">Snapshots</h2>
        <Button onPress={onTake}>Take a snapshot</Button>
      </div>
      {snapshots.length === 0 ? (
        <p class="muted">None yet. A snapshot is the state of chain, gateway and explorer.</p>
      ) : (
        <ul class="chain-snapshots">
          {snapshots.map((snapshot) => (
            <li key={snapshot.id} class="row">
              <code>{snapshot.id}</code>
              <span class="grow">
                block {snapshot.block}, <Time at={snapshot.at} />
              </span>
              <Button small label={`Revert to ${snapshot.id}`} onPress={() => setAsking(snapshot)}>
                Revert to it
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asking === undefined ? null : (
        <Dialog title={`Revert to ${asking.id}?`} onClose={() => setAsking(undefined)}>
          <p>
            The stack restarts at block {asking.block}. Tasks, blocks and snapshots after it are
            gone, and operators are without faults again.
          </p>
          <div class="row">
            <Button kind="danger" onPress={() => revert(asking.id)}>
              Revert
            </Button>
            <Button onPress={() => setAsking(undefined)}>Cancel</Button>
          </div>
        </Dialog>
      )}
    </section>
  )
}
