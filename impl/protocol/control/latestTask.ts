import type { TaskIntent } from '../intent.ts'
import type { Bytes32, Data } from '../scalars.ts'

/** Answer of `GET /clients/{address}/latest-task`: what the latest task of a policy client was asked with. */
export type LatestTask = {
  readonly taskId: Bytes32
  readonly intent: TaskIntent
  readonly intentSignature?: Data
  readonly wasmArgs?: Data
}
