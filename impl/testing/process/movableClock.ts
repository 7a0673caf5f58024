import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import type { Clock } from 'polgate-protocol/clock.ts'
import { chainRpc } from '../stack/chainRpc.ts'

/** The time of a test stack: chain, service, operators and oracles share it. */
export type MovableClock = {
  /** Unix milliseconds. */
  readonly now: Clock
  /** Registers what to call after a jump, for the running service only. */
  onJump(listener: () => void): void
  /** Moves ahead by whole seconds and mines a block at the new time. */
  advance(seconds: number): Promise<void>
  /** Real time again. The chain must have been reverted to a block before now. */
  reset(): Promise<void>
  /** Forgets the listeners of a service that has been closed. */
  forgetListeners(): void
}

export function createMovableClock(rpcUrl: string): MovableClock {
  let offsetMs = 0
  let listeners: (() => void)[] = []
  const changes = createSerialQueue()
  const now = () => Date.now() + offsetMs
  return {
    now,
    onJump: (listener) => void listeners.push(listener),
    advance: (seconds) =>
      changes.run(async () => {
        await chainRpc(rpcUrl, 'evm_increaseTime', [seconds])
        offsetMs += seconds * 1_000
        await chainRpc(rpcUrl, 'anvil_mine', ['0x1'])
        for (const listener of listeners) listener()
      }),
    reset: () =>
      changes.run(async () => {
        offsetMs = 0
        // A reverted chain continues at the time of its block, as if no time had passed since.
        await chainRpc(rpcUrl, 'evm_setTime', [Math.floor(now() / 1_000)])
      }),
    forgetListeners: () => {
      listeners = []
    },
  }
}
