import { type Expectations, equals, equalsFact, fact, fromFact, satisfies } from './expectation.ts'

type Done = { readonly kind: string; readonly error?: unknown } | undefined

export const oracles: Expectations = {
  'rpc.oracle.egress.loopback': {
    requests: equals(0, 'none'),
  },
  'rpc.oracle.egress.redirects': {
    'followed-redirects': equals([], 'none'),
    requests: equals(0, 'none'),
    'redirect-inside': equals(200),
  },
  'rpc.oracle.egress.*': {
    'ended-runs': equals([], 'none'),
  },
  'rpc.oracle.http.methods': {
    'refused-methods': equals([], 'none'),
  },
  'rpc.oracle.http.response-bytes': {
    'refused-sizes': equals([], 'none'),
  },
  'rpc.oracle.http.observed.response-headers': {
    'x-mirror-method': equals(['GET']),
  },
  'rpc.oracle.http.observed.refused-requests': {
    response: satisfies('an error', (done: Done) => done?.kind === 'error'),
  },
  'rpc.oracle.http.observed.calls': {
    'answered-calls': equals(50),
    'next-call': satisfies(
      'an error that names the limit',
      (done: Done) => done?.kind === 'error' && /50 .*calls/i.test(String(done.error)),
    ),
  },
  'rpc.oracle.http.observed.response-size': {
    responses: satisfies(
      'the first and the last are answered, the others rejected for their size',
      (responses: unknown, { size }) => {
        if (!Array.isArray(responses)) return false
        const [first, second, third, last] = responses
        return (
          first === size &&
          [second, third].every((kind) => /larger than 1 MiB/.test(String(kind))) &&
          last === 3
        )
      },
    ),
  },
  'rpc.oracle.output.observed.same-pack': {
    'a-then-b': equals({ p: { y: 2 }, q: 1 }),
    'b-then-a': equals({ p: { x: 1 }, q: 1 }),
  },
  'rpc.oracle.input.observed.no-args': {
    evaluation: equals({ echo: {} }),
    task: fact('includesGiven', fromFact('given')),
  },
  'rpc.oracle.fault.*': {
    error: satisfies('WASM execution failed: ...', (error) =>
      /^WASM execution failed: \S/.test(String(error)),
    ),
    errors: satisfies('WASM execution failed', (errors) =>
      /WASM execution failed/.test(String(errors)),
    ),
  },
  'rpc.simulatePolicyData.fails.*': {
    error: satisfies('WASM execution failed: ...', (error) =>
      /^WASM execution failed: \S/.test(String(error)),
    ),
  },
  'rpc.simulatePolicy.endless': {
    error: satisfies('Rego evaluation failed: ...', (error) =>
      /^Rego evaluation failed: \S/.test(String(error)),
    ),
  },
  'rpc.oracle.run.*': {
    error: satisfies('WASM execution failed: ...', (error) =>
      /^WASM execution failed: \S/.test(String(error)),
    ),
    details: fact('named', 'the oracle’s text'),
    'run-beside': equals(undefined, 'none'),
    'failed-neighbours': equals([], 'none'),
  },
  'rpc.oracle.run.observed.texts': {
    'different-texts': equalsFact('texts'),
  },
  'rpc.oracle.run.observed.memory': {
    growth: equals([
      { kind: 'grown', grown: true },
      { kind: 'grown', grown: false },
    ]),
  },
  'rpc.oracle.run.observed.nothing-left': {
    counts: equals(Array.from({ length: 7 }, () => ({ counter: { runs: 1 } }))),
  },
  'rpc.oracle.run.observed.plain-string': {
    output: equals({ plain: { ok: true } }),
  },
  'rpc.oracle.run.observed.forbidden-import': {
    refusal: fact('namesBoth', 'the import and the PolicyData by name'),
  },
  'rpc.oracle.run.observed.clock': {
    order: fact('inOrder', 'in order'),
    'later-run': fact('later', 'a later time than the run before'),
    times: fact('live', fromFact('range')),
  },
  'rpc.oracle.run.observed.random': {
    'different-numbers': equals(4),
  },
  'rpc.oracle.world.observed.stale-feed': {
    results: equals([true, false]),
  },
}
