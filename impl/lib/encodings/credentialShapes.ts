/** Names of headers, members and parameters whose value is a key. */
const credentialName =
  /^(?:authorization|proxy-?authorization|cookie|set-cookie|auth)$|api[-_]?key|access[-_]?key|private[-_]?key|token|jwt|assertion|secret|passw|passphrase|mnemonic|seed[-_]?phrase|credential|bearer/i

/** Exceptions: similar names of public values. */
const publicName = /public|token[-_]?(?:id|address|symbol|name|uri|decimals?|in|out)$/i

export const isCredentialName = (name: string): boolean =>
  credentialName.test(name) && !publicName.test(name)

const jwt = /\b(eyJ[A-Za-z0-9_-]{8,})\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g
const isJwt = (text: string): boolean =>
  [...text.matchAll(jwt)].some(([, head]) => {
    try {
      const header: unknown = JSON.parse(Buffer.from(head!, 'base64url').toString())
      return typeof header === 'object' && header !== null && 'alg' in header
    } catch {
      return false
    }
  })

const isBasic = (text: string): boolean =>
  [...text.matchAll(/\bBasic\s+([A-Za-z0-9+/_-]{6,}={0,2})/gi)].some(([, word]) =>
    /^[\x20-\x7e]*:[\x20-\x7e]+$/.test(Buffer.from(word!, 'base64').toString('latin1')),
  )

/** Values that are recognizable as credentials by their format. */
const shapes: readonly { readonly what: string; readonly holds: (text: string) => boolean }[] = [
  { what: 'a JSON Web Token', holds: isJwt },
  { what: 'basic credentials', holds: isBasic },
  ...(
    [
      ['a private key in PEM', /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/],
      [
        'a password in a URL',
        /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/?#"'<>@:\\]*:[^\s/?#"'<>@\\\p{Cc}$]{1,}@/iu,
      ],
      ['an access key of AWS', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
      ['a token of GitHub', /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/],
      ['a token of GitLab', /\bglpat-[A-Za-z0-9_-]{16,}/],
      ['a token of Slack', /\bxox[abeprs]-[A-Za-z0-9-]{10,}/],
      ['a key of Google', /\bAIza[0-9A-Za-z_-]{35}/],
      ['a secret key', /\b(?:sk|rk|pk)[_-](?:live|test|proj|ant)[_-][A-Za-z0-9_-]{10,}/],
      ['a token of npm', /\bnpm_[A-Za-z0-9]{30,}/],
    ] as const
  ).map(([what, pattern]) => ({ what, holds: (text: string) => pattern.test(text) })),
]

/** The kinds of credentials in a text, recognized by the format of their values. */
export const credentialsIn = (text: string): readonly string[] =>
  shapes.flatMap(({ what, holds }) => (holds(text) ? [what] : []))

/** JSON members and parameters of forms and queries, anywhere in a text. */
export const namedValues = (text: string): readonly (readonly [name: string, value: string])[] =>
  [...text.matchAll(namedValue)].map(([, name, quoted, bare]) => [name!, quoted ?? bare ?? ''])
/** A lookahead, because the value may contain further names and values. */
const namedValue =
  /(?:^|[^A-Za-z0-9_-])([A-Za-z][A-Za-z0-9_-]{0,63})"?\s*[=:]\s*(?=(?:"([^"\\]*(?:\\[\s\S][^"\\]*)*)"|([^\s"'&;,{}[\]]+)))/g

/** Entropy of a text in bits, from its character frequencies. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const c of text) counts.set(c, (counts.get(c) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length)
  return bits
}

const contentId = /^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{50,})$/
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const isoTime = /^\d{4}-\d\d-\d\dT/

/**
 * A word of capitals, small letters and digits without a pattern, like a generated key. Hashes,
 * addresses, content ids and times do not match.
 */
export const isRandomWord = (word: string): boolean =>
  word.length >= 24 &&
  word.length <= 512 &&
  /^[A-Za-z0-9_~+/=.-]+$/.test(word) &&
  /[a-z]/.test(word) &&
  /[A-Z]/.test(word) &&
  (word.match(/\d/g)?.length ?? 0) >= 2 &&
  !/^(?:0x)?[0-9a-fA-F]+$/.test(word) &&
  !contentId.test(word) &&
  !uuid.test(word) &&
  !isoTime.test(word) &&
  changesOf(word) >= 0.4 * (word.length - 1)

/** How often a capital, a small letter or a digit follows another kind; rare in identifiers. */
function changesOf(word: string): number {
  const kinds = [...word].map((c) => (/\d/.test(c) ? 0 : /[a-z]/.test(c) ? 1 : 2))
  return kinds.filter((kind, i) => i > 0 && kind !== kinds[i - 1]).length
}
