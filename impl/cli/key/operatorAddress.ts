import { Value } from '@sinclair/typebox/value'
import { Address } from 'polgate-protocol/scalars.ts'
import { CommandError } from '../commandDefinition.ts'

/** The address of an operator by its number from 0, or by its address. @throws CommandError */
export function operatorAddress(
  text: string,
  operators: readonly { readonly address: Address }[],
): Address {
  const byNumber = /^\d{1,3}$/.test(text) ? operators[Number(text)] : undefined
  const found =
    byNumber ?? operators.find(({ address }) => address.toLowerCase() === text.toLowerCase())
  if (found !== undefined) return found.address
  if (operators.length === 0 && Value.Check(Address, text)) return text
  throw new CommandError(`'${text.slice(0, 60)}' is not an operator`, {
    hint:
      operators.length === 0
        ? 'With --directory, name it by its address.'
        : `Use a number from 0 to ${operators.length - 1}, or an address.`,
  })
}
