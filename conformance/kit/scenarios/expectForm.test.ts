import { expect, test } from 'vitest'
import { answering, execute } from '../../runner/execute.fixture.ts'
import { expectForm } from './expectForm.ts'

const judging = (body: unknown) =>
  execute(
    {
      run: async (t) => {
        const answer = await t.gateway.call('storeEncryptedSecrets', {})
        expectForm(answer, 'envelope-form', 'the upload of an envelope')
      },
    },
    { fetch: answering(body) },
  )

test('an accepted form passes; what else is in the answer is judged elsewhere', async () => {
  const answer = { jsonrpc: '2.0', id: '1', result: { success: true, schema: 7 } }
  expect(await judging(answer)).toMatchObject({ verdict: 'passed' })
})

test.each([
  { jsonrpc: '2.0', id: '1', error: { code: -32602, message: 'Invalid request format: envelope' } },
  { jsonrpc: '2.0', id: '1', result: { success: false, error: 'decryption failed' } },
])('a refused form fails, and says how another form is declared: %j', async (answer) => {
  const outcome = await judging(answer)
  expect(outcome).toMatchObject({
    verdict: 'failed',
    reason: 'the upload of an envelope is refused',
  })
  expect(outcome.expected).toContain('declares envelope-form under notApplicable')
})
