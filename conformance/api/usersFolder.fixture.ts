import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCleanupStack } from 'polgate-lib/async/cleanupStack.ts'
import { type LocalTarget, localTarget } from 'polgate-self-test/local/localTarget.ts'
import { type CertifyOptions, type CertifyResult, certify } from '../index.ts'

/** Checks of a user, in a folder outside the clone. */
const ownChecks = {
  'passes.ts': `
    import { defineCheck } from 'polgate-conformance'
    export const passes = defineCheck({
      id: 'acme.passes', title: 'the public key of secrets is the same twice', level: 'must', clause: 'ACME-7',
      run: async (t) => {
        const read = async () => t.expect.result(await t.call('getSecretsPublicKey', {}))
        t.expect.equal(await read(), await read(), 'the public key')
        t.observe('the key was read twice')
      },
    })`,
  'fails.mjs': `
    import assert from 'node:assert/strict'
    const run = async (t) => assert.equal((await t.call('noSuchMethod', {})).error.code, -32000)
    export const fails = { id: 'acme.fails', title: 'an unknown method has our code', level: 'must', run }
    export const advises = { ...fails, id: 'acme.advises', level: 'should' }`,
  'untestable.mjs': `
    export const skipped = { id: 'acme.skipped', title: 'nothing', level: 'must', run: async (t) => t.untestable('no time') }
    export const needy = { id: 'acme.needy', title: 'nothing', level: 'may', needs: ['explorer'], run: async () => {} }`,
  'tools.mjs': `
    export const tools = {
      id: 'acme.tools', title: 'every tool works', level: 'must',
      needs: ['chain', 'explorer', 'webhook-receiver', 'client:allow-list', 'key:rpc'], twin: 'a valid call',
      run: async (t) => {
        await t.twin(() => t.call('getSecretsPublicKey', {}).then(t.expect.result))
        t.expect.equal(Number(await t.chain('eth_chainId')), t.target.chainId, 'the chain')
        t.expect.match(await t.chain('eth_getCode', [t.target.taskManager, 'latest']), /^0x../, 'the code')
        const tasks = await t.explorer('/task', { query: { size: 1 } })
        t.expect.that(tasks.status === 200, 'the status of the explorer', 200, tasks.status)
        t.expect.object(tasks.json, 'the tasks')
        t.expect.match(t.client('allow-list').policyClient, /^0x/, 'the policy client')
        t.expect.error(await t.post('{', {}), -32700)
        t.secret('ACME_TOKEN', 'a-token-of-acme-that-is-secret')
        t.observe('a-token-of-acme-that-is-secret')
        await t.withInbox(async (inbox) => {
          await fetch(inbox.url, { method: 'POST', body: 'hello' })
          t.expect.that(await inbox.wait(1, t.patienceMs(5000)), 'the inbox', 'a delivery', 'none')
        })
        if (t.seed('x') === t.seed('y')) throw new Error('seeds are equal')
      },
    }`,
}

/** A stack that runs, and a folder of a user outside the clone in which it is described. */
export type UsersFolder = {
  readonly cwd: string
  readonly stack: LocalTarget
  readonly target: string
  readonly run: (options: Partial<CertifyOptions>) => Promise<CertifyResult>
  readonly close: () => Promise<void>
}

export async function openUsersFolder(): Promise<UsersFolder> {
  const cleanup = createCleanupStack()
  const cwd = mkdtempSync(join(tmpdir(), 'polgate-api-'))
  cleanup.defer(() => rmSync(cwd, { recursive: true, force: true }))
  const stack = await localTarget()
  cleanup.defer(stack.close)
  const target = stack.target.gatewayUrl
  mkdirSync(join(cwd, '.svc'))
  writeFileSync(join(cwd, '.svc/stack.json'), JSON.stringify(stack.description))
  mkdirSync(join(cwd, 'checks'))
  for (const [name, text] of Object.entries(ownChecks))
    writeFileSync(join(cwd, 'checks', name), text)
  return {
    cwd,
    stack,
    target,
    run: (options) => certify({ target, cwd, env: {}, ...options }),
    close: cleanup.close,
  }
}

/** Streams of a command, and what it wrote. */
export function commandWorld(cwd: string) {
  const said = { text: '' }
  const stream = {
    write: (text: string) => {
      said.text += text
    },
  }
  const { signal } = new AbortController()
  return { said, world: { stdout: stream, stderr: stream, env: {}, signal, cwd } }
}
