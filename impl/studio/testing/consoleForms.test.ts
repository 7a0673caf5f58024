import { defaultBrand } from 'polgate-protocol/brand.ts'
import { openApiDocument } from 'polgate-service/explorer/rest/openApi.ts'
import { validParams } from 'polgate-service/gateway/gateway.fixture.ts'
import { openRpcDocument } from 'polgate-service/gateway/openRpc.ts'
import { describe, expect, it } from 'vitest'
import { exampleOfMembers } from '../app/views/console/example.ts'
import { explorerDocument, requestOf } from '../app/views/console/openApi.ts'
import { keyFor, rpcDocument } from '../app/views/console/openRpc.ts'
import { shapeOf } from '../app/views/console/schema.ts'
import { problemsOf } from '../app/views/console/validateParams.ts'

const address = `0x${'ab'.repeat(20)}`
const known = { chain_id: ['0x7a69', 31_337], policy_client: [address], value: ['no quantity'] }

describe('the methods of the gateway', () => {
  const { methods, components } = rpcDocument(
    openRpcDocument(defaultBrand, '1.0.0'),
    defaultBrand.methodPrefix,
  )

  it('have a form each', () => {
    expect(methods.map(({ title }) => title).sort()).toEqual(Object.keys(validParams).sort())
    const { members } = methods.find(({ title }) => title === 'createTask')!
    expect(members.map(({ name, schema }) => [name, shapeOf(schema, components).kind])).toEqual(
      expect.arrayContaining([
        ['policy_client', 'text'],
        ['intent', 'members'],
        ['timeout', 'number'],
        ['include_validate_calldata', 'boolean'],
      ]),
    )
  })

  it.each(methods)('an example of $title is valid, and what the gateway takes', (method) => {
    const example = exampleOfMembers(method.members, components, known)
    expect(Object.fromEntries(problemsOf(example, method.members, components))).toEqual({})
    const taken = validParams[method.title as keyof typeof validParams]
    expect(Object.fromEntries(problemsOf(taken, method.members, components))).toEqual({})
  })

  it('takes the known value that fits', () => {
    const exampleFor = (title: string) => {
      const { members } = methods.find((method) => method.title === title)!
      return exampleOfMembers(members, components, known)
    }
    expect(exampleFor('createTask')).toMatchObject({
      policy_client: address,
      intent: { chain_id: '0x7a69', value: '0x1' },
    })
    expect(exampleFor('simulatePolicyData')).toMatchObject({ chain_id: 31_337 })
  })

  it('choose the key with the permission', () => {
    const names = ['read', 'write', 'rpc', 'none']
    const keys = methods.map(({ title, permission }) => [title, keyFor(permission, names)])
    expect(Object.fromEntries(keys)).toMatchObject({
      createTask: 'rpc',
      storeEncryptedSecrets: 'write',
    })
    expect(keyFor('RpcRead', ['only'])).toBe('only')
  })
})

describe('the paths of the explorer', () => {
  const { operations, components } = explorerDocument(openApiDocument(defaultBrand, '1.0.0'))

  it.each(operations)('an example of $path is valid and complete', (operation) => {
    const example = exampleOfMembers(operation.members, components, known)
    expect(Object.fromEntries(problemsOf(example, operation.members, components))).toEqual({})
    expect(requestOf(operation, example).path).not.toMatch(/[{}]/)
  })

  it('puts parameters into path, query and headers', () => {
    const operation = operations.find(({ path }) => path === '/v1/policy/id/{policy_id}/task')!
    const values = { policy_id: '0x1/2', page: 2, size: '', [defaultBrand.networkHeader]: 'base' }
    expect(requestOf(operation, values)).toEqual({
      path: '/v1/policy/id/0x1%2F2/task?page=2',
      headers: { [defaultBrand.networkHeader]: 'base' },
    })
  })
})
