import { Argument, type Command } from 'commander'
import type { CommandDefinition } from './commandDefinition.ts'
import { type Shell, shells } from './completion/completionModel.ts'
import { suiteHelp } from './suite/suiteHelp.ts'

const examples = `
Examples:
  polgate completion bash > ~/.local/share/bash-completion/completions/polgate
  polgate completion zsh > ~/.zfunc/_polgate      with a line fpath+=~/.zfunc before compinit in .zshrc
  polgate completion fish > ~/.config/fish/completions/polgate.fish
  source <(polgate completion bash)               for this shell only

The script completes commands, options and values: ids of checks and clauses, sections, tags, levels. It
is that of this release: print it again after an upgrade.`

/** Prints a script that completes the command line in a shell. */
export const completion: CommandDefinition = {
  define(command: Command, wholeProgram) {
    command
      .addArgument(new Argument('<shell>', 'shell of the script').choices(shells))
      .addHelpText('after', suiteHelp(examples))
      .action(async (shell: Shell) => {
        const { printCompletion } = await import('./completion/printCompletion.ts')
        await printCompletion(shell, await wholeProgram())
      })
  },
}
