import type { Command } from 'commander'
import { describedChecks } from 'polgate-conformance/checks/described.ts'
import { tags } from 'polgate-conformance/core/tags.ts'
import { clauses } from 'polgate-conformance/register/register.ts'
import { bashScript } from './bashScript.ts'
import { completionModel, type Shell, type Words } from './completionModel.ts'
import { fishScript } from './fishScript.ts'
import { zshScript } from './zshScript.ts'

function words(): Words {
  const ids = clauses.map(({ id }) => id)
  return {
    checks: describedChecks.map(({ id }) => id).sort(),
    clauses: ids,
    sections: [...new Set(ids.map((id) => id.split('-')[0]!))],
    tags,
  }
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** Prints the completion script of a shell for the program with all its commands. */
export async function printCompletion(shell: Shell, program: Command): Promise<void> {
  process.stdout.write(scripts[shell](completionModel(program), words()))
}
