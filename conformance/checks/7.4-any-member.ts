import fc from 'fast-check'
import { memberValue } from '../arbitraries/memberValue.ts'
import type { Check } from '../core/check.ts'
import { NotInTime } from '../core/conformanceError.ts'
import { expectThat, isObject } from '../core/expect.ts'
import { expectEnvelope } from '../kit/assertions/expectAnswer.ts'
import { expectDecided } from '../kit/assertions/observed.ts'
import { checkProperty } from '../kit/assertions/property.ts'
import { methodTable, type TableMethod } from '../kit/scenarios/methodTable.ts'
import type { Subject } from '../kit/scenarios/refusedMember.ts'
import { withMember } from '../kit/scenarios/requests.ts'

/** Section 7.4: valid params of every method, with one member changed arbitrarily. */
const longestMs = 30_000

/** The check of each method, or null where it has no params. */
const ids: Readonly<Record<TableMethod, string | null>> = {
  // 7.4-05: No request causes an internal error: 500 is for faults of the server.
  // 7.1-04: Invalid params are -32602.
  // 4.1-07: A failure is {jsonrpc, error: {code, message}, id}.
  // 7.3-02: The message for malformed params is "Invalid request format: {details}".
  createTask: 'rpc.any-member.createTask',
  sendTask: 'rpc.any-member.sendTask',
  simulateTask: 'rpc.any-member.simulateTask',
  storeEncryptedSecrets: 'rpc.any-member.storeEncryptedSecrets',
  simulatePolicyData: 'rpc.any-member.simulatePolicyData',
  simulatePolicyDataWithClient: 'rpc.any-member.simulatePolicyDataWithClient',
  simulatePolicy: 'rpc.any-member.simulatePolicy',
  getPrivacyPublicKey: null,
  getSecretsPublicKey: null,
  uploadIdentityEncrypted: 'rpc.any-member.uploadIdentityEncrypted',
  getIdentityEncrypted: 'rpc.any-member.getIdentityEncrypted',
  uploadConfidentialData: 'rpc.any-member.uploadConfidentialData',
  getConfidentialData: 'rpc.any-member.getConfidentialData',
}

/** Paths of all members, including nested ones. */
const pathsOf = (value: unknown, prefix = ''): readonly string[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => [
        `${prefix}${name}`,
        ...pathsOf(member, `${prefix}${name}.`),
      ])
    : []

const anyMember = (id: string, subject: Subject): Check => ({
  id,
  title: `${subject.method} with any one member changed gets a valid response in time`,
  clauses: ['7.4-05', '7.1-04', '4.1-07', '7.3-02'],
  level: 'must',
  needs: subject.needs,
  twin: 'the params before that change, before and after',
  run: async (t) => {
    await t.twin(() => subject.accepted(t))
    const right = await subject.params(t)
    const paths = pathsOf(right)
    const changes = fc.record({ path: fc.constantFrom(...paths), value: memberValue() })
    await checkProperty(t, 'changes', changes, { runs: 20 }, async ({ path, value }) => {
      const answer = await t.gateway.call(subject.method, withMember(right, path, value), {
        key: subject.key ?? 'read',
        timeoutMs: 2 * longestMs,
      })
      expectThat(answer.status < 500, 'the HTTP status', 'below 500', answer.status)
      const { ms } = answer.exchange
      if (ms >= longestMs)
        throw new NotInTime('the time of the response is wrong', {
          expected: 'within 30 s',
          observed: `${Math.round(ms)} ms`,
        })
      const { error } = expectEnvelope(answer)
      if (!isObject(error) || error.code !== -32602) return
      const message = String(error.message)
      expectDecided(t, 'message', 'the message of -32602', message, { path })
    })
    await subject.accepted(t)
  },
})

export const anyMembers: readonly Check[] = methodTable.flatMap(({ subject }) => {
  const id = ids[subject.method]
  return id === null ? [] : [anyMember(id, subject)]
})
