import { Writable } from 'node:stream'
import type { CommandIo } from 'polgate-conformance/commands/world.ts'
import { describe, expect, test } from 'vitest'
import { variants as command } from '../variantsCommand.ts'
import { variants } from './catalogue.ts'
import { tryRow } from './tryRow.ts'
import type { Variant } from './variant.ts'

/** A section with few checks. */
const clauses = ['9-01']

function answering(change: (response: Response) => Response): NonNullable<Variant['parts']> {
  type Fetch = (request: Request) => Response | Promise<Response>
  return () => ({
    wrapGatewayFetch: (inner: Fetch) => async (request: Request) => change(await inner(request)),
  })
}

describe('a set of variants', () => {
  test('without a difference that matters raises no alarm', async () => {
    const same: Variant = {
      id: 'answer.same',
      choice: 'answers',
      clauses,
      parts: answering((r) => r),
    }
    const result = await tryRow([same], '0x00000007')
    expect(result).toMatchObject({ ids: ['answer.same'], conformant: true, alarms: [] })
    expect(result.passed).toBeGreaterThan(0)
  }, 120_000)

  test('with a fault raises alarms, which say what was expected', async () => {
    const wrong: Variant = {
      id: 'answer.wrong',
      choice: 'answers everything with 404',
      clauses,
      parts: answering(() => new Response('not here', { status: 404 })),
    }
    const result = await tryRow([wrong], '0x00000007')
    expect(result.conformant).toBe(false)
    expect(result.alarms.length).toBeGreaterThan(0)
    expect(result.alarms[0]).toMatchObject({ verdict: 'failed', reason: expect.any(String) })
  }, 120_000)

  test('that does not start is no result', async () => {
    const broken: Variant = {
      id: 'config.broken',
      choice: 'does not start',
      config: () => {
        throw new Error('no such configuration')
      },
    }
    expect(await tryRow([broken], '0x00000007')).toMatchObject({
      conformant: false,
      passed: 0,
      broken: 'no such configuration',
    })
  }, 120_000)
})

test('ids are unique, and every choice is described', () => {
  const ids = variants.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
  for (const { choice } of variants) expect(choice.length).toBeGreaterThan(8)
})

describe('polgate variants', () => {
  const run = async (options: Parameters<typeof command>[0]) => {
    let text = ''
    const stream = () =>
      new Writable({
        write: (chunk, _, done) => {
          text += chunk
          done()
        },
      })
    const world = {
      stdout: stream(),
      stderr: stream(),
      env: {},
      signal: new AbortController().signal,
    }
    const code = await command(options, world as unknown as CommandIo)
    return { code, text }
  }

  test('--list shows what they choose', async () => {
    const { code, text } = await run({ list: true })
    expect(code).toBe(0)
    for (const { id, choice } of variants) expect(text).toContain(`${id.padEnd(44)} ${choice}`)
    expect(text).toContain(`${variants.length} variants`)
  })

  test.each([
    [{ only: ['transprt'] }, /--only 'transprt' matches no variant/],
    [{ only: ['('] }, /is not a regular expression/],
  ])('%j is refused', async (options, message) => {
    await expect(run(options)).rejects.toThrow(message)
  })
})
