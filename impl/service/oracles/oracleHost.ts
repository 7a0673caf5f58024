import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createSharedWork } from '../content/sharedWork.ts'
import { assertOracle } from './componentInterface.ts'
import { capModules, compileModule } from './coreModule.ts'
import { createEgress, type Egress, type EgressOptions } from './egress.ts'
import { createHostFetch, type HostFetch } from './hostFetch.ts'
import { requestBounds } from './hostRequest.ts'
import { withImportedMemory } from './importedMemory.ts'
import { jsonObject } from './jsonOutput.ts'
import { defaultOracleLimits, formatBytes, type OracleLimits } from './limits.ts'
import { createLoadedComponents, estimatedBytes, type LoadedComponent } from './loadedComponents.ts'
import { OracleError } from './oracleError.ts'
import { redact } from './redact.ts'
import { createRunnerPool } from './runnerPool.ts'
import type { RunOutcome, RunTimes } from './threadTask.ts'
import { transpiledComponent } from './transpiledComponent.ts'
import { createTranspiler, type Transpiler } from './transpiler.ts'

export type OracleHostOptions = {
  limits?: Partial<OracleLimits>
  egress?: EgressOptions
  /** Wraps the guarded connections. */
  aroundEgress?: ((egress: Egress) => Egress) | undefined
  /**
   * Replaces the guarded HTTP client. Called once per run, so that the client can count its calls.
   */
  createFetch?: (limits: OracleLimits) => HostFetch
  /** Wraps the fetch of each run. */
  aroundFetch?: ((fetch: HostFetch) => HostFetch) | undefined
  /** Unix milliseconds: the guest's wall clock at the start of its run. */
  clock: { now(): number }
  /**
   * For recording and replay: the guest's clocks advance only when they are read or waited for, so
   * that the same run sees the same times.
   */
  recordedTime?: boolean
  /** Cache directory of transpiled components, by content id. */
  cacheDir: string
  /** Namespace of the host interfaces (decision E13). */
  brand?: string
  /** Source of the guest's random numbers. */
  random?: (length: number) => Uint8Array
  /** Number of runs that compute at the same time. */
  maxWorkers?: number
  /** The same for one component. */
  maxPerComponent?: number
  /** Number of threads, including those that wait for a slow server. */
  maxThreads?: number
  maxQueued?: number
  /** Threads started ahead of the first run. */
  warm?: number
  /** Whether idle threads instantiate the next run in advance. Default true. */
  prepareAhead?: boolean
  /** Replaces the transpiler. */
  transpiler?: Transpiler
  /** Maximum number and estimated bytes of compiled components in memory. */
  maxLoaded?: number
  maxLoadedBytes?: number
}

export type OracleRun = {
  /** Content id of a component that has been loaded. */
  cid: string
  /**
   * The input string of the guest: decoded `wasm_args`; the caller replaces an empty one by `{}`.
   */
  input: string
  /** Plaintext of the secrets object; without it `get()` returns `err`. Never stored. */
  secrets?: Uint8Array | undefined
  /** Owner of the run, such as a policy client: queued runs of different owners take turns. */
  owner?: string | undefined
  signal?: AbortSignal | undefined
}

export type OracleResult = {
  /** The unchanged output of `run`. */
  output: string
  json: Record<string, unknown>
  stats: { ms: number; httpCalls: number; stages: RunStages }
}

/** Durations of a run's stages, milliseconds; the rest of the total is messages between threads. */
export interface RunStages extends RunTimes {
  /** Until a thread starts the run. */
  waitMs: number
}

type ComponentBytes = Uint8Array | ((signal: AbortSignal) => Promise<Uint8Array>)
type LoadOptions = { cid: string; label?: string; owner?: string; signal?: AbortSignal }

export type OracleHost = {
  /**
   * Prepares a component to run: transpiled, checked, limited and compiled. Cheap when it already
   * is. The caller guarantees that the bytes are those of `cid` (see impl/service/content).
   *
   * @param component bytes, or how to fetch them; not called when a cache has the component.
   *   Concurrent loads of the same component share one call; its signal aborts when all of them
   *   have been aborted
   * @param label the oracle's name for messages, such as `PolicyData 0x...`
   * @throws OracleError `component`, `work`, `late`, `memory` (starts too large), or what
   *   `component` rejects with; the signal's reason when it aborts. Bytes that were already fetched
   *   are then still prepared for a later call
   */
  load(component: ComponentBytes, options: LoadOptions): Promise<void>
  /**
   * Runs a loaded component once, in a new instance (section 1, decisions O1 to O6).
   * @throws OracleError, whose message begins `WASM execution failed: ` and contains no secret
   */
  run(run: OracleRun): Promise<OracleResult>
  /** Running threads; 0 after close. */
  workers(): number
  /** Compiled components that are kept, and their estimated memory use. */
  loaded(): { readonly count: number; readonly bytes: number }
  close(): Promise<void>
}

/** A host for oracles. It retains compiled modules and threads, but nothing of a run. */
export function createOracleHost(options: OracleHostOptions): OracleHost {
  const limits: OracleLimits = { ...defaultOracleLimits, ...options.limits }
  const brand = options.brand ?? 'service:provider'
  const random = options.random ?? ((length: number) => randomBytes(length))
  const guarded = createEgress({
    httpResponseHeaderBytes: limits.httpResponseHeaderBytes,
    ...options.egress,
  })
  const egress = options.aroundEgress?.(guarded) ?? guarded
  const createFetch =
    options.createFetch ?? ((fetchLimits) => createHostFetch({ egress, limits: fetchLimits }))
  const runLimits = {
    memoryBytes: limits.memoryBytes,
    outputBytes: limits.outputBytes,
    request: requestBounds(limits),
  }
  const pool = createRunnerPool({
    maxWorkers: options.maxWorkers ?? Math.max(2, Math.min(8, availableParallelism())),
    maxPerKey: options.maxPerComponent,
    maxThreads: options.maxThreads,
    maxQueued: options.maxQueued ?? 1_000,
    warm: options.warm ?? 1,
    heapMiB: 256,
    prepareAhead: options.prepareAhead ?? true,
  })
  const transpiler = options.transpiler ?? createTranspiler()
  const loads = createSharedWork<LoadedComponent>()
  const components = createLoadedComponents({
    most: options.maxLoaded ?? 32,
    mostBytes: options.maxLoadedBytes ?? 512 * 1024 * 1024,
    clock: options.clock,
  })

  return {
    async load(component, { cid, label, owner, signal = new AbortController().signal }) {
      const ready = await loads(cid, signal, async (own) => {
        const load = () =>
          components.load(cid, () => prepare(component, { cid, owner, signal: own }))
        return await load().catch((error) => {
          // All earlier callers cancelled the load, but this one still needs it.
          if (own.aborted || !isAbort(error)) throw error
          return load()
        })
      })
      assertOracle(ready.interface, { brand, subject: label ?? cid })
    },
    async run(given) {
      const result = components.use(given.cid, (ready) => runOf(ready, given))
      if (result) return await result
      throw new OracleError('component', `the component ${given.cid} is not loaded`)
    },
    workers: () => pool.size(),
    loaded: () => ({ count: components.count, bytes: components.bytes }),
    async close() {
      await Promise.all([pool.close(), egress.close(), transpiler.close()])
      components.clear()
    },
  }

  async function runOf(
    ready: LoadedComponent,
    { cid, input, secrets, owner, signal }: OracleRun,
  ): Promise<OracleResult> {
    assertOracle(ready.interface, { brand, subject: cid })
    if (Buffer.byteLength(input) > limits.inputBytes) {
      throw new OracleError('input', `the input is larger than ${formatBytes(limits.inputBytes)}`)
    }
    const started = performance.now()
    let httpCalls = 0
    let begun = started
    const ownFetch = createFetch(limits)
    const runFetch = options.aroundFetch?.(ownFetch) ?? ownFetch
    const outcome = await pool.run({
      message: {
        key: ready.key,
        source: ready.source,
        modules: ready.modules,
        input,
        secrets,
        brand,
        nowMs: options.clock.now(),
        recordedTime: options.recordedTime ?? false,
        seed: random(32),
        limits: runLimits,
      },
      fetch: (request, runSignal) => {
        httpCalls += 1
        return runFetch(request, runSignal)
      },
      onBegin: () => {
        begun = performance.now()
      },
      wallClockMs: limits.wallClockMs,
      owner,
      signal,
    })
    const output = outputOf(outcome, limits, secrets)
    const json = jsonObject(output)
    const stages = { waitMs: begun - started, ...outcome.times }
    return { output, json, stats: { ms: performance.now() - started, httpCalls, stages } }
  }

  async function prepare(
    component: ComponentBytes,
    given: { cid: string; owner: string | undefined; signal: AbortSignal },
  ): Promise<LoadedComponent> {
    const { cid, owner, signal } = given
    const transpiled = await transpiledComponent({
      key: cid,
      cacheDir: options.cacheDir,
      transpiler,
      owner,
      component: async () => {
        const bytes = component instanceof Uint8Array ? component : await component(signal)
        assertSize(bytes.length)
        return bytes
      },
    })
    const { source, modules, imports, run, componentBytes } = transpiled
    assertSize(componentBytes)
    const names = Object.keys(modules)
    const capped = capModules(Object.values(modules), limits.memoryBytes)
    const compiled = await Promise.all(
      capped.map(async ({ bytes, maxMemoryBytes }, index) => {
        const { bytes: linked, memory } = withImportedMemory(bytes)
        const module = await compileModule(linked)
        return [names[index] ?? '', { module, maxMemoryBytes, memory }] as const
      }),
    )
    // Keyed by content id: different components may have the same generated code.
    const bytes = estimatedBytes(source, Object.values(modules))
    const named = Object.fromEntries(compiled)
    return { interface: { imports, run }, key: cid, source: shared(source), modules: named, bytes }
  }

  function assertSize(bytes: number): void {
    if (bytes <= limits.componentBytes) return
    const most = formatBytes(limits.componentBytes)
    throw new OracleError('component', `the component is larger than ${most}`)
  }
}

function shared(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'

/** The output of a run, or the error of section 7.3 for how it ended (decision R7). */
function outputOf(
  outcome: RunOutcome,
  limits: OracleLimits,
  secrets: Uint8Array | undefined,
): string {
  switch (outcome.kind) {
    case 'ok':
      return outcome.output
    case 'err':
      throw new OracleError('result', redact(outcome.text, secrets))
    case 'output-limit':
      throw new OracleError(
        'output',
        `the output of ${outcome.bytes} bytes is larger than ${formatBytes(limits.outputBytes)}`,
      )
    case 'memory-limit':
      throw new OracleError(
        'memory',
        `${memoryLimit(limits)}: its instances could together exceed it`,
      )
    case 'copy-limit':
      throw new OracleError(
        'memory',
        `the component passes more than ${formatBytes(outcome.bytes)} to the host in one run`,
      )
    case 'trap': {
      const text = redact(outcome.text, secrets)
      // A guest traps in its own way when memory is refused; the memory in use shows whether it
      // was.
      if (outcome.memoryBytes < limits.memoryBytes / 2)
        throw new OracleError('trap', `trap: ${text}`)
      const held = (outcome.memoryBytes / 1024 / 1024).toFixed(1)
      throw new OracleError(
        'memory',
        `${memoryLimit(limits)}: it used ${held} MiB when it trapped: ${text}`,
      )
    }
  }
}

function memoryLimit(limits: OracleLimits): string {
  return `the component is limited to ${formatBytes(limits.memoryBytes)} of memory`
}
