import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { createSharedWork } from '../content/sharedWork.ts'
import { assertOracle } from './componentInterface.ts'
import { capModules, compileModule } from './coreModule.ts'
import { createEgress, type EgressOptions } from './egress.ts'
import { createHostFetch, type HostFetch } from './hostFetch.ts'
import { requestBounds } from './hostRequest.ts'
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
  /** Replaces the guarded HTTP client; called once a run, so that it can count its calls. */
  createFetch?: (limits: OracleLimits) => HostFetch
  /** Around the fetch of each run. */
  aroundFetch?: ((fetch: HostFetch) => HostFetch) | undefined
  /** Unix milliseconds: what a guest's wall clock shows at the start of its run. */
  clock: { now(): number }
  /**
   * For recording and replay: a guest's clocks move only by being read or waited for, so that the
   * same run sees the same times.
   */
  recordedTime?: boolean
  /** Where transpiled components are kept, by content id. */
  cacheDir: string
  /** Namespace of the host interfaces (decision E13). */
  brand?: string
  /** Source of the guest's random numbers. */
  random?: (length: number) => Uint8Array
  /** Runs that compute at once. */
  maxWorkers?: number
  /** Of these, of one component. */
  maxPerComponent?: number
  /** Threads, with those whose oracle waits for a slow host. */
  maxThreads?: number
  maxQueued?: number
  /** Threads started before the first run asks for one. */
  warm?: number
  /** Idle threads make the instance of the next run ahead of it. Default true. */
  prepareAhead?: boolean
  /** Replaces the transpiler. */
  transpiler?: Transpiler
  /** Compiled components kept in memory: how many, and their bytes as estimated. */
  maxLoaded?: number
  maxLoadedBytes?: number
}

export type OracleRun = {
  /** Content id of a component that `load` has been given. */
  cid: string
  /** The string handed to the guest: decoded `wasm_args`; the caller turns an empty one into `{}`. */
  input: string
  /** Plaintext of the secrets object; without it `get()` answers `err`. Never kept. */
  secrets?: Uint8Array | undefined
  /** Whose run it is, such as a policy client: while runs wait, owners take turns. */
  owner?: string | undefined
  signal?: AbortSignal | undefined
}

export type OracleResult = {
  /** What `run` returned, as it was. */
  output: string
  json: Record<string, unknown>
  stats: { ms: number; httpCalls: number; stages: RunStages }
}

/** Where the time of a run went, milliseconds; what is missing to the whole is its way to and fro. */
export interface RunStages extends RunTimes {
  /** Until a thread began with it. */
  waitMs: number
}

type ComponentBytes = Uint8Array | ((signal: AbortSignal) => Promise<Uint8Array>)
type LoadOptions = { cid: string; label?: string; owner?: string; signal?: AbortSignal }

export type OracleHost = {
  /**
   * Make a component ready to run: transpiled, checked, bounded and compiled. Cheap when it already
   * is. The caller vouches that the bytes are those of `cid` (see impl/service/content).
   *
   * @param component bytes, or how to get them; not asked for when a cache has the component. Those
   *   who load the same at once share one of these; its signal aborts when all have given up
   * @param label names the oracle in messages, as `PolicyData 0x...`
   * @throws OracleError `component`, `work`, `late`, `memory` (starts too large), or what `component`
   *   rejects with; the signal's reason when it aborts, and then a component that is here is made
   *   ready all the same: a later call finds it
   */
  load(component: ComponentBytes, options: LoadOptions): Promise<void>
  /**
   * Run a loaded component once, in a fresh instance (section 1, decisions O1 to O6).
   * @throws OracleError, with a message that begins `WASM execution failed: ` and holds no secret
   */
  run(run: OracleRun): Promise<OracleResult>
  /** Threads alive; 0 after close. */
  workers(): number
  close(): Promise<void>
}

/** A host for oracles. It keeps compiled modules and threads, and nothing of a run. */
export function createOracleHost(options: OracleHostOptions): OracleHost {
  const limits: OracleLimits = { ...defaultOracleLimits, ...options.limits }
  const brand = options.brand ?? 'service:provider'
  const random = options.random ?? ((length: number) => randomBytes(length))
  const egress = createEgress({
    httpResponseHeaderBytes: limits.httpResponseHeaderBytes,
    ...options.egress,
  })
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
          // Given up by those who wanted it before: it is wanted again.
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
        const module = await compileModule(bytes)
        return [names[index] ?? '', { module, maxMemoryBytes }] as const
      }),
    )
    // The content id and nothing less: components of one shape share their generated code.
    const bytes = estimatedBytes(source, Object.values(modules))
    const named = Object.fromEntries(compiled)
    return { interface: { imports, run }, key: cid, source, modules: named, bytes }
  }

  function assertSize(bytes: number): void {
    if (bytes <= limits.componentBytes) return
    const most = formatBytes(limits.componentBytes)
    throw new OracleError('component', `the component is larger than ${most}`)
  }
}

const isAbort = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'AbortError'

/** The output of a run, or the error of section 7.3 that its ending means (decision R7). */
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
        `${memoryLimit(limits)}: its instances may together grow beyond it`,
      )
    case 'copy-limit':
      throw new OracleError(
        'memory',
        `the component hands the host more than ${formatBytes(outcome.bytes)} of bytes in one run`,
      )
    case 'trap': {
      const text = redact(outcome.text, secrets)
      // A guest that is refused memory traps in a way of its own: the memory it held tells.
      if (outcome.memoryBytes < limits.memoryBytes / 2)
        throw new OracleError('trap', `trap: ${text}`)
      const held = (outcome.memoryBytes / 1024 / 1024).toFixed(1)
      throw new OracleError(
        'memory',
        `${memoryLimit(limits)}: it held ${held} MiB and trapped: ${text}`,
      )
    }
  }
}

function memoryLimit(limits: OracleLimits): string {
  return `the component is limited to ${formatBytes(limits.memoryBytes)} of memory`
}
