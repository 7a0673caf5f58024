import { runQuick } from './quickProgram.ts'
import { mergeCommands } from './suite/mergeCommands.ts'

/** `polgate merge` alone: its sources are a tenth of those of `main.ts`, and it needs no packages of the service. */
export const run = (argv: readonly string[]): Promise<void> => runQuick(argv, mergeCommands)
