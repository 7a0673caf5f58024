import { createHash } from 'node:crypto'

/** The certified target in terms of in-toto: a name, and digests that identify it. */
export type Subject = {
  readonly name: string
  readonly uri?: string
  readonly digest: { readonly sha256: string }
  readonly annotations: { readonly digestOf: 'tls-spki' | 'url' | 'image' }
}

type Shown = {
  /** SHA-256 over the public key (SPKI) of the target's TLS handshake, hex. */
  readonly tlsSpki?: string | undefined
  /** Digest of the started image, `sha256:...`. */
  readonly imageDigest?: string | undefined
}

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex')

/** The subjects of a certificate: the gateway's address with its TLS key, and its image. */
export function subjectsOf(gatewayUrl: string, shown: Shown): readonly Subject[] {
  const { tlsSpki, imageDigest } = shown
  const name = URL.canParse(gatewayUrl) ? new URL(gatewayUrl).host : gatewayUrl
  return [
    {
      name,
      uri: gatewayUrl,
      // The digest of the address adds nothing to the name.
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
 * Reads the certificate key of an https target. Undefined for other schemes, and if the handshake
 * fails: a certificate then names only the address.
 */
export async function tlsIdentity(url: string, timeoutMs = 5_000): Promise<string | undefined> {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'https:') return undefined
  const { connect } = await import('node:tls')
  return new Promise((resolve) => {
    const host = parsed.hostname.replace(/^\[|\]$/g, '')
    const socket = connect({
      host,
      port: Number(parsed.port || 443),
      ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
      // Only the key is needed; every request of the run has verified its trust.
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
