import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Value } from '@sinclair/typebox/value'
import { StackDescription } from 'polgate-protocol/stackDescription.ts'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { boundContracts } from '../chain/bindings/boundContracts.ts'
import type { AuthorStack } from './authorStack.ts'
import type { ContractsWorld } from './contractsWorld.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const text = (...path: readonly string[]) => readFile(join(...path), 'utf8')

/** What the description of a stack says of contracts, and `polgate chain bindings`. */
export function bindingsSuite(author: () => AuthorStack, world: () => ContractsWorld): void {
  const bindings = (...args: readonly string[]) => author().run('chain', 'bindings', ...args)

  describe('the stack description', () => {
    test('has the ABI of every contract, and says who alone may call what', async () => {
      const { contracts: described, permissions, clients } = author().stack.description
      const abiOf = async (name: string) =>
        JSON.parse(await text(described!.artifacts, `${name}.json`)).abi
      const { client } = world()
      for (const [name, address] of Object.entries(described!.addresses)) {
        expect([name, (await abiOf(name)).length > 0]).toEqual([name, true])
        expect(
          (await client.getCode({ address: address as `0x${string}` }))!.length,
        ).toBeGreaterThan(2)
      }
      for (const { contract } of Object.values(clients))
        expect((await abiOf(contract!)).length).toBeGreaterThan(0)
      const forbidden = /OwnableUnauthorizedAccount|NotOwner|NotAggregator|NotProvider/
      const stranger = privateKeyToAccount(generatePrivateKey()).address
      let calls = 0
      for (const { account, contract, addresses, functions } of permissions!) {
        const abi = await abiOf(contract)
        for (const functionName of functions) {
          const { inputs } = abi.find((each: { name: string }) => each.name === functionName)
          // Of what an account may do only to itself, or with a value that is not empty.
          const own = author().stack.description.operators.find(
            ({ address }) => address === account,
          )
          const args = inputs.map(({ type, components }: Parameter) =>
            functionName === 'deregisterOperator' && own !== undefined
              ? own.id
              : functionName === 'removeProvider' && type === 'address'
                ? account
                : emptyOf({ type, components }),
          )
          const [address] = addresses as `0x${string}`[]
          const failure = (from: string) =>
            client
              .simulateContract({
                address: address!,
                abi,
                functionName,
                args,
                account: from as `0x${string}`,
              })
              .then(
                () => 'none',
                (error: Error) => error.message,
              )
          expect([contract, functionName, await failure(stranger)]).toEqual([
            ...[contract, functionName],
            expect.stringMatching(forbidden),
          ])
          expect([contract, functionName, await failure(account)]).toEqual([
            ...[contract, functionName],
            expect.not.stringMatching(forbidden),
          ])
          calls += 1
        }
      }
      expect(calls).toBeGreaterThan(20)
    })

    test('of an earlier release is read', () => {
      const { permissions: _, contracts: __, roles: ___, ...rest } = author().stack.description
      const clients = Object.entries(rest.clients).map(([name, { contract: ____, ...old }]) => [
        name,
        old,
      ])
      expect(Value.Check(StackDescription, { ...rest, clients: Object.fromEntries(clients) })).toBe(
        true,
      )
      expect(JSON.stringify(author().stack.description).length).toBeLessThan(40_000)
    })
  })

  describe('polgate chain bindings', () => {
    test('modules are strict TypeScript, have the addresses of the stack, and are the same each time', async () => {
      const out = join(world().folder, 'src')
      const { code, stdout, stderr } = await bindings('--out', out, '--json')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const { files } = JSON.parse(stdout)
      expect(files).toContain('TaskManager.ts')
      const before = await Promise.all(files.map((name: string) => text(out, name)))
      await bindings('--out', out)
      expect(await Promise.all(files.map((name: string) => text(out, name)))).toEqual(before)
      const { taskManager } = author().stack.description.chain
      const module = await import(join(out, 'TaskManager.ts'))
      expect(module.taskManagerAddress).toBe(taskManager)
      const { client } = world()
      const owner = await client.readContract({
        ...{
          address: module.taskManagerAddress,
          abi: module.taskManagerAbi,
          functionName: 'owner',
        },
      })
      expect(owner).toBe(author().stack.description.roles?.protocolOwner)
      await writeFile(join(out, 'use.ts'), usage)
      const tsconfig = { compilerOptions: strict, include: ['*.ts'] }
      await writeFile(join(out, 'tsconfig.json'), JSON.stringify(tsconfig))
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      const compiled = await promisify(execFile)(process.execPath, [tsc, '-p', out]).catch(
        (error: { stdout: string }) => error,
      )
      expect(compiled.stdout).toBe('')
    })

    test('interfaces have what the contracts have', async () => {
      const written = [...world().compiled].filter(([key]) => key.startsWith('interfaces/'))
      expect(written.length).toBe(boundContracts.length)
      for (const [key, { abi }] of written) {
        const name = key.replace(/.*:/, '')
        const artifact = JSON.parse(await text(root, 'chain/artifacts', `${name.slice(1)}.json`))
        expect([name, shapes(abi)]).toEqual([name, shapes(artifact.abi)])
      }
    })
    test('interfaces that are written one after the other share their structs', async () => {
      const out = join(world().folder, 'few')
      for (const name of ['TaskManager', 'PolicyData'])
        expect(await bindings('--language', 'solidity', '--out', out, name)).toMatchObject({
          code: 0,
        })
      expect(await readdir(out)).toEqual(['IPolicyData.sol', 'ITaskManager.sol', 'Types.sol'])
      for (const name of await readdir(out))
        expect(await text(out, name)).toBe(await text(world().folder, 'interfaces', name))
    })

    test('what is refused', async () => {
      const out = join(world().folder, 'own')
      await mkdir(out)
      await writeFile(join(out, 'Policy.ts'), 'export const mine = 1\n')
      const refused = await bindings('--out', out)
      expect([refused.code, refused.stderr]).toEqual([
        2,
        expect.stringContaining('not a file of this command'),
      ])
      expect(await text(out, 'Policy.ts')).toBe('export const mine = 1\n')
      expect(await readdir(out)).toEqual(['Policy.ts'])
      const unknown = await bindings('Taskmanager')
      expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('TaskManager')])
      expect((await bindings('--language', 'rust')).code).toBe(2)
    })
  })
}

type Parameter = { readonly type: string; readonly components?: readonly Parameter[] | undefined }

/** A value that encodes as zeros. */
function emptyOf({ type, components = [] }: Parameter): unknown {
  const [, element, length] = /^(.*)\[(\d*)\]$/.exec(type) ?? []
  if (element !== undefined)
    return Array.from({ length: Number(length) }, () => emptyOf({ type: element, components }))
  if (type === 'tuple')
    return Object.fromEntries(
      components.map((each) => [(each as { name: string } & Parameter).name, emptyOf(each)]),
    )
  if (type === 'address') return '0x0000000000000000000000000000000000000001'
  if (type === 'string') return ''
  if (type === 'bool') return false
  if (type === 'bytes') return '0x'
  if (type.startsWith('bytes')) return `0x${'00'.repeat(Number(type.slice(5)))}`
  return 0n
}

/** Functions, events and errors by name and types, without what only names a type. */
const shapes = (abi: readonly unknown[]): readonly string[] =>
  (abi as readonly { readonly type: string }[])
    .filter(({ type }) => ['function', 'event', 'error'].includes(type))
    .map((entry) =>
      JSON.stringify(entry, (key, value) => (key === 'internalType' ? undefined : value)),
    )
    .sort()

const strict = {
  ...{ target: 'ES2022', lib: ['ES2022'], module: 'ESNext', moduleResolution: 'bundler' },
  ...{ strict: true, noEmit: true, types: [], verbatimModuleSyntax: true, isolatedModules: true },
  ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
}

/** The constants are literal types, and those of the package are the same. */
const usage = `import { taskManagerAbi as packed } from 'polgate-contracts/abi/TaskManager'
import * as all from 'polgate-contracts'
import { contractErrorsAbi as packedErrors } from 'polgate-contracts/abi/contractErrors'
import { contractErrorsAbi } from './contractErrors'
import { sampleClientAddresses } from './SampleClient'
import { taskManagerAbi, taskManagerAddress } from './TaskManager'

type Names = Extract<(typeof taskManagerAbi)[number], { type: 'function' }>['name']
export const name: Names = 'respondToTask'
// @ts-expect-error There is no such function.
export const wrong: Names = 'nothing'
export const same: typeof taskManagerAbi = packed
export const other: typeof packed = taskManagerAbi
export const again: typeof packed = all.taskManagerAbi
export const address: \`0x\${string}\` = taskManagerAddress
export const cap: \`0x\${string}\` = sampleClientAddresses.cap
export const sameErrors: typeof packedErrors = contractErrorsAbi
type Errors = (typeof contractErrorsAbi)[number]['name']
export const error: Errors = 'IntentNotAllowed'
`
