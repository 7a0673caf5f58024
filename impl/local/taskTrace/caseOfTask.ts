import type {
  CaseAnswer,
  ShownEvaluation,
  ShownText,
  TaskSpan,
  TaskTraceAnswer,
} from 'polgate-protocol/control/taskTrace.ts'
import { Document } from 'yaml'

const mostReplies = 64

type Reply = Readonly<Record<string, unknown>>

/**
 * A case of a policy package from a task: its intent, parameters and arguments, what hosts answered, and the
 * decision. `policy test` runs it again.
 *
 * @param given.oracles ids of the package's oracles; by default what their outputs are called
 */
export function caseOfTask(
  trace: TaskTraceAnswer,
  given: { readonly name?: string; readonly oracles?: readonly string[] },
): CaseAnswer {
  const request = (trace.request ?? {}) as Readonly<Record<string, unknown>>
  const [evaluation] = trace.evaluations
  const notes: string[] = []
  const ids = given.oracles ?? oracleIds(trace)
  const mocks = mocksOf(trace, notes)
  const args = wasmArgsOf(request.wasm_args)
  if (args !== undefined && ids.length === 0)
    notes.push('Add the arguments of the oracles: their ids are not known.')
  const signature = request.intent_signature
  const content = {
    name: given.name ?? `task ${trace.taskId.slice(0, 18)}`,
    intent: request.intent,
    ...(typeof signature === 'string' && signature.length === 132
      ? { intentSignature: signature }
      : {}),
    ...(evaluation === undefined ? {} : { params: JSON.parse(evaluation.params) as unknown }),
    ...(args === undefined || ids.length === 0
      ? {}
      : { wasmArgs: Object.fromEntries(ids.map((id) => [id, args])) }),
    ...(Object.keys(mocks).length === 0 ? {} : { mocks }),
    time: evaluation?.time ?? trace.startedAt,
    expect: expected(trace, evaluation, notes),
  }
  if (evaluation === undefined)
    notes.push('The policy was not evaluated here: add the parameters of the task.')
  if (trace.spans.some(({ exchange }) => JSON.stringify(exchange)?.includes('secret:')))
    notes.push('An oracle used secrets: the case runs with the testSecrets of the package.')
  const text = new Document({ cases: [content] }, { aliasDuplicateObjects: false })
  const comment = notes.map((note) => ` ${note}\n`).join('')
  if (comment !== '') text.commentBefore = comment.trimEnd()
  return {
    taskId: trace.taskId,
    file: `case-${trace.taskId.slice(2, 10)}.yaml`,
    yaml: text.toString({ lineWidth: 0 }),
    notes,
  }
}

/** The output of an oracle is an object with its id as the only member. */
function oracleIds({ settled, operators }: TaskTraceAnswer): readonly string[] {
  const outputs = settled ?? operators.find((each) => each.outputs !== undefined)?.outputs ?? []
  return outputs.flatMap((text) => {
    const [id, ...others] = Object.keys(parsed(text) ?? {})
    return id === undefined || others.length > 0 ? [] : [id]
  })
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function wasmArgsOf(hex: unknown): unknown {
  if (typeof hex !== 'string' || hex === '0x') return undefined
  const text = Buffer.from(hex.slice(2), 'hex').toString('utf8')
  return parsed(text) ?? text
}

/** What the hosts answered to the oracles of one operator, of which every request is known. */
function mocksOf(
  { spans }: TaskTraceAnswer,
  notes: string[],
): Readonly<Record<string, Readonly<Record<string, Reply | readonly Reply[]>>>> {
  const http = spans.filter(({ kind, exchange }) => kind === 'http' && exchange !== undefined)
  const first = http.find(({ exchange }) => exchange?.response !== null) ?? http[0]
  const hosts = new Map<string, Map<string, Reply[]>>()
  for (const span of http) {
    if (span.operator !== first?.operator) continue
    const { method, url } = span.exchange!
    if (!URL.canParse(url) || url.endsWith('(not shown)')) {
      notes.push(`Mock ${method} ${url.slice(0, 200)}: its host is not known.`)
      continue
    }
    const { host, pathname, search } = new URL(url)
    // A placeholder is not what the oracle sends in a test.
    const isKnown = !/%7B|\$/.test(search)
    const route = `${method} ${pathname}${isKnown ? search : ''}`
    const routes = hosts.get(host) ?? new Map<string, Reply[]>()
    hosts.set(host, routes)
    routes.set(route, [...(routes.get(route) ?? []), replyOf(span)])
  }
  const replies = [...hosts.values()].flatMap((routes) => [...routes.values()].flat())
  if (replies.some(({ fillIn }) => fillIn !== undefined))
    notes.push('Fill in the answers that are not kept.')
  return Object.fromEntries([...hosts].map(([host, routes]) => [host, shownRoutes(routes)]))
}

const shownRoutes = (routes: ReadonlyMap<string, readonly Reply[]>) =>
  Object.fromEntries(
    [...routes].map(([route, replies]) => [
      route,
      replies.length === 1 ? replies[0]! : replies.slice(0, mostReplies),
    ]),
  )

function replyOf({ exchange, error }: TaskSpan): Reply {
  const response = exchange!.response
  if (response === null) return error?.includes('took longer') ? { fault: 'hang' } : { cut: true }
  const { status, headers, body } = response
  const withStatus = status === 200 ? {} : { status }
  if (body.text === null || body.note !== undefined)
    return { ...withStatus, fillIn: `the body of ${body.size} bytes: ${body.note ?? 'not kept'}` }
  const type = headers.find(([name]) => name === 'content-type')?.[1]
  const json = type?.includes('json') ? jsonOf(body) : undefined
  if (json !== undefined) return { ...withStatus, json }
  return {
    ...withStatus,
    body: body.text,
    ...(type === undefined ? {} : { headers: { 'content-type': type } }),
  }
}

const jsonOf = ({ text }: ShownText): unknown => (text === null ? undefined : parsed(text))

function expected(
  { operators, spans }: TaskTraceAnswer,
  evaluation: ShownEvaluation | undefined,
  notes: string[],
): unknown {
  if (evaluation?.result === 'true' || evaluation?.result === '"true"') return 'allow'
  if (evaluation !== undefined && evaluation.result !== null)
    return evaluation.reasons.length === 0 ? 'deny' : { deny: evaluation.reasons }
  const failed = spans.find(({ kind, error }) => kind === 'task' && error !== undefined)?.error
  const error = evaluation?.error ?? failed ?? operators.find((each) => each.error)?.error
  if (error === undefined) notes.push('Check what is expected: the decision is not known.')
  return error === undefined ? 'denyOrFail' : { fails: error.slice(0, 4_096) }
}
