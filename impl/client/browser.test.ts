import { existsSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { drain, listen } from 'polgate-lib/http/listen.ts'
import type { LocalStack } from 'polgate-local/localStack.ts'
import { startTestStack } from 'polgate-local/testing/startTestStack.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newIntent, policyClientOf } from './testing/stackClients.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path))
const absent = 'chromium is not installed: apt-get install chromium, or set CHROMIUM to its path'
const program = fileURLToPath(new URL('./testing/browserProgram.ts', import.meta.url))

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [program],
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
  })
  return outputFiles[0]!.text
}

describe('in a browser', () => {
  if (executablePath === undefined) {
    it('works', ({ skip }) => skip(absent))
    return
  }

  let page: Server
  let url: string
  let stack: LocalStack
  beforeAll(async () => {
    const script = await bundled()
    page = createServer((request, response) => {
      const isScript = request.url === '/program.js'
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
      response.end(isScript ? script : '<!doctype html><script src="/program.js"></script>')
    })
    url = (await listen(page)).url
    stack = await startTestStack({
      config: (config) => ({ ...config, corsOrigins: [url] }),
    })
  })
  afterAll(async () => {
    await stack.close()
    await drain(page)
  })

  it('calls, follows a task, seals, verifies and pages', async () => {
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    try {
      const tab = await browser.newPage()
      await tab.goto(url)
      const { gatewayUrl, explorerUrl, apiKeys } = stack.description
      const given = {
        url: gatewayUrl,
        explorerUrl,
        key: apiKeys.rpc,
        policyClient: policyClientOf(stack, 'allow-list'),
        intent: newIntent(stack),
      }
      const outcome = await tab.evaluate(
        (input) => (globalThis as unknown as { run(input: unknown): Promise<unknown> }).run(input),
        given,
      )
      expect(outcome).toMatchObject({
        events: expect.arrayContaining(['success']),
        status: 'success',
        allow: true,
        envelope: { chain_id: 31_337 },
        signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
        webhook: 'signature_wrong',
        rows: expect.any(Number),
        refused: 'SUBSCRIPTION_FAILED',
        unauthorized: 'UNAUTHORIZED',
      })
    } finally {
      await browser.close()
    }
  })

  it('reports what CORS refuses as a network error that names it', async () => {
    const other = createServer((_, response) => response.end('<!doctype html>'))
    const { url: foreign } = await listen(other)
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    try {
      const tab = await browser.newPage()
      await tab.goto(foreign)
      await tab.addScriptTag({ content: await bundled() })
      const text = await tab.evaluate(
        (input) => (globalThis as unknown as { call(input: unknown): Promise<string> }).call(input),
        { url: stack.description.gatewayUrl, key: stack.description.apiKeys.rpc },
      )
      expect(text).toContain('NETWORK')
      expect(text).toContain('CORS')
    } finally {
      await browser.close()
      await drain(other)
    }
  })
})
