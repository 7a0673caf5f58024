import { overclaimingTarget } from 'polgate-self-test/nullTargets.ts'
import type { Check } from '../core/check.ts'
import { executeCheck } from './execute.ts'
import { createSession, type SessionOptions } from './session.ts'

const base: Check = {
  id: 'rpc.example',
  title: 'an example',
  clauses: ['4.1-01'],
  level: 'must',
  needs: [],
  run: async () => undefined,
}
/** A gateway in place of fetch: no socket is opened. */
export function answering(body: unknown, status = 200): typeof fetch {
  const fake = async () => new Response(JSON.stringify(body), { status })
  return fake as typeof fetch
}
export const execute = (check: Partial<Check>, options: Partial<SessionOptions> = {}) =>
  executeCheck(
    // Without profiles, the tests call methods of every part of the service.
    { ...base, ...(check.profiles === undefined ? { callsAny: true } : {}), ...check },
    createSession({
      target: overclaimingTarget('http://gateway.invalid'),
      seed: '0x00000007',
      effort: 1,
      missing: {},
      fetch: answering({}),
      ...options,
    }),
  )
