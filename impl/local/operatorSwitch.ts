import type { Address, Bytes32 } from 'polgate-protocol/scalars.ts'

/** An operator that can be stopped and started, in this process or in a separate one. */
export type OperatorSwitch = {
  readonly address: Address
  readonly id: Bytes32
  readonly running: boolean
  /** Process id of a separate process. */
  readonly pid?: number | undefined
  stop(): Promise<void> | void
  start(): Promise<void> | void
}
