import { X509Certificate } from 'node:crypto'
import { type Certificate, constraintsOf, extension, usagesOf } from './certificate.ts'

export type VerifyOptions = {
  /** Seconds since 1970. */
  readonly at: number
  /** Purposes by Go's numbers, one of which must be allowed; 0 is any. */
  readonly usages: readonly number[]
  readonly host: string | undefined
}

/** Maximum number of checked signatures, for branching chains. */
const MAX_CHECKS = 100

const SERVER_GATED = [10, 11]

/** Whether a certificate may be used for one of the purposes. */
function allows(certificate: Certificate, wanted: readonly number[]): boolean {
  const usages = usagesOf(certificate.extensions)
  if (usages === undefined || wanted.includes(0) || usages.known.includes(0)) return true
  return wanted.some(
    (usage) =>
      usages.known.includes(usage) ||
      (usage === 1 && SERVER_GATED.some((gated) => usages.known.includes(gated))),
  )
}

/** Name constraints are not evaluated: a certificate with them is not trusted. */
const isUsable = (certificate: Certificate, options: VerifyOptions): boolean =>
  certificate.notBefore <= options.at &&
  options.at <= certificate.notAfter &&
  extension(certificate.extensions, 30) === undefined &&
  allows(certificate, options.usages)

function mayIssue(issuer: Certificate, below: number): boolean {
  const constraints = constraintsOf(issuer.extensions)
  if (constraints === undefined) return issuer.version < 3
  return constraints.isCa && (constraints.maxPath === undefined || below <= constraints.maxPath)
}

function hasIssued(issuer: Certificate, subject: Certificate): boolean {
  if (!issuer.subject.raw.equals(subject.issuer.raw)) return false
  try {
    return new X509Certificate(subject.raw).verify(new X509Certificate(issuer.raw).publicKey)
  } catch {
    return false
  }
}

/**
 * Finds the chain from the last certificate to the first, which is trusted, through the others.
 *
 * @returns undefined if there is no valid chain
 */
export function verifyChain(
  certificates: readonly Certificate[],
  options: VerifyOptions,
): readonly Certificate[] | undefined {
  const [root, ...rest] = certificates
  const leaf = rest.pop()
  if (root === undefined || leaf === undefined) return undefined
  let checks = 0
  const extend = (chain: readonly Certificate[]): readonly Certificate[] | undefined => {
    const last = chain[chain.length - 1] as Certificate
    for (const issuer of [root, ...rest]) {
      if (chain.includes(issuer) || !isUsable(issuer, options)) continue
      if (!mayIssue(issuer, chain.length - 1) || ++checks > MAX_CHECKS) continue
      if (!hasIssued(issuer, last)) continue
      const longer = [...chain, issuer]
      const found = issuer === root ? longer : extend(longer)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (!isUsable(leaf, options)) return undefined
  if (
    options.host !== undefined &&
    new X509Certificate(leaf.raw).checkHost(options.host) === undefined
  ) {
    return undefined
  }
  return extend([leaf])
}
