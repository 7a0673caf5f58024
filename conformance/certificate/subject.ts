import { createHash } from 'node:crypto'
import { connect } from 'node:tls'

/** Who was certified, in the words of in-toto: a name, and digests that tell it from others. */
export type Subject = {
  readonly name: string
  readonly uri?: string
  readonly digest: { readonly sha256: string }
  readonly annotations: { readonly digestOf: 'tls-spki' | 'url' | 'image' }
}

type Shown = {
  /** SHA-256 over the public key (SPKI) that the target showed in its TLS handshake, hex. */
  readonly tlsSpki?: string | undefined
  /** Digest of the image that was started, `sha256:...`. */
  readonly imageDigest?: string | undefined
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** The subjects of a certificate: the gateway's address with its TLS key, and its image. */
export const subjectsOf = (gatewayUrl: string, shown: Shown): readonly Subject[] => {
  const { tlsSpki, imageDigest } = shown
  const name = URL.canParse(gatewayUrl) ? new URL(gatewayUrl).host : gatewayUrl
  return [
    {
      name,
      uri: gatewayUrl,
      // That of the address says no more than the name does.
      digest: { sha256: tlsSpki ?? sha256(gatewayUrl) },
      annotations: { digestOf: tlsSpki === undefined ? 'url' : 'tls-spki' },
    },
    ...(imageDigest === undefined || !/^(sha256:)?[0-9a-f]{64}$/.test(imageDigest)
      ? []
      : [
          {
            name: 'image',
            digest: { sha256: imageDigest.replace(/^sha256:/, '') },
            annotations: { digestOf: 'image' as const },
          },
        ]),
  ]
}

/**
 * Asks an https target for the key of its certificate. Undefined for other schemes, and where no
 * handshake comes about: a certificate then names the address alone.
 */
export const tlsIdentity = (url: string, timeoutMs = 5_000): Promise<string | undefined> => {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'https:') return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const host = parsed.hostname.replace(/^\[|\]$/g, '')
    const socket = connect({
      host,
      port: Number(parsed.port || 443),
      ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
      // The key is what is asked for; whether it is trusted was decided by every request of the run.
      rejectUnauthorized: false,
      timeout: timeoutMs,
    })
    const end = (value: string | undefined) => {
      socket.destroy()
      resolve(value)
    }
    socket.once('secureConnect', () => {
      const key = socket.getPeerX509Certificate()?.publicKey
      end(key === undefined ? undefined : sha256(key.export({ type: 'spki', format: 'der' })))
    })
    socket.once('timeout', () => end(undefined))
    socket.once('error', () => end(undefined))
  })
}
