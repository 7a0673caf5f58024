import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { defaultBrand } from 'polgate-protocol/brand.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { CannotRun } from '../core/conformanceError.ts'
import { readTargetFile } from './targetFile.ts'
import { presets, targetText } from './targetTemplate.ts'

const directory = mkdtempSync(join(tmpdir(), 'target-template-'))
afterAll(() => rmSync(directory, { recursive: true }))

const path = join(directory, 'svc-target.yaml')
function read(text: string, env = {}) {
  writeFileSync(path, text)
  return readTargetFile(path, env)
}

describe('the options of a file of polgate init', () => {
  /** Lines that begin with # and no space are options, the others are prose. */
  const option = /^(\s*)#(?=\S)/
  const found = {
    gatewayUrl: 'https://a.example',
    brand: defaultBrand,
    updatesUrl: undefined,
    explorerUrl: undefined,
    stack: undefined,
    profiles: ['base', 'tasks'] as const,
    notes: [],
  }
  const env = Object.fromEntries(
    ['READ', 'WRITE', 'RPC', 'NONE', 'EXPIRED', 'STRANGER'].map((name) => [
      `SVC_KEY_${name}`,
      `key-of-${name}`,
    ]),
  )
  const readable = { ...env, SVC_DEPLOYER: '0x'.concat('1'.repeat(64)) }
  const templates = presets.map((preset) => ({
    preset,
    lines: targetText({ preset, found, env: {}, schema: './target.schema.json' }).split('\n'),
  }))

  /** Reads the file with some options uncommented: valid, or refused for what a member contains. */
  function uncommented(lines: readonly string[], chosen: (at: number) => boolean) {
    const text = lines
      .map((line, at) => (chosen(at) ? line.replace(option, '$1') : line))
      .join('\n')
    const document = parseDocument(text)
    expect(document.errors.map(({ message }) => message)).toEqual([])
    expect(document.warnings).toEqual([])
    try {
      read(text, readable)
      return 'valid'
    } catch (error) {
      const { message } = error as CannotRun
      expect(error).toBeInstanceOf(CannotRun)
      expect(message).toMatch(/^\S+:\d+:\d+ /)
      expect(message).not.toMatch(/not valid YAML|indent/i)
      return message
    }
  }

  test.each(templates)(
    '$preset: each is valid alone, or the error names the member',
    ({ lines }) => {
      const options = lines.flatMap((line, at) => (option.test(line) ? [at] : []))
      expect(options.length).toBeGreaterThan(4)
      for (const at of options) {
        const result = uncommented(lines, (line) => line === at)
        // Only what has to be filled in may be refused: the chain needs all of its members.
        if (result !== 'valid') expect(result).toMatch(/ chain/)
      }
    },
  )

  test.each(templates)('$preset: any set of them is YAML', ({ lines }) => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.boolean()), (stream) => {
        const chosen = [...stream.take(lines.length)]
        uncommented(lines, (at) => option.test(lines[at]!) && chosen[at]!)
      }),
      { numRuns: 100 },
    )
  })

  test.each(templates)('$preset: no option is hidden in prose', ({ lines }) => {
    for (const line of lines) expect(line).not.toMatch(/^\s*# +[a-z]\w+: [^$]/i)
  })
})
