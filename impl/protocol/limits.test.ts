import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CreateTaskParams } from './methods/createTask.ts'
import { RegisterWebhookParams } from './methods/registerWebhook.ts'
import { SimulatePolicyParams } from './methods/simulatePolicy.ts'
import { SuppliedTaskData } from './policyTaskData.ts'

const page = readFileSync(new URL('../../conformance/spec/decisions.md', import.meta.url), 'utf8')
const { timeout_seconds, max_retries, secret, url } = RegisterWebhookParams.properties
const { policy_data, entrypoint } = SimulatePolicyParams.properties
const count = (limit: number | undefined) => limit?.toLocaleString('en')

test.each([
  [
    '`timeout` of `svc_createTask`',
    `more than 0, at most ${CreateTaskParams.properties.timeout.maximum} seconds`,
  ],
  ['`timeout_seconds` of a webhook', `more than 0, at most ${timeout_seconds.maximum}`],
  ['`max_retries` of a webhook', `${max_retries.maximum}`],
  ['`secret` of a webhook', `${secret.minLength} to ${count(secret.maxLength)} characters`],
  ['`url` of a webhook', `${count(url.maxLength)} characters`],
  ['`policy_data`, `policyData`', `${policy_data.maxItems} entries`],
  ['`policy_data`, `policyData`', `${SuppliedTaskData.properties.policyData.maxItems} entries`],
  ['`entrypoint`', `${entrypoint.maxLength} characters`],
])('the decisions state the limit of %s: %s', (what, limit) => {
  expect(page).toContain(`| ${what} | ${limit} |`)
})
