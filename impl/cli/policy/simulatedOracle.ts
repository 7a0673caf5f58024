import { defaultBrand } from 'polgate-protocol/brand.ts'
import { createEgress, type Egress } from 'polgate-service/oracles/egress.ts'
import { createHostFetch, type HostFetch } from 'polgate-service/oracles/hostFetch.ts'
import { defaultOracleLimits, type OracleLimits } from 'polgate-service/oracles/limits.ts'
import { createOracleHost, type OracleHost } from 'polgate-service/oracles/oracleHost.ts'
import type { Exchanges } from './exchanges.ts'

/** An HTTP call of an oracle, with secrets redacted. */
export type HttpCall = {
  readonly method: string
  readonly url: string
  readonly status?: number
  readonly error?: string
  readonly ms: number
}

/** Stages of one oracle, milliseconds. */
export type OracleStages = {
  /** Loading the component from the cache, or transpiling it. */
  load?: number
  transpiled: boolean
  run?: number
  readonly http: HttpCall[]
}

export type ObservedHost = {
  readonly oracles: OracleHost
  readonly stages: OracleStages
  close(): Promise<void>
}

/** The service's oracle host for one oracle; records its stages and HTTP calls. */
export function observedHost(options: {
  readonly name: string | undefined
  readonly exchanges: Exchanges
  readonly limits: Partial<OracleLimits>
  readonly allowedHosts: readonly string[]
  readonly cacheDir: string
  readonly egress?: (inner: Egress, oracle: string | undefined) => Egress
}): ObservedHost {
  const { name, exchanges, allowedHosts, cacheDir } = options
  const limits: OracleLimits = { ...defaultOracleLimits, ...options.limits }
  const { httpResponseHeaderBytes } = limits
  const { egress: around = (inner: Egress) => inner } = options
  const egress = around(createEgress({ allowedHosts, httpResponseHeaderBytes }), name)
  const stages: OracleStages = { transpiled: false, http: [] }
  const host = createOracleHost({
    limits,
    clock: { now: exchanges.now },
    recordedTime: exchanges.recordedTime,
    random: exchanges.random(name),
    cacheDir,
    brand: defaultBrand.witPackage,
    maxWorkers: 1,
    prepareAhead: false,
    createFetch: () =>
      watched(
        exchanges.fetchFor(name, limits, () => createHostFetch({ egress, limits })),
        (call) => stages.http.push(call),
        (text) => exchanges.clean(name, text),
      ),
  })
  const oracles: OracleHost = {
    ...host,
    load: (component, about) => {
      const bytes = async (signal: AbortSignal) => {
        // Not called for a component that is in the cache.
        stages.transpiled = true
        return component instanceof Uint8Array ? component : await component(signal)
      }
      return timed(host.load(bytes, about), (ms) => {
        stages.load = ms
      })
    },
    run: (run) =>
      timed(host.run(run), (ms) => {
        stages.run = ms
      }),
  }
  return {
    oracles,
    stages,
    async close() {
      await Promise.all([host.close(), egress.close()])
    },
  }
}

function watched(
  fetch: HostFetch,
  onCall: (call: HttpCall) => void,
  clean: (text: string) => string,
): HostFetch {
  return async (request, signal) => {
    const begin = performance.now()
    const about = { method: request.method, url: clean(request.url) }
    const ms = () => performance.now() - begin
    try {
      const response = await fetch(request, signal)
      onCall({ ...about, status: response.status, ms: ms() })
      return response
    } catch (error) {
      onCall({
        ...about,
        error: clean(error instanceof Error ? error.message : 'failed'),
        ms: ms(),
      })
      throw error
    }
  }
}

/** Reports the duration of failed work too: a timeout may be the cause. */
async function timed<Value>(work: Promise<Value>, tell: (ms: number) => void): Promise<Value> {
  const begin = performance.now()
  try {
    return await work
  } finally {
    tell(performance.now() - begin)
  }
}
