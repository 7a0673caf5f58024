/** Metadata from a policy's author (section 2.10); null for absent members. */
export type PolicyMetadata = {
  readonly name: string | null
  readonly version: string | null
  readonly author: string | null
  readonly description: string | null
}

export const noMetadata: PolicyMetadata = {
  name: null,
  version: null,
  author: null,
  description: null,
}

/** Maximum characters shown; lists contain many policies. */
const maxLength = { name: 200, version: 64, author: 200, description: 4_000 }

/** The shown members of a JSON object from an untrusted author. */
export function parsePolicyMetadata(file: Uint8Array): PolicyMetadata {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(file))
  } catch {
    return noMetadata
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return noMetadata
  const members = value as Record<string, unknown>
  return {
    name: textOf(members.name, maxLength.name),
    version: textOf(members.version, maxLength.version),
    author: textOf(members.author, maxLength.author),
    description: textOf(members.description, maxLength.description),
  }
}

/** Replaces characters that the database cannot store: NUL and lone surrogates. */
function textOf(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null
  const text = value.slice(0, most).replace(/[\ud800-\udbff]$/, '')
  return text.replace(/\p{Surrogate}|\0/gu, '\ufffd')
}
