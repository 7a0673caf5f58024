import { describedChecks } from 'polgate-conformance/checks/described.ts'
import { tags } from 'polgate-conformance/core/tags.ts'
import { clauses } from 'polgate-conformance/register/register.ts'
import type { Shell } from '../completion.ts'
import { programDefinition } from '../main.ts'
import { programOf } from '../program.ts'
import { bashScript } from './bashScript.ts'
import { completionModel, type WordList } from './completionModel.ts'
import { fishScript } from './fishScript.ts'
import { zshScript } from './zshScript.ts'

/** The words of each list, sorted. */
export type Words = Readonly<Record<WordList, readonly string[]>>

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

/** Prints the completion script of a shell. */
export async function printCompletion(shell: Shell): Promise<void> {
  const program = await programOf(programDefinition, () => true)
  process.stdout.write(scripts[shell](completionModel(program), words()))
}
