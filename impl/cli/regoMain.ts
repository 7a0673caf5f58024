import { runQuick } from './quickProgram.ts'
import { regoCommands } from './regoCommands.ts'

/**
 * The commands on policies alone, `polgate regorus ...`: what they load is a tenth of `main.ts`, and
 * their start is most of their time.
 */
export const run = (argv: readonly string[]): Promise<void> => runQuick(argv, regoCommands)
