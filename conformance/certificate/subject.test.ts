import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { expect, test } from 'vitest'
import { subjectsOf, tlsIdentity } from './subject.ts'

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

/** The smallest certificate that a handshake accepts, signed with its own Ed25519 key. */
function selfSigned() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  const algorithm = der(0x30, der(0x06, Buffer.from([0x2b, 0x65, 0x70])))
  const commonName = der(0x06, Buffer.from([0x55, 0x04, 0x03]))
  const name = der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from('localhost')))))
  const time = (text: string) => der(0x17, Buffer.from(text))
  const validity = der(0x30, time('200101000000Z'), time('491231235959Z'))
  const serial = der(0x02, Buffer.from([1]))
  const body = der(0x30, serial, algorithm, name, validity, name, spki)
  const signature = der(0x03, Buffer.from([0]), sign(null, body, privateKey))
  const certificate = der(0x30, body, algorithm, signature).toString('base64')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    sha256: createHash('sha256').update(spki).digest('hex'),
  }
}

type Listening = Pick<ReturnType<typeof createServer>, 'listen' | 'close' | 'address' | 'once'>

async function listening(server: Listening) {
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', () => resolve(undefined)))
  const { port } = server.address() as { port: number }
  return { port, close: () => new Promise((resolve) => server.close(resolve)) }
}

test('a target is identified by the key of its TLS handshake', async () => {
  const { sha256, ...pair } = selfSigned()
  const { port, close } = await listening(createTlsServer(pair))
  try {
    expect(await tlsIdentity(`https://127.0.0.1:${port}/rpc`)).toBe(sha256)
  } finally {
    await close()
  }
})

test('one without TLS, or that is unreachable, has none', async () => {
  expect(await tlsIdentity('http://127.0.0.1:1')).toBeUndefined()
  expect(await tlsIdentity('no url')).toBeUndefined()
  const { port, close } = await listening(createServer((_, response) => response.end()))
  expect(await tlsIdentity(`https://127.0.0.1:${port}`, 2_000)).toBeUndefined()
  await close()
  expect(await tlsIdentity(`https://127.0.0.1:${port}`, 2_000)).toBeUndefined()
})

test('the subjects: address with its key, and the image', () => {
  const tlsSpki = 'a'.repeat(64)
  const image = 'b'.repeat(64)
  expect(
    subjectsOf('https://gateway.example', { tlsSpki, imageDigest: `sha256:${image}` }),
  ).toEqual([
    {
      name: 'gateway.example',
      uri: 'https://gateway.example',
      digest: { sha256: tlsSpki },
      annotations: { digestOf: 'tls-spki' },
    },
    { name: 'image', digest: { sha256: image }, annotations: { digestOf: 'image' } },
  ])
  const [plain, ...rest] = subjectsOf('http://127.0.0.1:1', { imageDigest: 'latest' })
  expect(rest).toEqual([])
  expect(plain?.annotations.digestOf).toBe('url')
  expect(plain?.digest.sha256).toMatch(/^[0-9a-f]{64}$/)
})
