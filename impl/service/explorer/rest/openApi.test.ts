import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestExplorer, policyRow, type TestExplorer, taskRow } from './explorer.fixture.ts'
import { openApiDocument } from './openApi.ts'
import { routes } from './routes.ts'

type Parameter = { name: string; in: string; required: boolean; schema: object }
type Operation = {
  operationId: string
  parameters: (Parameter | { $ref: string })[]
  responses: Record<string, { content: { 'application/json': { schema: object } } }>
}
const document = openApiDocument(defaultBrand, '1.2.3')
const operations = Object.entries(document.paths).map(
  ([path, { get }]) => [path, get as unknown as Operation] as const,
)
let explorer: TestExplorer
beforeAll(async () => {
  explorer = await openTestExplorer()
})
afterAll(() => explorer?.close())

describe('the document', () => {
  it('conforms to the schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('has the seven paths, each with one operation', () => {
    expect(operations.map(([path]) => path)).toEqual([
      '/v1/task/{task_id}',
      '/v1/task',
      '/v1/policy/{address}',
      '/v1/policy',
      '/v1/policy/id/{policy_id}/task',
      '/v1/policy/address/{policy_address}/task',
      '/v1/stats',
    ])
    expect(new Set(operations.map(([, { operationId }]) => operationId)).size).toBe(7)
    expect(routes).toHaveLength(7)
  })

  it('marks required query parameters', () => {
    const required = operations.flatMap(([, { parameters }]) =>
      parameters.flatMap((each) => ('name' in each && each.required ? [each.name] : [])),
    )
    expect(required).toEqual([
      'task_id',
      'address',
      'policy_id',
      'policy_address',
      'task_window_start',
    ])
  })

  it('names the network header of the brand, and the four networks', () => {
    const branded = openApiDocument({ networkHeader: 'X-Acme-Network' }, '1')
    expect(branded.components.parameters.network).toMatchObject({
      name: 'X-Acme-Network',
      schema: { enum: ['testnet', 'base-sepolia', 'mainnet', 'base'], default: 'testnet' },
    })
  })

  it('is served', async () => {
    const { body } = await explorer.get('/openapi.json')
    const { info, ...rest } = JSON.parse(JSON.stringify(document))
    expect(body).toEqual({ ...rest, info: { ...info, version: '0.1.0' } })
  })
})

describe('every response conforms to the document', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
  formats.default(ajv)
  ajv.addVocabulary(['components'])
  const task = taskRow(25)
  const examples: Record<string, string[]> = {
    getTask: [`/v1/task/${task.id}`, '/v1/task/x', `/v1/task/${taskRow(24).id}`],
    listTasks: ['/v1/task', '/v1/task?size=0', '/v1/task?page=9'],
    getPolicy: [`/v1/policy/${policyRow(1).address}`, '/v1/policy/x'],
    listPolicies: ['/v1/policy', '/v1/policy?page=x'],
    listTasksOfPolicyId: [`/v1/policy/id/${task.policy_id}/task`],
    listTasksOfPolicyAddress: [`/v1/policy/address/${task.policy_address}/task`],
    getStats: ['/v1/stats', '/v1/stats?task_window_start=2026-01-01'],
  }
  it.each(operations)('%s', async (_, { operationId, responses }) => {
    const { keys } = explorer
    const check = (status: number, body: unknown) => {
      const answer = responses[status]
      expect(answer, `status ${status}`).toBeDefined()
      const { schema } = answer!.content['application/json']
      const validate = ajv.compile({ ...schema, components: document.components })
      expect(validate(body), JSON.stringify(validate.errors)).toBe(true)
      // No undocumented members.
      const name = (schema as { $ref?: string }).$ref?.split('/').at(-1)
      const documented =
        name && (document.components.schemas[name] as { properties: object }).properties
      if (documented)
        expect(Object.keys(body as object).sort()).toEqual(Object.keys(documented).sort())
    }
    for (const path of examples[operationId]!) {
      for (const headers of [
        { 'x-api-key': keys.read },
        { 'x-api-key': keys.write },
        { 'x-api-key': keys.read, 'x-protocol-network': 'x' },
        {},
      ]) {
        const { status, body } = await explorer.get(path, headers as Record<string, string>)
        check(status, body)
      }
    }
  })
})

describe('the documentation page', () => {
  it('describes every path, parameter and schema', async () => {
    const { body: page } = await explorer.get('/docs')
    for (const [path, { parameters, responses }] of operations) {
      expect(page).toContain(path)
      for (const each of parameters)
        if ('name' in each) expect(page).toContain(`<code>${each.name}</code>`)
      for (const status of Object.keys(responses)) expect(page).toContain(`<code>${status}</code>`)
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(page).toContain(`id="schema-${name}"`)
      for (const member of Object.keys((schema as { properties: object }).properties))
        expect(page).toContain(`<code>${member}</code>`)
    }
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]))
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
  })

  it('has no external resources, and its policy forbids them', async () => {
    const { body: page, headers } = await explorer.get('/docs')
    expect(page).not.toMatch(/<script|<link|<img|<iframe|url\(|@import| on\w+=| style=/i)
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//i)
    expect(page).toContain('name="viewport"')
    const policy = headers.get('content-security-policy')!
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'/)
    const style = /<style>([\s\S]*)<\/style>/.exec(page)![1]!
    const { createHash } = await import('node:crypto')
    expect(policy).toContain(createHash('sha256').update(style).digest('base64'))
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('escapes inserted values', async () => {
    const odd = explorer.but({ brand: { networkHeader: 'X-<b>&"' } })
    const { body: page } = await odd.get('/docs')
    expect(page).not.toContain('X-<b>')
    expect(page).toContain('X-&lt;b&gt;&amp;')
  })
})
