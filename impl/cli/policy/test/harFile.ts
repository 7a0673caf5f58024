import { readFile, stat } from 'node:fs/promises'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { refuseCredentials } from 'polgate-service/oracles/recording/credentials.ts'
import type { Exchange } from 'polgate-service/oracles/recording/exchange.ts'
import { RecordingError } from 'polgate-service/oracles/recording/recordingError.ts'
import { maxRecordingBytes } from 'polgate-service/oracles/recording/recordingFormat.ts'
import { CommandError } from '../../commandDefinition.ts'
import { parseJson } from '../inputFiles.ts'

const Header = Type.Object({ name: Type.String(), value: Type.String() })

/** What is used of an HTTP archive (HAR 1.2), as browsers and proxies save it. */
const Har = Type.Object({
  log: Type.Object({
    entries: Type.Array(
      Type.Object({
        request: Type.Object({
          method: Type.String({ pattern: '^[A-Za-z]{1,20}$' }),
          url: Type.String({ pattern: '^https?://' }),
          postData: Type.Optional(Type.Object({ text: Type.Optional(Type.String()) })),
        }),
        response: Type.Object({
          /** 0: the connection failed. */
          status: Type.Integer({ minimum: 0, maximum: 599 }),
          headers: Type.Array(Header),
          content: Type.Object({
            text: Type.Optional(Type.String()),
            encoding: Type.Optional(Type.String()),
          }),
        }),
      }),
      { maxItems: 10_000 },
    ),
  }),
})
type Har = Static<typeof Har>

/** @throws CommandError */
async function readHar(path: string): Promise<Har> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true)
    throw new CommandError(`${path} ${found ? 'is not a file' : 'does not exist'}`, {
      hint: 'Name an existing file under exchanges of policy.yaml.',
    })
  if (found.size > maxRecordingBytes)
    throw new CommandError(`${path} is larger than ${maxRecordingBytes} bytes`, {
      hint: 'Save only the requests to the hosts of the oracles.',
    })
  const value = parseJson(path, await readFile(path, 'utf8'))
  if (Value.Check(Har, value)) return value
  const [first] = Value.Errors(Har, value)
  throw new CommandError(
    `${path} is not an HTTP archive: ${first?.path ?? ''} ${first?.message ?? ''}`,
    {
      hint: 'Save it as HAR 1.2, with the contents of the responses.',
    },
  )
}

/** Encodings are those of the wire; a saved body is decoded. Cookies are of a person. */
const dropped =
  /^(set-cookie|content-encoding|content-length|transfer-encoding|connection|alt-svc|strict-transport-security)$/i

/**
 * The exchanges of an HTTP archive, in its order.
 *
 * @throws CommandError
 */
export async function harExchanges(path: string): Promise<readonly Exchange[]> {
  return (await readHar(path)).log.entries.map(exchangeOf)
}

function exchangeOf({ request, response }: Har['log']['entries'][number]): Exchange {
  return {
    request: {
      method: request.method.toUpperCase(),
      url: new URL(request.url).href,
      headers: [],
      body: Buffer.from(request.postData?.text ?? ''),
    },
    answer:
      response.status < 200
        ? { kind: 'none' }
        : {
            kind: 'response',
            response: {
              status: response.status,
              headers: response.headers
                .filter(({ name }) => !dropped.test(name) && !name.startsWith(':'))
                .map(({ name, value }) => [name, value] as const),
              body: Buffer.from(
                response.content.text ?? '',
                response.content.encoding === 'base64' ? 'base64' : 'utf8',
              ),
            },
          },
  }
}

/** Headers of responses that an imported archive keeps: others may identify the person who saved it. */
const kept = /^(content-type|date|etag|link|location|retry-after)$/i

/**
 * The text of an archive with only what mocks use of it: without the headers and cookies of requests, which have
 * keys of the person who saved it, and without exchanges with a possible key in their URL or bodies.
 *
 * @returns `leftOut`: why exchanges are missing; names no value
 * @throws CommandError
 */
export async function harWithoutSecrets(
  path: string,
): Promise<{ readonly text: string; readonly leftOut: readonly string[] }> {
  const { log } = await readHar(path)
  const leftOut: string[] = []
  const entries = log.entries.flatMap(({ request, response }, at) => {
    const headers = response.headers.filter(({ name }) => kept.test(name))
    const entry = {
      request: {
        method: request.method,
        url: request.url,
        ...(request.postData?.text === undefined
          ? {}
          : { postData: { text: request.postData.text } }),
      },
      response: {
        status: response.status,
        headers: headers.map(({ name, value }) => ({ name, value })),
        content: {
          ...(response.content.text === undefined ? {} : { text: response.content.text }),
          ...(response.content.encoding === undefined
            ? {}
            : { encoding: response.content.encoding }),
        },
      },
    }
    const problem = credentialIn(exchangeOf(entry))
    if (problem === undefined) return [entry]
    leftOut.push(`entry ${at + 1} is left out: ${problem}`)
    return []
  })
  const text = `${JSON.stringify({ log: { version: '1.2', entries } }, undefined, 2)}\n`
  return { text, leftOut }
}

function credentialIn(exchange: Exchange): string | undefined {
  try {
    refuseCredentials(exchange, [])
    return undefined
  } catch (error) {
    if (error instanceof RecordingError) return error.message
    throw error
  }
}
