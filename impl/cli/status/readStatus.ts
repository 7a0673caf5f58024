import { setTimeout as pause } from 'node:timers/promises'
import { printable } from 'polgate-conformance/core/printable.ts'
import { reasonOf } from 'polgate-lib/errors/systemError.ts'
import { blockedPort, isBlockedPort } from 'polgate-lib/http/blockedPort.ts'
import { CommandError } from '../commandDefinition.ts'
import { detail } from '../verbosity.ts'
import { type MetricSample, metricSamples } from './metricSamples.ts'

/** Addresses that a stack describes; a gateway alone has only its admin listener. */
export type StatusPlaces = {
  readonly adminUrl: string
  readonly gatewayUrl?: string | undefined
  readonly explorerUrl?: string | undefined
}

/** Whether a service is ready, and the state of its parts; a part that it does not report is undefined. */
export type ServiceStatus = {
  readonly adminUrl: string
  readonly ready: boolean
  /** What calls need and do not have, and why; undefined if the service does not report what calls need. */
  readonly unmet: readonly { readonly need: string; readonly reason: string }[] | undefined
  /** What is unmet or degraded, one line each, with cause and start where the service knows them. */
  readonly problems: readonly string[]
  readonly gateway: {
    readonly url: string | undefined
    readonly alive: boolean
    readonly callsInFlight: number | undefined
    readonly calls: number | undefined
  }
  readonly explorer: { readonly url: string | undefined; readonly chains: readonly IndexedChain[] }
  readonly chains: readonly { readonly id: string; readonly nodeAnswers: boolean }[]
  readonly operators: { readonly configured: number; readonly answering: number } | undefined
  readonly databaseAnswers: boolean | undefined
  /** What survives a crash: `durable`, `relaxed` or `memory`. */
  readonly durability: string | undefined
  /** Of the embedded database, if it is durable. */
  readonly syncs: { readonly count: number; readonly averageMs: number } | undefined
  readonly posting: { readonly waiting: number; readonly degraded: boolean } | undefined
  readonly oracles: { readonly components: number; readonly bytes: number } | undefined
}

export type IndexedChain = {
  readonly id: string
  readonly lagBlocks: number | undefined
  readonly writing: boolean
  readonly troubled: boolean
}

const withinMs = 10_000
const mostBytes = 4 * 1024 * 1024
const mostProblems = 50
const longestProblem = 500

/** @throws CommandError, exit code 2, if the listener does not answer */
async function get(adminUrl: string, path: string): Promise<{ status: number; text: string }> {
  const url = `${adminUrl}${path}`
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(withinMs),
    })
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      if (bytes > mostBytes) throw new Error(`it is longer than ${mostBytes} bytes`)
      chunks.push(chunk)
    }
    detail(`GET ${url}: HTTP ${response.status}, ${bytes} bytes`)
    return { status: response.status, text: Buffer.concat(chunks).toString() }
  } catch (cause) {
    const { cause: inner } = cause as { cause?: unknown }
    const isBlocked = isBlockedPort(cause)
    const why = isBlocked ? blockedPort.text : reasonOf(inner ?? cause)
    throw new CommandError(`no answer from ${url}: ${why}`, {
      hint: isBlocked
        ? blockedPort.hint
        : 'Is it running? polgate start prints the address of its admin listener.',
      cause,
    })
  }
}

const sampleOf = (samples: readonly MetricSample[], name: string): number | undefined =>
  samples.find((sample) => sample.name === name)?.value

const both = <Value>(
  a: number | undefined,
  b: number | undefined,
  made: (a: number, b: number) => Value,
) => (a === undefined || b === undefined ? undefined : made(a, b))

/** A line such as `store: the disk is full`. */
function unmetOf(line: string, needs: ReadonlySet<string>) {
  const [, need = '', reason = ''] = /^(\w+): (.*)$/.exec(line) ?? []
  return needs.has(need) ? [{ need, reason: printable(reason.slice(0, longestProblem)) }] : []
}

/** A check that did not end in time, which says that the service is busy at least. */
const late = /^\w+: no answer within \d+ ms$|^problems cannot be determined$/
const settlesWithinMs = 5_000
const againMs = 500

/**
 * Asks an admin listener for readiness, liveness and metrics. On a busy machine a check may be late once:
 * those that are late are asked for again, for five seconds.
 *
 * @throws CommandError, exit code 2, if it does not answer, or is no admin listener
 */
export async function readSettledStatus(places: StatusPlaces): Promise<ServiceStatus> {
  const end = performance.now() + settlesWithinMs
  for (;;) {
    const status = await readStatus(places)
    const isLate = status.problems.some((line) => late.test(line))
    if (!isLate || performance.now() >= end) return status
    detail('a check of the service is late: asking again')
    await pause(againMs)
  }
}

/**
 * Asks an admin listener for readiness, liveness and metrics.
 *
 * @throws CommandError, exit code 2, if it does not answer, or is no admin listener
 */
async function readStatus(places: StatusPlaces): Promise<ServiceStatus> {
  const { adminUrl } = places
  const [readiness, health, metrics] = await Promise.all(
    ['/readyz', '/healthz', '/metrics'].map((path) => get(adminUrl, path)),
  )
  const [first = '', ...lines] = readiness!.text.split('\n').filter((line) => line !== '')
  if (!/^(not )?ready$/.test(first))
    throw new CommandError(
      `${adminUrl} is not an admin listener: GET /readyz returned HTTP ${readiness!.status}`,
      {
        hint: 'Its address is adminUrl in .svc/stack.json and in the output of polgate serve.',
      },
    )
  const measured = metrics!.status === 200
  const samples = measured ? metricSamples(metrics!.text) : []
  const unmeasured = `the state of the parts is unknown: GET /metrics returned HTTP ${metrics!.status}`
  const value = (name: string) => sampleOf(samples, name)
  const labelled = (name: string) => samples.filter((sample) => sample.name === name)
  const ofChain = (name: string, id: string) =>
    labelled(name).find(({ labels }) => labels.chain === id)?.value
  const calls = labelled('gateway_call_seconds_count')
  const ready = readiness!.status === 200 && first === 'ready'
  const needs = new Set(labelled('ready').map(({ labels: { need = '' } }) => need))
  return {
    adminUrl,
    ready,
    unmet:
      needs.size === 0 ? undefined : ready ? [] : lines.flatMap((line) => unmetOf(line, needs)),
    problems: [...(measured ? [] : [unmeasured]), ...lines]
      .slice(0, mostProblems)
      .map((line) => printable(line.slice(0, longestProblem))),
    gateway: {
      url: places.gatewayUrl,
      alive: health!.status === 200,
      callsInFlight: value('gateway_calls_in_flight'),
      calls: measured ? calls.reduce((sum, sample) => sum + sample.value, 0) : undefined,
    },
    explorer: {
      url: places.explorerUrl,
      chains: labelled('explorer_indexer_troubled').map(
        ({ labels: { chain = '' }, value: troubled }) => ({
          id: printable(chain),
          lagBlocks: ofChain('explorer_indexer_lag_blocks', chain),
          writing: ofChain('explorer_indexer_writing', chain) === 1,
          troubled: troubled !== 0,
        }),
      ),
    },
    chains: labelled('chain_node_answers').map(({ labels: { chain = '' }, value: answers }) => ({
      id: printable(chain),
      nodeAnswers: answers === 1,
    })),
    operators: both(
      value('operators_configured'),
      value('operators_answering'),
      (configured, answering) => ({ configured, answering }),
    ),
    databaseAnswers:
      value('database_answers') === undefined ? undefined : value('database_answers') === 1,
    durability: labelled('database_durability').map(({ labels: { mode = '' } }) =>
      printable(mode),
    )[0],
    syncs: both(
      value('database_syncs_total'),
      value('database_sync_seconds_total'),
      (count, seconds) => ({ count, averageMs: count === 0 ? 0 : (seconds * 1000) / count }),
    ),
    posting: both(value('posting_waiting'), value('posting_degraded'), (waiting, degraded) => ({
      waiting,
      degraded: degraded !== 0,
    })),
    oracles: both(
      value('oracle_components_loaded'),
      value('oracle_components_bytes'),
      (components, bytes) => ({ components, bytes }),
    ),
  }
}

/** Whether everything works: alive and ready, without a known problem. */
export const isWell = ({
  ready,
  problems,
  gateway,
  operators,
  posting,
  databaseAnswers,
}: ServiceStatus): boolean =>
  ready &&
  gateway.alive &&
  problems.length === 0 &&
  databaseAnswers !== false &&
  posting?.degraded !== true &&
  (operators === undefined || operators.answering === operators.configured)
