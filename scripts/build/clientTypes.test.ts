import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { typeOfSchema } from './clientTypes/typeOfSchema.ts'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const script = join(repository, 'scripts/build/clientTypes.ts')

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'svc-client-types-'))
  await cp(join(repository, 'impl/client/generated'), directory, { recursive: true })
})
afterAll(() => rm(directory, { recursive: true }))

const run = (...args: string[]) =>
  promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', script, '--directory', directory, ...args],
    {
      cwd: repository,
    },
  ).then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, text: stdout + stderr }),
  )

describe('npm run client:types', () => {
  it('finds the committed types up to date, and fails on drift', async () => {
    expect(await run('--check')).toEqual({ code: 0, text: '' })
    const file = join(directory, 'rpcTypes.ts')
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace('readonly nonce: number', 'readonly nonce: string'))
    await writeFile(join(directory, 'stray.ts'), '')
    const drift = await run('--check')
    expect(drift.code).toBe(1)
    expect(drift.text).toContain('impl/client/generated is out of date: rpcTypes.ts, stray.ts')
    expect(drift.text).toContain('npm run client:types')
    expect(await readFile(file, 'utf8')).not.toBe(text)
    expect((await run()).text).toContain('wrote rpcTypes.ts, stray.ts')
    expect(await readFile(file, 'utf8')).toBe(text)
    expect(await run('--check')).toEqual({ code: 0, text: '' })
  })
})

describe('typeOfSchema', () => {
  it.each([
    [{ type: 'string' }, 'string'],
    [{ type: 'string', pattern: '^0x[0-9a-f]*$' }, 'Hex'],
    [{ type: 'string', pattern: '^(?:0x)?[0-9a-f]*$' }, 'string'],
    [{ type: ['integer', 'null'], minimum: 0 }, 'number | null'],
    [{ enum: ['a', null] }, "'a' | null"],
    [{ const: true }, 'true'],
    [{}, 'unknown'],
    [{ $ref: '#/components/schemas/Task' }, 'Task'],
    [
      { type: 'array', items: { anyOf: [{ type: 'null' }, { const: 1 }] } },
      'readonly (null | 1)[]',
    ],
    [{ type: 'array', items: [{ type: 'string' }, {}] }, 'readonly [string, unknown]'],
    [{ type: 'object', patternProperties: { '^.*$': {} } }, 'Readonly<Record<string, unknown>>'],
    [
      {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'boolean' }, b: { $ref: '/B' } },
      },
      '{\n  readonly a: boolean\n  readonly b?: B | undefined\n}',
    ],
  ])('of %j is %s', (schema, type) => {
    expect(typeOfSchema(schema)).toBe(type)
  })

  it.each([[{ type: 'string', contentEncoding: 'base64' }], [{ oneOf: [] }], [{ type: 'date' }]])(
    'of %j is refused, because it would be wrong',
    (schema) => {
      expect(() => typeOfSchema(schema)).toThrow('is not supported')
    },
  )
})
