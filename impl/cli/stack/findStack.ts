import { existsSync, statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { readStackDescription } from 'polgate-conformance/targets/targetFile.ts'
import { stackFileOf } from 'polgate-conformance/targets/wantedTarget.ts'
import { readStackFile } from 'polgate-local/stackFile.ts'
import { type RegisteredStack, runningStacks } from 'polgate-local/stackRegistry.ts'
import { CommandError } from '../commandDefinition.ts'
import { detail } from '../verbosity.ts'

/** Name and description of the option that chooses a stack. */
export const stackOption = [
  '--target <file>',
  'the description of a running stack (default: that of this folder or above, else the only one)',
] as const

/**
 * The running stack: the one of a given description, else of this folder or one above, else the only
 * one that runs on this machine.
 *
 * @throws CommandError if there is none, or several
 */
export async function findStack(given: string | undefined): Promise<RegisteredStack> {
  const found = given === undefined ? await discovered() : describedBy(given)
  detail(`stack described by ${found.file}`)
  return found
}

/** As `findStack`; undefined if none runs. @throws CommandError if there are several */
export async function findStackIfAny(): Promise<RegisteredStack | undefined> {
  const file = stackFileOf(process.cwd())
  const here = await readStackFile(file)
  if (here !== undefined) return { file, stack: here }
  const [first, ...others] = await runningStacks()
  if (first === undefined || others.length === 0) return first
  const all = [first, ...others]
  throw new CommandError(
    `${all.length} stacks are running:\n${all.map((each) => `  ${shownPath(each.file)}  ${each.stack.gatewayUrl}`).join('\n')}`,
    { hint: 'Choose one with --target FILE, or run the command in the folder of one of them.' },
  )
}

async function discovered(): Promise<RegisteredStack> {
  const found = await findStackIfAny()
  if (found !== undefined) return found
  throw new CommandError('no local stack is running', {
    hint: 'Run `polgate start`, or name a description with --target FILE.',
  })
}

function describedBy(given: string): RegisteredStack {
  const file = resolve(given)
  if (!existsSync(file)) {
    throw new CommandError(`${shownPath(file)} does not exist`, {
      hint: 'Name the .svc/stack.json that polgate start wrote.',
    })
  }
  const stack = statSync(file).isFile() ? readStackDescription(file) : undefined
  if (stack !== undefined) return { file, stack }
  throw new CommandError(`${shownPath(file)} is not the description of a stack`, {
    hint: 'Name the .svc/stack.json that polgate start wrote.',
  })
}

function shownPath(file: string): string {
  const path = relative(process.cwd(), file)
  return path.startsWith('..') || path === '' ? file : path
}
