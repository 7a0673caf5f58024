import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { createSecretsCheck } from 'polgate-service/operators/secretsCheck.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testSecretsOf } from '../dev/checkedPackage.ts'
import { packageContents } from '../publish/packageContents.ts'
import { runMain } from '../testing/runMain.ts'
import { loadPolicyPackage } from './loadPolicyPackage.ts'
import { schemaMisfit, secretsMisfit } from './schemaFit.ts'

const hostile = { pattern: '^(a+)+$' }
const long = `${'a'.repeat(41)}!`
const named = (file: string) => `${file}: its pattern ^(a+)+$ takes too long`

let scratch: string
let folder: string
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'svc-schemas-'))
})
afterAll(() => rm(scratch, { recursive: true }))
beforeEach(async () => {
  folder = await mkdtemp(join(scratch, 'package-'))
  const template = fileURLToPath(new URL('../templates/multi-oracle', import.meta.url))
  await cp(template, folder, { recursive: true })
})

const write = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value))

const hostilePackages: Readonly<Record<string, () => Promise<void>>> = {
  'params.schema.json': async () => {
    const params = JSON.parse(await readFile(join(folder, 'params.json'), 'utf8'))
    await write('params.json', { ...params, note: long })
    await write('params.schema.json', { properties: { note: hostile } })
    const file = join(folder, 'policy.yaml')
    const text = await readFile(file, 'utf8')
    if (!text.includes('paramsSchema:'))
      await writeFile(file, `${text}paramsSchema: params.schema.json\n`)
  },
  'oracles/price_feed.args.schema.json': async () => {
    await write('oracles/price_feed.args.json', { symbol: long })
    await write('oracles/price_feed.args.schema.json', { properties: { symbol: hostile } })
  },
  'oracles/sanctions.secrets.schema.json': async () => {
    const path = 'oracles/sanctions.test-secrets.json'
    const secrets = JSON.parse(await readFile(join(folder, path), 'utf8'))
    await write(path, { ...secrets, MORE: long })
    await write('oracles/sanctions.secrets.schema.json', { properties: { MORE: hostile } })
  },
}

describe('a pattern that does not end', { timeout: 300_000 }, () => {
  it.each(Object.keys(hostilePackages))('ends the commands that read %s', async (file) => {
    await hostilePackages[file]!()
    const expected = named(join(folder, file).replace(/^\/private/, ''))
    const tested = await runMain('policy', 'test', folder)
    expect(tested).toMatchObject({ code: 2, stderr: expect.stringContaining(expected) })
    if (file.includes('secrets')) {
      const simulated = await runMain('policy', 'simulate', folder)
      expect(simulated).toMatchObject({ code: 2, stderr: expect.stringContaining(expected) })
    }
    const given = await loadPolicyPackage(folder)
    const names = { witPackage: 'service:provider@0.2.0', regoNamespace: 'service' }
    const checks = {
      'params.schema.json': () => packageContents(given, names as never),
      'oracles/sanctions.secrets.schema.json': () => testSecretsOf(given),
    }
    await expect(
      checks[file as keyof typeof checks]?.() ?? Promise.reject(expected),
    ).rejects.toThrow(expected)
  })

  it('is named among others, also where it is of names', async () => {
    const one = { type: 'number' }
    const patterns = { '^b$': one, '^(a+)+$': one, '^c$': one }
    const schema = { path: 'x.json', text: JSON.stringify({ patternProperties: patterns }) }
    await expect(schemaMisfit(schema, JSON.stringify({ [long]: 1 }))).rejects.toThrow(
      named('x.json'),
    )
  })

  it('is not named where references double', async () => {
    const definitions: Record<string, unknown> = { d0: { pattern: '^a' } }
    for (let n = 1; n <= 60; n++) {
      const before = { $ref: `#/definitions/d${n - 1}` }
      definitions[`d${n}`] = { allOf: [before, before] }
    }
    definitions.d0 = { minLength: 1 }
    const text = JSON.stringify({ definitions, pattern: '^a', $ref: '#/definitions/d60' })
    await expect(schemaMisfit({ path: 'x.json', text }, '"abc"')).rejects.toThrow(
      'x.json: it takes too long',
    )
  })
})

describe('a document', () => {
  it('is judged by each of its patterns, as an expression judges it', async () => {
    const pattern = fc.constantFrom('^a', 'b$', '^[ab]+$', '^$', 'a.b')
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(pattern, text), { maxLength: 4 }), async (members) => {
        const properties = Object.fromEntries(
          members.map(([own], at) => [`m${at}`, { pattern: own }]),
        )
        const document = Object.fromEntries(members.map(([, value], at) => [`m${at}`, value]))
        const wrong = members.findIndex(([own, value]) => !new RegExp(own, 'u').test(value))
        const schema = { path: 'x.json', text: JSON.stringify({ properties }) }
        const misfit = await schemaMisfit(schema, JSON.stringify(document))
        expect(misfit?.at).toBe(wrong === -1 ? undefined : `/m${wrong}`)
      }),
      { numRuns: 200 },
    )
  })

  it('and secrets are judged as operators judge them', async () => {
    const check = createSecretsCheck()
    try {
      for (const secrets of [{}, { KEY: 'a' }, { KEY: 'b' }]) {
        const text = JSON.stringify({ required: ['KEY'], properties: { KEY: { pattern: '^a$' } } })
        const given = JSON.stringify(secrets)
        const upload = {
          policyClient: `0x${'1'.repeat(40)}`,
          schema: text,
          secrets: given,
        } as const
        const refused = await check
          .check(upload, new AbortController().signal)
          .catch((error: Error) => error.message)
        const problem = await secretsMisfit({ path: 'x.json', text }, given)
        expect(refused).toBe(problem && `Secrets upload validation failed: ${problem}`)
      }
    } finally {
      await check.close()
    }
  })

  it('with a schema that cannot be used names its file', async () => {
    await expect(schemaMisfit({ path: 'x.json', text: '{"type":"text"}' }, '{}')).rejects.toThrow(
      /^x\.json: the schema /,
    )
  })
})
