import type { Expectation } from '../core/expectation.ts'
import { type Expectations, equals, fact, fromFact, satisfies } from './expectation.ts'

const kib = 1024

const takenUpTo = (limit: number): Expectation =>
  satisfies(
    ({ bytes }) => (Number(bytes) <= limit ? 'taken' : 'refused'),
    (answer, { bytes }) => (answer === 'taken') === Number(bytes) <= limit,
  )

export const limits: Expectations = {
  'chain.challenge.success': {
    event: equals('TaskChallengedSuccessfully'),
    effect: satisfies('a refusal', (effect) => /void|challenge|differs/i.test(String(effect))),
  },
  'chain.challenge.unsuccessful': {
    event: equals('TaskChallengedUnsuccessfully'),
  },
  'explorer.rate-limit.observed': {
    'other-key': equals(200),
    served: satisfies(
      fromFact('burst'),
      (served: number, { burst }) => served >= Number(burst) && served <= Number(burst) + 3,
    ),
    'retry-after': satisfies(
      'seconds',
      (seconds: number) => Number.isInteger(seconds) && seconds >= 1,
    ),
    body: fact('detail', '{detail}'),
  },
  'rpc.rate-limit.observed.others': {
    'other-key': equals(200),
    'other-method': equals(200),
  },
  'rpc.size.observed.wasm-args': { answer: takenUpTo(64 * kib) },
  'rpc.size.observed.secrets': { answer: takenUpTo(64 * kib) },
  'rpc.size.observed.an-envelope': { answer: takenUpTo(256 * kib) },
  'rpc.size.observed.a-policy': { answer: takenUpTo(512 * kib) },
  'rpc.discover.*': {
    'rpc-discover': equals('served'),
    form: satisfies('OpenRPC 1', (form) => /^OpenRPC 1\.\d+\.\d+$/.test(String(form))),
    version: satisfies('a version', (version) => /\S/.test(String(version ?? ''))),
    'bare-methods': equals([]),
  },
  'rpc.discover.observed.methods': {
    'missing-methods': equals([]),
  },
}
