import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'
import type { SealedPartial } from '../threshold/opening.ts'
import type { OpeningAnswer, OpeningTask } from './operator.ts'

/** Opens the private data of tasks for one operator (section 4.10). */
export type PrivateData = {
  /**
   * Verifies what a task may open, and starts to open it. Repeated for the same task, it gives the
   * same requests.
   *
   * @throws ServiceError for what the chain does not grant, for an envelope that is missing, and
   * without a key
   */
  begin(task: OpeningTask, signal: AbortSignal): Promise<OpeningAnswer>
  /**
   * Opens what `begin` has started, and calls `use` with UTF-8 JSON, which is wiped once `use` has
   * settled.
   *
   * @param onWrong called with members whose partial decryptions are invalid
   * @throws ServiceError if nothing was begun, and for data that cannot be opened or read
   */
  open<T>(
    taskId: Bytes32,
    given: {
      readonly partials: readonly (readonly SealedPartial[])[]
      readonly onWrong: (members: readonly Address[]) => void
    },
    use: (document: Uint8Array) => Promise<T>,
  ): Promise<T>
}
