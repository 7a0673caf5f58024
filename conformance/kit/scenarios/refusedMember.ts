import type { MethodName } from 'polgate-protocol/methods.ts'
import type { Answer } from '../../core/answer.ts'
import type { Capability, Check } from '../../core/check.ts'
import type { CheckContext } from '../../core/context.ts'
import type { KeyName } from '../../core/exchange.ts'
import { expectThat, show } from '../../core/expect.ts'
import { expectError } from '../assertions/expectAnswer.ts'
import { observed } from '../assertions/observed.ts'
import { failureOf, withMember } from './requests.ts'

/** A method, valid params, and the proof that they are accepted. */
export type Subject<M extends MethodName = MethodName> = {
  readonly method: M
  readonly needs: readonly Capability[]
  readonly twin: string
  readonly params: (t: CheckContext) => Record<string, unknown> | Promise<Record<string, unknown>>
  /** The key that may call it; the read key by default. */
  readonly key?: KeyName
  /** Sends the valid params, once per run, and expects success. */
  readonly accepted: (t: CheckContext) => Promise<unknown>
}

/** One fault: the member at `path` becomes `value`, or is removed if `value` is undefined. */
export type Fault = {
  /** Of the check: `rpc.createTask.params.client-missing`. */
  readonly id: string
  readonly path: string
  readonly value: unknown
  readonly clauses: readonly string[]
}

/** Malformed params: -32602, and a message about the format (sections 7.1, 7.3). */
export function expectInvalidParams(answer: Answer): void {
  expectError(answer, {
    code: -32602,
    message: /^invalid (request format: \S|params)/i,
    status: [200, 400],
  })
}

async function callWith(t: CheckContext, subject: Subject, fault: Fault): Promise<Answer> {
  const params = withMember(await subject.params(t), fault.path, fault.value)
  return t.gateway.call(subject.method, params, { key: subject.key ?? 'read' })
}

/** A check that the params are refused for that fault and no other reason. */
export const refusedMember = (subject: Subject, fault: Fault): Check => ({
  id: fault.id,
  title: `${subject.method} is refused when ${fault.path} is ${fault.value === undefined ? 'absent' : show(fault.value)}`,
  clauses: [...fault.clauses, '7.1-04', '7.3-02'],
  level: 'must',
  needs: subject.needs,
  twin: subject.twin,
  run: async (t) => {
    await t.twin(() => subject.accepted(t))
    expectInvalidParams(await callWith(t, subject, fault))
  },
})

/** A check of a change that the specification leaves open: it fails no gateway (decision E4). */
export const observedMember = (subject: Subject, fault: Fault): Check => ({
  id: fault.id,
  title: `observed: ${subject.method} when ${fault.path} is ${fault.value === undefined ? 'absent' : show(fault.value)}`,
  clauses: fault.clauses,
  level: 'may',
  needs: subject.needs,
  run: async (t) => {
    await subject.accepted(t)
    const answer = await callWith(t, subject, fault)
    expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
    const what = `${subject.method} with ${fault.path} ${show(fault.value)}`
    observed(t, 'answer', what, failureOf(answer) ?? 'accepted')
  },
})
