import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createContentStore } from 'polgate-service/content/contentStore.ts'
import { httpGateways } from 'polgate-service/content/gateways.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentDirectory } from './chainImage.ts'
import type { LocalStack } from './localStack.ts'
import { startTestStack } from './testing/startTestStack.ts'

let stack: LocalStack
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'other-store-'))
  stack = await startTestStack()
})
afterAll(async () => {
  await stack.close()
  await rm(directory, { recursive: true })
})

it('serves files added at run time as /ipfs/{cid}, to browsers and to other stores', async () => {
  const text = `package added\n\n# ${new Date().toISOString()}\n`
  const cid = await createContentStore({ directory: contentDirectory }).put(Buffer.from(text))
  const url = stack.description.fixtureHostUrl
  expect(await (await fetch(`${url}/ipfs/${cid}`)).text()).toBe(text)
  const gateways = httpGateways({ urls: [url] })
  const other = createContentStore({ directory, gateways })
  expect(Buffer.from(await other.get(cid)).toString()).toBe(text)
  expect((await fetch(`${url}/ipfs/nonsense`)).status).toBe(400)
  await rm(join(contentDirectory, cid))
})
