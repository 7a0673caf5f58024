import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { get, ok, recordingOf } from './recording.fixture.ts'
import { RecordingError } from './recordingError.ts'
import { readRecording, refuseOverwrite, writeRecording } from './recordingFile.ts'
import { formatRecording, parseRecording } from './recordingFormat.ts'

describe('a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recording-'))
  })
  afterAll(() => rm(folder, { recursive: true }))
  const recording = recordingOf([
    { oracle: 'feed', request: get('http://a.example/'), answer: ok('{}') },
  ])

  test('is readable', () => {
    expect(formatRecording(recording)).toMatchInlineSnapshot(`
      "format: oracle-exchanges
      version: 1
      now: 2023-11-14T22:13:20.000Z
      seed: abababababababababababababababababababababababababababababababab
      redactedHeaders: []
      exchanges:
        - oracle: feed
          request:
            method: GET
            url: http://a.example/
            headers: []
          response:
            status: 200
            headers:
              - [content-type, application/json]
            body: "{}"
      "
    `)
  })

  test('is written atomically, and replaced only with force', async () => {
    const path = join(folder, 'exchanges.yaml')
    await writeRecording(path, recording, { force: false })
    const before = await readFile(path, 'utf8')
    const other = recordingOf([])
    await expect(writeRecording(path, other, { force: false })).rejects.toThrow('already exists')
    await expect(refuseOverwrite(path, false)).rejects.toThrow('already exists')
    expect(await readFile(path, 'utf8')).toBe(before)
    await writeRecording(path, other, { force: true })
    expect((await readRecording(path)).exchanges).toEqual([])
    expect(await readdir(folder)).toEqual(['exchanges.yaml'])
    await expect(
      writeRecording(join(folder, 'none/x.yaml'), other, { force: false }),
    ).rejects.toThrow('cannot be written')
  })

  const text = formatRecording(recording)
  test.each([
    [
      'another version',
      text.replace('version: 1', 'version: 2'),
      'has the version 2; this command reads version 1',
    ],
    ['no version', text.replace('version: 1\n', ''), 'has the version none; this command reads'],
    ['another version as text', text.replace('version: 1', 'version: "1"'), 'has the version "1"'],
    ['another format', text.replace('oracle-exchanges', 'har'), 'is not a recording'],
    ['something else', '[1, 2]', 'is not a recording'],
    ['nothing', '', 'is not a recording'],
    ['no YAML', '{"format": ', 'cannot be read'],
    ['a member twice', `${text}version: 1\n`, 'cannot be read: Map keys must be unique'],
    ['aliases', `${text}more: [&a [1], *a]\n`, 'cannot be read: '],
    ['an unknown member', `${text}more: 1\n`, 'cannot be read: more Unexpected property'],
    ['no status', text.replace('status: 200', 'state: 200'), 'exchanges.0.response'],
    [
      'two answers',
      text.replace('    response:', '    error: x\n    response:'),
      'one of response, error',
    ],
    ['an invalid time', text.replace(/now: .*/, 'now: soon'), 'now is not a time'],
  ])('that has %s is rejected', async (_, changed, message) => {
    expect(() => parseRecording(changed, 'file')).toThrow(RecordingError)
    expect(() => parseRecording(changed, 'file')).toThrow(message)
  })

  test('that is missing or too large is reported', async () => {
    await expect(readRecording(join(folder, 'none.yaml'))).rejects.toThrow('cannot be read')
    await writeFile(join(folder, 'large.yaml'), Buffer.alloc(64 * 1024 * 1024 + 1))
    await expect(readRecording(join(folder, 'large.yaml'))).rejects.toThrow('is larger than')
  })
})
