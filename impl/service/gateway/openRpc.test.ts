import { Ajv } from 'ajv'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { contentIdKeyword } from 'polgate-protocol/contentId.ts'
import { methods } from 'polgate-protocol/methods.ts'
import { bareHexKeyword } from 'polgate-protocol/scalars.ts'
import { describe, expect, it } from 'vitest'
import { openTestGateway, validParams } from './gateway.fixture.ts'
import { openRpcDocument } from './openRpc.ts'

type Document = {
  openrpc: string
  methods: {
    name: string
    params: { name: string; required: boolean; schema: object }[]
    result: { schema: object }
    'x-permission': string
  }[]
  components: { schemas: Record<string, object> }
}

const document = openRpcDocument(defaultBrand, '0.1.0') as Document

describe('OpenRPC document', () => {
  it('lists every method of the table with its permission', () => {
    expect(document.methods.map((m) => [m.name, m['x-permission']])).toEqual(
      Object.entries(methods).map(([name, m]) => [`svc_${name}`, m.permission]),
    )
  })

  it('marks required parameters', () => {
    const [create] = document.methods
    expect(create?.params.filter((p) => p.required).map((p) => p.name)).toEqual([
      'policy_client',
      'intent',
    ])
  })

  it('has only resolvable references, and schemas that compile and accept valid calls', () => {
    const ajv = new Ajv({ strict: true })
    ajv.addVocabulary(['components'])
    ajv.addKeyword({ keyword: bareHexKeyword, schemaType: 'boolean' })
    ajv.addKeyword({ keyword: contentIdKeyword, schemaType: 'boolean' })
    for (const method of document.methods) {
      const name = method.name.slice('svc_'.length) as keyof typeof validParams
      const compile = (schema: object) =>
        ajv.compile({ allOf: [schema], components: document.components })
      compile(method.result.schema)
      for (const param of method.params) {
        const value = (validParams[name] as Record<string, unknown>)[param.name]
        const validate = compile(param.schema)
        if (value !== undefined) expect(validate(value)).toBe(true)
      }
    }
  })

  it('has the prefix of the brand', () => {
    const branded = openRpcDocument({ ...defaultBrand, methodPrefix: 'acme_' }, '1') as Document
    expect(branded.methods.every(({ name }) => name.startsWith('acme_'))).toBe(true)
  })

  it('is served to any key as rpc.discover, and not without a key', async () => {
    const gateway = await openTestGateway()
    const body = JSON.stringify({ jsonrpc: '2.0', method: 'rpc.discover', id: 'x' })
    const response = await gateway.send(body, { key: gateway.keys.none })
    expect(((await response.json()) as { result: unknown }).result).toEqual(
      JSON.parse(JSON.stringify(document)),
    )
    expect((await gateway.send(body, { key: undefined })).status).toBe(401)
    await gateway.close()
  })
})
