import { CommandError } from '../commandDefinition.ts'

/** @throws CommandError */
export function taskIdOf(text: string): `0x${string}` {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text.toLowerCase() as `0x${string}`
  throw new CommandError(`'${text.slice(0, 80)}' is not a task id`, {
    hint: 'A task id is 32 bytes of hex with 0x: polgate task create prints it.',
  })
}
