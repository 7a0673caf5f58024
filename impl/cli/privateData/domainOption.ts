import { type Hex, keccak256, stringToHex } from 'viem'
import { CommandError } from '../commandDefinition.ts'

/** Name and description of the option that chooses a domain. */
export const domainOption = [
  '--domain <domain>',
  'domain of the data: 32 bytes of hex, or a name, which stands for its keccak256 hash',
] as const

/** A domain of 32 bytes. @throws CommandError */
export function domainOf(text: string): Hex {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase() as Hex
  if (/^[A-Za-z][\w.-]{0,63}$/.test(text)) return keccak256(stringToHex(text))
  throw new CommandError(`--domain '${text.slice(0, 80)}' is not a domain`, {
    hint: 'Use 0x and 64 hex digits, or a name of letters, digits, dots, hyphens and underscores.',
  })
}
