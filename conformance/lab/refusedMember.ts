import type { Check, Need } from '../runner/check.ts'
import type { CheckContext } from '../runner/context.ts'
import { expectError, expectThat, show } from '../runner/expect.ts'
import type { Answer } from '../wire/answer.ts'
import type { KeyName } from '../wire/exchange.ts'
import { decided } from './decided.ts'
import { failureOf, withMember } from './requests.ts'

/** A method, valid params, and the proof that they are accepted. */
export type Subject = {
  readonly method: string
  readonly needs: readonly Need[]
  readonly twin: string
  readonly params: (t: CheckContext) => Record<string, unknown> | Promise<Record<string, unknown>>
  /** The key that may call it; the read key by default. */
  readonly key?: KeyName
  /** Sends the valid params, once per run, and expects success. */
  readonly accepted: (t: CheckContext) => Promise<unknown>
}

/** One fault: the member at `path` becomes `value`, or is removed if `value` is undefined. */
export type Fault = {
  readonly name: string
  readonly path: string
  readonly value: unknown
  readonly clauses: readonly string[]
}

/** Malformed params: -32602, and a message about the format (sections 7.1, 7.3). */
export const expectInvalidParams = (answer: Answer): void => {
  expectError(answer, {
    code: -32602,
    message: /^invalid (request format: \S|params)/i,
    status: [200, 400],
  })
}

const callWith = async (t: CheckContext, subject: Subject, fault: Fault): Promise<Answer> => {
  const params = withMember(await subject.params(t), fault.path, fault.value)
  return t.gateway.call(subject.method, params, { key: subject.key ?? 'read' })
}

/** A check that the params are refused for that fault and no other reason. */
export const refusedMember = (subject: Subject, fault: Fault): Check => ({
  id: `rpc.${subject.method}.params.${fault.name}`,
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

/** A check that records how a gateway reacts to a change that the specification leaves open. */
export const observedMember = (subject: Subject, fault: Fault): Check => ({
  id: `rpc.${subject.method}.observed.${fault.name}`,
  title: `observed: ${subject.method} when ${fault.path} is ${fault.value === undefined ? 'absent' : show(fault.value)}`,
  clauses: fault.clauses,
  level: 'may',
  needs: subject.needs,
  run: async (t) => {
    await subject.accepted(t)
    const answer = await callWith(t, subject, fault)
    expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
    t.observe(
      `${subject.method} with ${fault.path} ${show(fault.value)}: ${failureOf(answer) ?? 'accepted'}`,
    )
  },
})

/**
 * The same if the behaviour of the reference implementation is decided (decision E4): `code` is
 * that of its refusal, undefined if it accepts.
 */
export const decidedMember = (subject: Subject, fault: Fault, code?: number): Check => ({
  ...observedMember(subject, fault),
  run: async (t) => {
    await subject.accepted(t)
    const answer = await callWith(t, subject, fault)
    expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
    const failure = failureOf(answer)
    const right = code === undefined ? failure === undefined : failure?.startsWith(`${code} `)
    const what = `${subject.method} with ${fault.path} ${show(fault.value)}`
    decided(t, right === true, what, code ?? 'accepted', failure ?? 'accepted')
  },
})
