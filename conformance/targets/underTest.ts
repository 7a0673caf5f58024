import { freePort } from 'polgate-lib/http/freePort.ts'
import type { GatewayEnvironment } from 'polgate-protocol/environment.ts'
import { CannotRun } from '../core/conformanceError.ts'
import type { Environment } from './environment.ts'
import { storeFixtureSecrets } from './storeSecrets.ts'
import { startSuiteControl } from './suiteControl.ts'
import type { PreparedTarget } from './target.ts'

/** A gateway started by the suite: how to stop it, and its last output if it ended by itself. */
export type Started = {
  /** Resolves with the last output if it ends before it is stopped. */
  readonly ended: Promise<string>
  /** Stops it and waits for its end. May be called again. */
  readonly end: () => Promise<void>
}

export type UnderTestOptions = {
  readonly name: string
  readonly bed: Environment
  readonly readyWithinSeconds: number
  readonly note: (text: string) => void
  readonly signal?: AbortSignal | undefined
  readonly start: (environment: GatewayEnvironment) => Promise<Started>
}

const pauseMs = 150

/** Whether `/rpc` gives any HTTP response. */
async function answers(url: string): Promise<boolean> {
  try {
    const { status, body } = await fetch(`${url}/rpc`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(5_000),
    })
    await body?.cancel()
    // A reverse proxy may be up before the gateway.
    return status !== 502 && status !== 503
  } catch {
    return false
  }
}

/**
 * Passes an environment to a gateway, waits until it accepts requests, and describes it as a
 * target. On any error, the gateway and its environment are stopped.
 *
 * @throws CannotRun with the gateway's last output if it ends too early or is not ready in time
 */
export async function startUnderTest(options: UnderTestOptions): Promise<PreparedTarget> {
  const { name, bed, note, readyWithinSeconds, signal } = options
  const closers: (() => Promise<void>)[] = [bed.close]
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer().catch(() => {})
  }
  try {
    const at = async () => ({ host: '127.0.0.1', port: await freePort() })
    // If another process takes one first, the gateway reports it.
    const listen = { gateway: await at(), explorer: await at(), control: await at() }
    const environment: GatewayEnvironment = { ...bed.environment, listen }
    const started = await options.start(environment)
    closers.push(started.end)
    const gatewayUrl = `http://127.0.0.1:${listen.gateway.port}`
    note('waiting for the gateway')
    await untilReady(gatewayUrl, started, readyWithinSeconds, signal)
    const suiteControl = await startSuiteControl(bed, `http://127.0.0.1:${listen.control.port}`)
    closers.push(suiteControl.close)
    const explorerUrl = `http://127.0.0.1:${listen.explorer.port}`
    const target = {
      name,
      gatewayUrl,
      brand: environment.brand,
      keys: bed.apiKeys,
      controlUrl: suiteControl.url,
      fixtureHostUrl: bed.fixtureHostUrl,
      explorerUrl: (await isThere(`${explorerUrl}/v1/task`)) ? explorerUrl : undefined,
      ...bed.bed,
      notApplicable: {},
    }
    await storeFixtureSecrets(target, bed.secrets, note)
    return { target, close }
  } catch (error) {
    await close()
    throw error
  }
}

const isThere = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.body?.cancel().then(() => true) ?? true,
    () => false,
  )

async function untilReady(
  url: string,
  { ended }: Started,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  let words: string | undefined
  void ended.then((last) => {
    words = last
  })
  const began = performance.now()
  while (performance.now() - began < seconds * 1000) {
    if (words !== undefined)
      throw new CannotRun(`the gateway exited before it was ready: ${words}`, howItIsHanded)
    if (signal?.aborted) throw new CannotRun('interrupted')
    if (await answers(url)) return
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new CannotRun(
    `the gateway does not answer at ${url}/rpc after ${seconds} s`,
    `${howItIsHanded} Increase readyWithinSeconds to wait longer.`,
  )
}

const howItIsHanded =
  'conformance/targets/CONTRACT.md describes its environment, and where it must listen.'
