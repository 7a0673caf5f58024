import { expect, it } from 'vitest'
import { runCode } from './codeThreads.ts'

const head = 'package policy\n\ndefault allow := false\n\n'

it('ends a policy whose analysis does not end, while the command continues', async () => {
  const branches = Array.from({ length: 6_000 }, (_, n) => ` else := ${n} if input.x == ${n}`)
  const text = `${head}f := 1 if input.x == 0${branches.join('')}\n`
  let ticks = 0
  const ticking = setInterval(() => ticks++, 10)
  const given = {
    ...{ policy: { path: 'dir/policy.rego', text }, params: undefined, oracles: [] },
    ...{ entrypoint: 'policy.allow', file: 'policy.yaml', client: { restrictsTarget: undefined } },
  }
  await expect(runCode('dir/policy.rego', { kind: 'warnings', given })).rejects.toThrow(
    /^dir\/policy\.rego: looking for mistakes in the policy (takes more than 20 s of CPU time|did not end within 200 s)$/,
  )
  clearInterval(ticking)
  expect(ticks).toBeGreaterThan(100)
  const policy = { name: 'policy.rego', source: head }
  const problem = { policy, entrypoint: 'policy.other' }
  expect(await runCode('policy.rego', { kind: 'problem', given: problem })).toBe('no rule')
}, 600_000)

it('keeps code and place of an error of the policy', async () => {
  const sources = {
    ...{ policy: { name: 'policy.rego', source: `${head}allow if {` }, tests: [] },
    entrypoint: 'policy.allow',
  }
  const compiled = runCode('policy.rego', { kind: 'compile', given: sources })
  await expect(compiled).rejects.toMatchObject({
    name: 'RegoError',
    text: expect.stringMatching(/^policy\.rego:5: rego_parse_error: /),
  })
})
