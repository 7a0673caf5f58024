import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checks } from '../checks/catalogue.ts'
import { type Capability, declaredCapabilities } from '../core/check.ts'
import type { Target } from '../core/target.ts'
import { probeCapabilities } from './capabilities.ts'
import { readTargetFile } from './targetFile.ts'
import { lackingText, targetLine } from './targetLine.ts'
import { targetOf } from './url.ts'

const directory = mkdtempSync(join(tmpdir(), 'svc-lines-'))
afterAll(() => rmSync(directory, { recursive: true }))

const capabilities = [...new Set(checks.flatMap(({ needs }) => needs))]
  .filter((need) => !declaredCapabilities.some((declared) => declared === need))
  .sort()

/** A value for every variable of the lines, by what its name ends with. */
const env = new Proxy({} as Record<string, string | undefined>, {
  get: (_, name) => {
    if (typeof name !== 'string') return undefined
    if (/UPDATES_URL$/.test(name)) return 'ws://gateway.example/ws'
    if (/URL$/.test(name)) return 'https://somewhere.example'
    if (/(CHAIN_ID|PORT|STAKE)$/.test(name)) return '31337'
    if (/ID$|^SVC_ACCOUNT/.test(name)) return `0x${'1'.repeat(64)}`
    return /^SVC_KEY/.test(name) ? 'a-key' : `0x${'2'.repeat(40)}`
  },
})
const bare: Target = {
  name: 'bare',
  gatewayUrl: 'https://gateway.example',
  brand: defaultBrand,
  keys: {},
  clients: {},
  notApplicable: {},
}
/** Nothing listens there. */
const closed = 'http://127.0.0.1:1'

/** Only what a listener or a node answers is not known without them. */
const noFetch = (async () => new Response('{}')) as typeof fetch

const schema = JSON.parse(
  readFileSync(new URL('./target.schema.json', import.meta.url), 'utf8'),
) as object
const isValid = new Ajv({ strict: false }).compile(schema)

function fileOf(text: string) {
  const path = join(directory, 'svc-target.yaml')
  writeFileSync(path, `gatewayUrl: https://gateway.example\n${text}\n`)
  return path
}

describe('the line for', () => {
  test.each(capabilities)('%s is valid, and adds what is missing', async (need) => {
    // The WebSocket is opened with a key: without one, that is what is missing.
    const given = need === 'websocket' ? { ...bare, gatewayUrl: closed, keys: { read: 'a' } } : bare
    const reason = (await probeCapabilities(checks, given, noFetch)).missing[need]
    const { below, line } = targetLine(need)
    expect(below).toBeUndefined()
    expect(reason).toContain(line)
    const path = fileOf(line)
    expect(isValid(parse(readFileSync(path, 'utf8'))), JSON.stringify(isValid.errors)).toBe(true)
    const file = readTargetFile(path, env)
    const target = targetOf({ url: bare.gatewayUrl, file, stackFile: '', env: {} })
    const { missing } = await probeCapabilities(checks, target, noFetch)
    // What is left needs an answer: of the node, or of the WebSocket.
    if (need !== 'websocket') expect(missing[need] ?? '').not.toContain('add to')
  })

  test.each<[Capability, object]>([
    ['sender', { accounts: { owner: { address: '0x' } } }],
    ['identity-registry', { chain: { rpcUrl: 'x' } }],
    ['key:write', { keys: { read: 'x' } }],
  ])('%s is one of the object that the target has', (need, target) => {
    const { below, line } = targetLine(need, target)
    expect(below).toBe(Object.keys(target)[0])
    const [inside] = Object.values(parse(targetLine(need).line) as object) as [object]
    expect(inside).toMatchObject(parse(line) as object)
    expect(lackingText('it is missing', need, target)).toBe(
      `it is missing; add to ${below} of the target file: ${line}`,
    )
  })
})
