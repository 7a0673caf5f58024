import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SealedDataStack, startSealedDataStack } from './testing/sealedDataStack.ts'

let dataDir: string
let stack: SealedDataStack
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-kept-'))
  stack = await startSealedDataStack({ dataDir })
})
afterAll(async () => {
  await stack.close()
  await rm(dataDir, { recursive: true, force: true })
})

it('a persistent stack keeps sealed data, and gets registries added by a later release', async () => {
  const { params, result } = await stack.uploaded()
  const before = stack.identityRegistry
  await stack.close()

  const file = join(dataDir, 'deployment.json')
  const { registries, ...older } = JSON.parse(await readFile(file, 'utf8'))
  expect(registries.identityRegistry).toBe(before)
  await writeFile(file, JSON.stringify(older))
  stack = await startSealedDataStack({ dataDir })

  const { data_ref_id } = result
  const back = await stack.client.call('getIdentityEncrypted', { data_ref_id })
  expect(back.result?.envelope).toBe(params.envelope)
  expect(stack.identityRegistry).not.toBe(before)
  expect(JSON.parse(await readFile(file, 'utf8')).registries.identityRegistry).toBe(
    stack.identityRegistry,
  )
  const provider = stack.description.accounts.provider!.address
  const uploaded = await stack.client.call('uploadConfidentialData', {
    provider,
    domain: params.identity_domain,
    envelope: await stack.seal(provider),
    chain_id: params.chain_id,
  })
  expect(uploaded.result).toMatchObject({ success: true })
})
