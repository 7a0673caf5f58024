import type { Schema } from './schema.ts'

/** Members that hold a secret in plain text. */
const plain = /^(secret|password|passphrase|token|api_?key|private_?key|mnemonic)$/i
/** Members that hold secrets, sealed or not, of which nothing is kept. */
const kept = /^(secrets|envelope|ciphertext|sealed_?\w*)$/i

/** Whether a field hides what is typed. */
export const isPassword = (name: string, { format, writeOnly }: Schema): boolean =>
  plain.test(name) || format === 'password' || writeOnly === true

/** Whether the history leaves a member out. */
const isSensitive = (name: string): boolean => plain.test(name) || kept.test(name)

/** A copy in which the members with such names, at any depth, are replaced, or absent. */
function without(value: unknown, isHidden: (name: string) => boolean, instead?: string): unknown {
  if (Array.isArray(value)) return value.map((each) => without(each, isHidden, instead))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (!isHidden(name)) return [[name, without(member, isHidden, instead)]]
      return instead === undefined ? [] : [[name, instead]]
    }),
  )
}

/** Parameters as they are kept: without members that may hold secrets. */
export const withoutSecrets = (value: unknown): unknown => without(value, isSensitive)

/** Parameters as a command shows them: secrets in plain text are replaced. */
export const forCommand = (value: unknown): unknown =>
  without(value, (name) => plain.test(name), '<secret>')
