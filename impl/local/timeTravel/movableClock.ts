import { createSerialQueue } from 'polgate-lib/async/serialQueue.ts'
import { chainRpc } from 'polgate-lib/http/chainRpc.ts'
import type { Clock } from 'polgate-protocol/clock.ts'

/** The time of a stack: chains, service, operators and oracles share it. */
export type MovableClock = {
  /** Unix milliseconds. */
  readonly now: Clock
  /** Milliseconds ahead of real time. */
  readonly offset: () => number
  /** Registers what to call after a jump, for the running service only. */
  onJump(listener: () => void): void
  /** Moves ahead by whole seconds and mines a block at the new time. */
  advance(seconds: number): Promise<void>
  /**
   * Real time again, or this much ahead of it in milliseconds. The chains must have been reverted to
   * a block before then.
   */
  reset(offsetMs?: number): Promise<void>
  /** Forgets the listeners of a service that has been closed. */
  forgetListeners(): void
}

/** @param rpcUrls the nodes of all chains of the stack */
export function createMovableClock(rpcUrls: readonly string[]): MovableClock {
  let offsetMs = 0
  let listeners: (() => void)[] = []
  const changes = createSerialQueue()
  const now = () => Date.now() + offsetMs
  const onAll = (method: string, params: readonly unknown[]) =>
    Promise.all(rpcUrls.map((url) => chainRpc(url, method, params)))
  return {
    now,
    offset: () => offsetMs,
    onJump: (listener) => void listeners.push(listener),
    advance: (seconds) =>
      changes.run(async () => {
        await onAll('evm_increaseTime', [seconds])
        offsetMs += seconds * 1_000
        await onAll('anvil_mine', ['0x1'])
        for (const listener of listeners) listener()
      }),
    reset: (ahead = 0) =>
      changes.run(async () => {
        offsetMs = ahead
        // A reverted chain continues at the time of its block, as if no time had passed since.
        await onAll('evm_setTime', [Math.floor(now() / 1_000)])
      }),
    forgetListeners: () => {
      listeners = []
    },
  }
}
