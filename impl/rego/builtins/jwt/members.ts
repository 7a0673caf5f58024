type Members = Readonly<Record<string, unknown>>

const isText = (value: unknown): boolean => typeof value === 'string'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const OPERATIONS: readonly unknown[] = [
  ...['sign', 'verify', 'encrypt', 'decrypt'],
  ...['wrapKey', 'unwrapKey', 'deriveKey', 'deriveBits'],
]
const areOperations = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => OPERATIONS.includes(each))

/** Base64 of URLs without padding; Go skips line ends. */
function isBase64(value: unknown): boolean {
  if (typeof value !== 'string') return false
  const text = value.replace(/[\r\n]/g, '')
  return /^[\w-]*$/.test(text) && text.length % 4 !== 1
}

type Types = Readonly<Record<string, (value: unknown) => boolean>>

const HEADER: Types = {
  cty: isText,
  jwk: isText,
  jku: isText,
  kid: isText,
  typ: isText,
  crit: isTexts,
  privateParams: isRecord,
}

const KEY: Types = {
  kid: isText,
  use: isText,
  crv: isText,
  key_ops: areOperations,
  privateParams: isRecord,
  ...Object.fromEntries(
    ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi', 'x', 'y', 'k'].map((name) => [name, isBase64]),
  ),
}

/** The first member of a type or form that OPA does not take. Null stands for one that is not given. */
const invalidIn =
  (types: Types) =>
  (members: Members): string | undefined =>
    Object.entries(types).find(([name, isValid]) => {
      const value = Object.hasOwn(members, name) ? members[name] : undefined
      return value !== undefined && value !== null && !isValid(value)
    })?.[0]

/** The name of an invalid member of a header, if there is one. */
export const invalidInHeader = invalidIn(HEADER)

/** The name of an invalid member of a JSON Web Key, if there is one. */
export const invalidInKey = invalidIn(KEY)
