import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Document, isScalar, isSeq, parseDocument, visit } from 'yaml'
import type { Exchange, Recording } from './exchange.ts'
import { RecordingError } from './recordingError.ts'

/**
 * A recording as YAML text, one entry per exchange, readable in a diff. Texts are written verbatim,
 * including placeholders; a body that is not UTF-8 text is written as base64.
 */

const format = 'oracle-exchanges'
const recordingVersion = 1
/** Maximum size of the text of a recording, bytes. */
export const maxRecordingBytes = 64 * 1024 * 1024

const closed = { additionalProperties: false } as const
const Headers = Type.Array(Type.Tuple([Type.String(), Type.String()]))
const Body = Type.Union([
  Type.String(),
  Type.Object({ base64: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$' }) }, closed),
])
const Response = Type.Object(
  { status: Type.Integer({ minimum: 0, maximum: 65_535 }), headers: Headers, body: Body },
  closed,
)
const Entry = Type.Object(
  {
    oracle: Type.Optional(Type.String()),
    request: Type.Object(
      {
        method: Type.String(),
        url: Type.String(),
        headers: Headers,
        body: Type.Optional(Body),
      },
      closed,
    ),
    /** Exactly one of the three. */
    response: Type.Optional(Response),
    error: Type.Optional(Type.String()),
    unanswered: Type.Optional(Type.Literal(true)),
  },
  closed,
)
type Entry = Static<typeof Entry>
const RecordingFile = Type.Object(
  {
    format: Type.Literal(format),
    version: Type.Literal(recordingVersion),
    now: Type.String(),
    seed: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    redactedHeaders: Type.Array(Type.String()),
    exchanges: Type.Array(Entry),
  },
  closed,
)
type RecordingFile = Static<typeof RecordingFile>

/** @param recording with placeholders instead of secrets */
export function formatRecording(recording: Recording): string {
  const { now, seed, redactedHeaders, exchanges } = recording
  const file: RecordingFile = {
    format,
    version: recordingVersion,
    now: new Date(now).toISOString(),
    seed,
    redactedHeaders: [...redactedHeaders],
    exchanges: exchanges.map(entryOf),
  }
  const document = new Document(file, { aliasDuplicateObjects: false })
  visit(document, {
    // One header per line.
    Seq(_, node, path) {
      if (isSeq(path.at(-1)) && node.items.length > 0 && node.items.every(isScalar)) {
        node.flow = true
      }
    },
  })
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}

/**
 * Parses a recording; placeholders are not replaced.
 *
 * @param name the name of the file in errors
 * @throws RecordingError
 */
export function parseRecording(text: string, name: string): Recording {
  const document = parseDocument(text, { uniqueKeys: true, prettyErrors: true })
  const broken = document.errors[0]
  if (broken !== undefined) throw unreadable(name, firstLine(broken.message))
  let file: unknown
  try {
    // No aliases, which could expand a short text into a very long one.
    file = document.toJS({ maxAliasCount: 0 })
  } catch (cause) {
    throw unreadable(name, (cause as Error).message)
  }
  checkHeader(file, name)
  if (!Value.Check(RecordingFile, file)) {
    const first = Value.Errors(RecordingFile, file).First()
    const at = first?.path.slice(1).replaceAll('/', '.') ?? ''
    throw unreadable(name, `${at} ${first?.message ?? 'is invalid'}`)
  }
  const now = Date.parse(file.now)
  if (Number.isNaN(now)) throw unreadable(name, 'now is not a time, such as 2026-01-31T12:00:00Z')
  return {
    now,
    seed: file.seed,
    redactedHeaders: file.redactedHeaders,
    exchanges: file.exchanges.map((entry, at) => exchangeOf(entry, `${name}: exchanges.${at}`)),
  }
}

function checkHeader(file: unknown, name: string): void {
  const header = (typeof file === 'object' && file !== null ? file : {}) as Record<string, unknown>
  if (header.format !== format) {
    throw new RecordingError(
      `${name} is not a recording: it does not begin with "format: ${format}"`,
      'Create one with --record FILE.',
    )
  }
  if (header.version !== recordingVersion) {
    const found = JSON.stringify(header.version) ?? 'none'
    throw new RecordingError(
      `${name} has the version ${found.slice(0, 40)}; this command reads version ${recordingVersion}`,
      'Record it again with this version: --record FILE --force.',
    )
  }
}

const unreadable = (name: string, why: string) =>
  new RecordingError(
    `${name} cannot be read: ${why}`,
    'Restore it from a backup, or record it again with --record FILE --force.',
  )

const firstLine = (text: string) => text.split('\n', 1)[0]?.replace(/:$/, '') ?? ''

function entryOf({ oracle, request, answer }: Exchange): Entry {
  const { method, url, headers, body } = request
  return {
    ...(oracle === undefined ? {} : { oracle }),
    request: { method, url, headers, ...(body === undefined ? {} : { body: bodyOf(body) }) },
    ...(answer.kind === 'error' && { error: answer.message }),
    ...(answer.kind === 'none' && { unanswered: true as const }),
    ...(answer.kind === 'response' && {
      response: {
        status: answer.response.status,
        headers: answer.response.headers,
        body: bodyOf(answer.response.body),
      },
    }),
  }
}

function exchangeOf({ oracle, request, ...answers }: Entry, at: string): Exchange {
  const { response, error, unanswered } = answers
  if (Object.keys(answers).length !== 1) {
    throw unreadable(at, 'exactly one of response, error and unanswered is required')
  }
  const { body, ...head } = request
  return {
    ...(oracle === undefined ? {} : { oracle }),
    request: { ...head, ...(body === undefined ? {} : { body: bytesOf(body) }) },
    answer:
      response !== undefined
        ? { kind: 'response', response: { ...response, body: bytesOf(response.body) } }
        : error !== undefined && unanswered === undefined
          ? { kind: 'error', message: error }
          : { kind: 'none' },
  }
}

type Body = Static<typeof Body>

const bodyOf = (bytes: Uint8Array): Body =>
  textOf(bytes) ?? { base64: Buffer.from(bytes).toString('base64') }

const bytesOf = (body: Body): Uint8Array =>
  Uint8Array.from(
    typeof body === 'string' ? Buffer.from(body, 'utf8') : Buffer.from(body.base64, 'base64'),
  )

/** Decodes UTF-8; undefined for invalid UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
