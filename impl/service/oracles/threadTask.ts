import type { MessagePort } from 'node:worker_threads'
import type { RequestBounds } from './requestBounds.mjs'

/** What an instance is made of. */
export type RunCode = {
  key: string
  source: string
  modules: Record<string, { module: WebAssembly.Module; maxMemoryBytes: number }>
  brand: string
  limits: { memoryBytes: number; outputBytes: number; request: RequestBounds }
}

/** What a run's thread is told; `runner.worker.mjs` reads it. */
export interface RunMessage extends RunCode {
  input: string
  secrets: Uint8Array | undefined
  /** What the guest's wall clock shows when the run begins. */
  nowMs: number
  /** Time passes for the guest only by being read or waited for, not by itself. */
  recordedTime: boolean
  seed: Uint8Array
}

/** Where the time of a run in its thread went, milliseconds; zeros for one that did not end well. */
export type RunTimes = {
  /** Taking or making its instance. */
  instantiateMs: number
  /** Computing. */
  guestMs: number
  /** Waiting for what it asked the host for. */
  hostMs: number
}

/** How a run ended, when it ended by itself. */
export type RunOutcome = RunEnding & { times: RunTimes }

type RunEnding =
  | { kind: 'ok'; output: string }
  | { kind: 'err'; text: string }
  | { kind: 'output-limit'; bytes: number }
  | { kind: 'memory-limit' }
  | { kind: 'copy-limit'; bytes: number }
  | { kind: 'trap'; text: string; memoryBytes: number }

/** A run as its thread gets it, with the line on which it asks and is answered. */
export type ThreadTask = {
  message: RunMessage
  port: MessagePort
  /** Counts answers; the thread sleeps on it. */
  counter: Int32Array
}
