import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { build, type Platform } from 'esbuild'
import { chromium } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { packageProgram } from './testing/packageProgram.ts'

const program = fileURLToPath(new URL('./testing/packageProgram.ts', import.meta.url))

/** A module that runs the program, and hands its result to `answer`. */
async function script(platform: Platform, answer: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { packageProgram } from ${JSON.stringify(program)}
const text = await packageProgram()
${answer}`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform,
    target: 'es2022',
    // CommonJS packages that ask Node for its modules.
    ...(platform === 'node' ? { external: ['yaml', 'graphql'] } : {}),
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

describe('the package', () => {
  it('evaluates in this process', async () => {
    const { facts, coverage, ...rest } = JSON.parse(await packageProgram())
    expect(JSON.parse(facts)).toMatchObject({
      md5: '900150983cd24fb0d6963f7d28e17f72',
      base64: 'w7zwn5iA',
      raw: 'ff',
      zone: [19, 0, 0],
      order: ['a', '\uffff', '😀'],
    })
    expect(facts).toContain('"big":9007199254740994')
    expect(coverage).toBeGreaterThan(0)
    expect(rest).toEqual({
      denied: false,
      why: 'input.amount <= yaml.unmarshal(data.limits).most',
      test: true,
      lazy: true,
    })
  })

  it('answers the same in a thread', async () => {
    // Packages that it does not bundle are found from there.
    const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))
    mkdirSync(cache, { recursive: true })
    const folder = mkdtempSync(join(cache, 'thread-'))
    try {
      const file = join(folder, 'thread.mjs')
      const answer =
        "import { parentPort } from 'node:worker_threads'\nparentPort.postMessage(text)"
      writeFileSync(file, await script('node', answer))
      const worker = new Worker(pathToFileURL(file))
      const text = await new Promise((resolve, reject) => {
        worker.once('message', resolve).once('error', reject)
      })
      await worker.terminate()
      expect(text).toBe(await packageProgram())
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = [process.env.CHROMIUM, ...places].find((path) => path && existsSync(path))
const absent = 'chromium is not installed: apt-get install chromium, or set CHROMIUM to its path'

describe('in a browser', () => {
  if (executablePath === undefined) {
    it('evaluates', ({ skip }) => skip(absent))
    return
  }

  it('answers the same in a page and in its worker', async () => {
    const files: Readonly<Record<string, string>> = {
      '/page.js': await script('browser', 'globalThis.answered(text)'),
      '/worker.js': await script('browser', 'globalThis.postMessage(text)'),
    }
    const server = createServer((request, response) => {
      const file = files[request.url ?? '']
      response.setHeader('content-type', file === undefined ? 'text/html' : 'text/javascript')
      response.end(file ?? '<!doctype html>')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
    try {
      const tab = await browser.newPage()
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      const [page, worker] = await tab.evaluate<readonly string[]>(`(async () => {
        const page = new Promise((resolve) => { globalThis.answered = resolve })
        await import('/page.js')
        const thread = new Worker('/worker.js', { type: 'module' })
        const worker = new Promise((resolve, reject) => {
          thread.onmessage = ({ data }) => resolve(data)
          thread.onerror = ({ message }) => reject(new Error(message))
        })
        return [await page, await worker]
      })()`)
      const here = await packageProgram()
      expect(page).toBe(here)
      expect(worker).toBe(here)
    } finally {
      await browser.close()
      await new Promise((resolve) => server.close(resolve))
    }
  })
})
