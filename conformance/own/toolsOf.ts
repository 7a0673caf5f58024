import type { Answer } from '../core/answer.ts'
import { Untestable } from '../core/conformanceError.ts'
import type { CheckContext } from '../core/context.ts'
import { expectEqual, expectMatch, expectObject, expectThat, isObject } from '../core/expect.ts'
import { withMailbox } from '../kit/scenarios/webhooks.ts'
import type { CheckTools, Expect, HttpAnswer, RequestOptions, RpcAnswer } from './checkTools.ts'

function errorOf(json: unknown): RpcAnswer['error'] {
  const error = isObject(json) ? json.error : undefined
  if (!isObject(error)) return undefined
  const { code, message, data } = error
  return typeof code === 'number' && typeof message === 'string'
    ? { code, message, ...(data === undefined ? {} : { data }) }
    : undefined
}

/** Reading the status or the JSON makes the request the subject of a failure that follows. */
function httpAnswerOf(answer: Answer): HttpAnswer {
  const { headers, body, ms } = answer.exchange
  return {
    headers,
    body,
    ms,
    get status() {
      return answer.status
    },
    get json() {
      return answer.json
    },
  }
}

function rpcAnswerOf(answer: Answer): RpcAnswer {
  const { headers, body, ms } = answer.exchange
  return {
    headers,
    body,
    ms,
    get status() {
      return answer.status
    },
    get json() {
      return answer.json
    },
    get result() {
      return isObject(answer.json) ? answer.json.result : undefined
    },
    get error() {
      return errorOf(answer.json)
    },
  }
}

const shownAnswer = ({ status, body }: HttpAnswer) => `HTTP ${status}: ${body}`

const expect: Expect = {
  that: (holds, what, expected, observed) => expectThat(holds, what, expected, observed),
  equal: expectEqual,
  match: (observed, pattern, what) => {
    expectMatch(observed, pattern, what)
    return observed as string
  },
  object: (observed, what) => {
    expectObject(observed, what)
    return observed
  },
  result: (answer) => {
    const succeeded = answer.status === 200 && answer.result !== undefined && !answer.error
    expectThat(succeeded, 'the answer', 'HTTP 200 with a result', shownAnswer(answer))
    return answer.result
  },
  error: (answer, code) => {
    const codes = typeof code === 'number' ? [code] : code
    const { error } = answer
    const expected = `an error object with code ${codes.join(' or ')}`
    expectThat(error !== undefined, 'the answer', expected, shownAnswer(answer))
    expectThat(codes.includes(error.code), 'the error code', expected, error)
    return error
  },
}

const keyOf = ({ key }: Pick<RequestOptions, 'key'>) => (key === null ? undefined : (key ?? 'read'))

/** The public part of a context. */
export function toolsOf(context: CheckContext): CheckTools {
  const { target, gateway } = context
  const post: CheckTools['post'] = async (body, options = {}) => {
    const { headers, timeoutMs } = options
    const sent = await gateway.send({
      body,
      key: keyOf(options),
      ...(headers === undefined ? {} : { headers }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    })
    return rpcAnswerOf(sent)
  }
  return {
    target: {
      name: target.name,
      gatewayUrl: target.gatewayUrl,
      explorerUrl: target.explorerUrl,
      methodPrefix: target.brand.methodPrefix,
      chainId: target.chain?.chainId,
      taskManager: target.chain?.taskManager,
    },
    call: (method, params, options = {}) =>
      post(
        JSON.stringify({ jsonrpc: '2.0', method: gateway.method(method), params, id: 1 }),
        options,
      ),
    post,
    explorer: async (path, options = {}) =>
      httpAnswerOf(await context.explorer().get(path, options)),
    chain: (method, params = []) => context.chain().request({ method, params } as never),
    client: context.client,
    withInbox: (run, answers = [200]) =>
      withMailbox(context, answers, ({ url, deliveries, wait }) => run({ url, deliveries, wait })),
    expect,
    observe: context.observe,
    untestable: (reason) => {
      throw new Untestable(reason)
    },
    twin: context.twin,
    cleanup: context.cleanup,
    secret: context.hide,
    seed: context.seed,
    patienceMs: (usualMs) => context.patienceMs(usualMs),
  }
}
