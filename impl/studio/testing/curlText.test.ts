import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { curlText, rpcText } from '../app/views/tasks/taskRequest.ts'

it('the request of a task is a command for a shell, which passes any text on as it is, and the key from a variable', () => {
  const request = { method: 'createTask', params: { note: `it's $HOME "x" \\ \`id\`` } }
  const body = rpcText('svc_', { ...request, isOriginal: true })
  const command = curlText('http://127.0.0.1:1', body).replace(/^curl/, 'printf "%s\\n"')
  const printed = execFileSync('sh', ['-c', command], { env: { API_KEY: 'k-1' } }).toString()
  expect(printed).toContain('authorization: Bearer k-1')
  expect(printed).toContain(body)
  expect(JSON.parse(body)).toMatchObject({ method: 'svc_createTask', params: request.params })
})
