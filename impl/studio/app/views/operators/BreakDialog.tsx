import type { QuorumStanding } from 'polgate-protocol/control/operators.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

/** Asks before an action after which no task succeeds. */
export const BreakDialog = (props: {
  readonly text: string
  readonly standing: QuorumStanding
  readonly required: string
  readonly onConfirm: () => unknown
  readonly onClose: () => void
}) => (
  <Dialog title={`${props.text}?`} onClose={props.onClose}>
    <p>
      This breaks the quorum: {props.standing.stake} stake would sign, and {props.required} is
      required. Tasks fail until it is undone.
    </p>
    <div class="row">
      <Button kind="danger" onPress={props.onConfirm}>
        {props.text}
      </Button>
      <Button onPress={props.onClose}>Cancel</Button>
    </div>
  </Dialog>
)
