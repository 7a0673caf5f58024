import { setTimeout as pause } from 'node:timers/promises'
import { unlessAborted } from 'polgate-lib/async/unlessAborted.ts'
import { ContentError } from 'polgate-service/content/contentError.ts'
import type { DataAnswer } from 'polgate-service/operators/operator.ts'
import { oracleFailed } from 'polgate-service/operators/operatorErrors.ts'
import { OracleError } from 'polgate-service/oracles/oracleError.ts'
import type { OracleResult } from 'polgate-service/oracles/oracleHost.ts'
import { dataStage, evaluator, oracleRun } from '../mutants/parts.ts'
import { changedResult, type Json } from '../mutants/wrappedListeners.ts'
import type { Variant } from './variant.ts'

/** Other choices in runs of oracles and their outputs (section 1). */

const unmarked = () => undefined

const isOracleError = (error: unknown, ...codes: readonly string[]): error is OracleError =>
  error instanceof OracleError && codes.includes(error.code)

/** Runs whose failures are reported in another way. */
const failingAs = (instead: (error: unknown) => unknown) =>
  oracleRun((run, pass) =>
    pass(run).catch((error: unknown) => {
      throw instead(error)
    }),
  )

/** Data stages whose failures are reported in another way. */
const dataFailingAs = (instead: (cause: unknown, error: unknown) => unknown) =>
  dataStage((request, pass) =>
    pass(request).catch((error: unknown) => {
      throw instead(error instanceof Error ? error.cause : undefined, error)
    }),
  )

/** The error of a failed run or load without the prefix of section 7.3. */
const inOtherWords = (text: string, cause: unknown) => oracleFailed(text, false, cause)

const limits: Readonly<Record<string, string>> = {
  'wall-clock': 'Oracle stopped: time limit reached',
  memory: 'Oracle stopped: memory limit reached',
  output: 'Oracle stopped: output too long',
  input: 'Oracle not started: input too long',
}

const overflowed = (error: unknown): boolean =>
  isOracleError(error, 'trap') && /call stack|recursion/i.test(error.details)

const isImport = (error: unknown): error is OracleError =>
  isOracleError(error, 'component') && /imports/.test(error.details)

/** Output that the component with a plain string returns, and no other. */
const plainOutput = '{"plain":{"ok":true}}'
const counted = '{"counter":{"runs":1}}'

const withOutput = (result: OracleResult, output: string): OracleResult => ({
  ...result,
  output,
  json: JSON.parse(output),
})

function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Pack ids that more than one output has. */
function repeated(outputs: readonly string[]): readonly string[] {
  const names = outputs.flatMap((output) => Object.keys(parsed(output) ?? {}))
  return names.filter((name, at) => names.indexOf(name) !== at)
}

const isObject = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function merged(a: Json, b: Json): Json {
  if (!isObject(a) || !isObject(b)) return b
  const both = Object.entries(b).map(([name, value]) => [name, merged(a[name], value)])
  return { ...a, ...Object.fromEntries(both) }
}

/** An input that no caller sends. */
const noInput = '\u0000no input'

export const oracleVariants: readonly Variant[] = [
  {
    id: 'oracle.limit-errors-in-other-words',
    clauses: ['1-35', '4.6-07'],
    choice: 'reports a limit of an oracle without “WASM execution failed”',
    parts: () =>
      failingAs((error) => {
        if (overflowed(error)) return inOtherWords('Oracle stopped: stack limit reached', error)
        const text = error instanceof OracleError ? limits[error.code] : undefined
        return text === undefined ? error : inOtherWords(text, error)
      }),
  },
  {
    id: 'oracle.one-error-text',
    clauses: ['1-35', '1-60', '4.6-07', '5.3-08'],
    choice: 'reports every failed run of an oracle with the same text',
    parts: () =>
      failingAs((error) =>
        error instanceof OracleError ? new OracleError(error.code, 'execution error') : error,
      ),
  },
  {
    id: 'oracle.errors-beside-operators',
    clauses: ['1-35', '2.5-22'],
    choice: 'reports the error of an oracle in the error of a task, not in those of its operators',
    parts: () =>
      changedResult('createTask', (result) => {
        const errors: Json = result.operator_errors
        const text = (Array.isArray(errors) ? errors : [])
          .map((each) => String(each?.message ?? each?.reason))
          .find((each) => each.startsWith('WASM execution failed'))
        if (text === undefined) return result
        const operator_errors = errors.map(({ retryable }: Json) => ({ retryable }))
        return { ...result, error: text, operator_errors }
      })(unmarked),
  },
  {
    id: 'oracle.output-errors-in-other-words',
    clauses: ['1-53', '4.6-07', '5.3-08'],
    choice: 'reports output that is not a JSON object without “WASM execution failed”',
    parts: () =>
      failingAs((error) =>
        isOracleError(error, 'not-json') ? inOtherWords('Invalid policy data', error) : error,
      ),
  },
  {
    id: 'oracle.content-errors-in-other-words',
    clauses: ['1-58', '1-61', '4.6-07'],
    choice: 'reports content that is not a component as policy data that cannot be fetched',
    parts: () =>
      dataFailingAs((cause, error) =>
        cause instanceof ContentError ||
        (isOracleError(cause, 'component', 'content') && !isImport(cause))
          ? inOtherWords('Policy data could not be fetched', error)
          : error,
      ),
  },
  {
    id: 'oracle.import-errors-in-other-words',
    clauses: ['1-50', '4.6-07'],
    choice: 'reports an import that it does not offer as an oracle that does not link',
    parts: () =>
      dataFailingAs((cause, error) =>
        isImport(cause) ? inOtherWords('Oracle does not link: unknown import', error) : error,
      ),
  },
  {
    id: 'oracle.wasi-http-linked',
    clauses: ['1-50', '4.6-07'],
    choice: 'offers wasi:http to oracles: the one that imports it traps by itself',
    parts: () => ({
      operatorTools: (tools) => ({
        ...tools,
        oracles: {
          ...tools.oracles,
          load: (component, options) =>
            tools.oracles.load(component, options).catch((error: unknown) => {
              throw isImport(error) ? new OracleError('trap', 'wasm trap: unreachable') : error
            }),
        },
      }),
    }),
  },
  {
    id: 'oracle.result-required',
    clauses: ['1-52', '1-24', '5.3-10'],
    choice: 'refuses an oracle whose run returns a string without a result around it',
    parts: () =>
      oracleRun(async (run, pass) => {
        const result = await pass(run)
        if (result.output !== plainOutput) return result
        throw new OracleError('component', 'run must return result<string, string>')
      }),
  },
  {
    id: 'oracle.instances-reused',
    clauses: ['1-51', '1-24', '5.3-10'],
    choice: 'runs an oracle again in the instance of its earlier runs',
    parts: () => {
      let runs = 0
      return oracleRun(async (run, pass) => {
        const result = await pass(run)
        if (result.output !== counted) return result
        runs += 1
        return withOutput(result, `{"counter":{"runs":${runs}}}`)
      })
    },
  },
  {
    id: 'oracle.runs-in-turn',
    clauses: ['1-57', '4.6-06'],
    choice: 'runs a component once at a time, but waits at most two seconds for the run before',
    parts: () => {
      const last = new Map<string, Promise<unknown>>()
      return oracleRun((run, pass) => {
        const before = last.get(run.cid) ?? Promise.resolve()
        const result = Promise.race([before, pause(2_000)]).then(() => pass(run))
        last.set(
          run.cid,
          result.catch(() => undefined),
        )
        return result
      })
    },
  },
  {
    id: 'oracle.data-of-one-operator',
    clauses: ['1-36', '2.5-15'],
    choice: 'has one operator run the oracles of a task, and the others take its data',
    parts: () => {
      const running = new Map<string, Promise<DataAnswer>>()
      return {
        operator: (operator) => ({
          ...operator,
          collectData: (request, signal) => {
            // Simulations of an oracle have one operator.
            if (request.referenceBlock === undefined) return operator.collectData(request, signal)
            const key = JSON.stringify(request)
            const { signal: unlimited } = new AbortController()
            const first =
              running.get(key) ??
              operator.collectData(request, unlimited).finally(() => running.delete(key))
            running.set(key, first)
            return unlessAborted(signal, first)
          },
        }),
      }
    },
  },
  {
    id: 'oracle.first-output-kept',
    clauses: ['1-54'],
    choice: 'keeps the first of two outputs with the same pack id',
    parts: () =>
      evaluator((evaluation, pass) =>
        pass({ ...evaluation, data: [...evaluation.data].reverse() }),
      ),
  },
  {
    id: 'oracle.same-pack-merged',
    clauses: ['1-54'],
    choice: 'merges the members of two outputs with the same pack id',
    parts: () =>
      evaluator((evaluation, pass) => {
        if (repeated(evaluation.data).length === 0) return pass(evaluation)
        const all = evaluation.data.map(parsed).reduce(merged)
        return pass({ ...evaluation, data: [JSON.stringify(all)] })
      }),
  },
  {
    id: 'oracle.same-pack-refused',
    clauses: ['1-54'],
    choice: 'refuses two outputs with the same pack id',
    parts: () =>
      evaluator(async (evaluation, pass) => {
        const [name] = repeated(evaluation.data)
        if (name === undefined) return pass(evaluation)
        throw inOtherWords(`two oracles use the pack id ${name}`, undefined)
      }),
  },
  {
    id: 'oracle.empty-secrets',
    clauses: ['1-55', '4.6-04'],
    choice: 'gives an oracle without secrets an empty object',
    parts: () =>
      oracleRun((run, pass) => pass({ ...run, secrets: run.secrets ?? Buffer.from('{}') })),
  },
  {
    id: 'oracle.no-secrets-traps',
    clauses: ['1-55', '4.6-04'],
    choice: 'ends the run of an oracle that asks for secrets that it does not have',
    parts: () => {
      const text = 'no secrets are stored'
      const hex = Buffer.from(text).toString('hex')
      return oracleRun(async (run, pass) => {
        const { output, ...rest } = await pass(run)
        const told = [text, hex].some((each) => output.includes(each))
        if (run.secrets !== undefined || !told) return { output, ...rest }
        throw new OracleError('trap', 'it has no secrets')
      })
    },
  },
  {
    id: 'oracle.secrets-reserialised',
    clauses: ['1-56'],
    choice: 'gives an oracle its secrets as JSON of its own, with sorted names',
    parts: () =>
      oracleRun((run, pass) => {
        const secrets = parsed(Buffer.from(run.secrets ?? []).toString())
        if (!isObject(secrets)) return pass(run)
        const entries = Object.entries(secrets)
        const sorted = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
        return pass({ ...run, secrets: Buffer.from(JSON.stringify(sorted, null, 2)) })
      }),
  },
  {
    id: 'oracle.empty-input',
    clauses: ['1-62', '1-12', '4.6-12'],
    choice: 'gives an oracle an empty string where wasm_args is absent or empty',
    parts: () => ({
      ...dataStage((request, pass) =>
        pass({
          ...request,
          sources: request.sources.map((source) =>
            source.wasmArgs === '0x'
              ? { ...source, wasmArgs: `0x${Buffer.from(noInput).toString('hex')}` as const }
              : source,
          ),
        }),
      ),
      ...oracleRun((run, pass) => pass(run.input === noInput ? { ...run, input: '' } : run)),
    }),
  },
]
