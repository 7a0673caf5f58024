import type { MessagePort } from 'node:worker_threads'
import type { MemoryPages } from './importedMemory.ts'
import type { RequestBounds } from './requestBounds.mjs'

/** A core module; `memory` if it imports its own (`withImportedMemory`). */
export type CoreCode = {
  module: WebAssembly.Module
  maxMemoryBytes: number
  memory?: MemoryPages | undefined
}

/** The code of an instance. */
export type RunCode = {
  key: string
  /** Or UTF-8 in shared memory, which messages do not copy: a thread reads it once. */
  source: string | Uint8Array
  modules: Record<string, CoreCode>
  brand: string
  limits: { memoryBytes: number; outputBytes: number; request: RequestBounds }
}

/** The message to a run's thread, read by `runner.worker.mjs`. */
export interface RunMessage extends RunCode {
  input: string
  secrets: Uint8Array | undefined
  /** The guest's wall clock at the start of the run. */
  nowMs: number
  /** Time advances for the guest only when it is read or waited for. */
  recordedTime: boolean
  seed: Uint8Array
}

/** Durations of a run in its thread, milliseconds; zeros for a run that failed. */
export type RunTimes = {
  /** Getting or creating its instance. */
  instantiateMs: number
  /** Computing. */
  guestMs: number
  /** Waiting for host calls. */
  hostMs: number
}

/** How a run ended by itself. */
export type RunOutcome = RunEnding & { times: RunTimes }

type RunEnding =
  | { kind: 'ok'; output: string }
  | { kind: 'err'; text: string }
  | { kind: 'output-limit'; bytes: number }
  | { kind: 'memory-limit' }
  | { kind: 'copy-limit'; bytes: number }
  | { kind: 'trap'; text: string; memoryBytes: number }

/** A run with its channel to the host. */
export type ThreadTask = {
  message: RunMessage
  port: MessagePort
  /** The number of answers; the thread sleeps on it. */
  counter: Int32Array
}
