import type { AddHelpTextContext, Command } from 'commander'
import { suiteName } from './suiteName.ts'

/**
 * Help text, or a part of it, of a command that both packages have, as `polgate` shows it. That of the suite
 * shows its own name in the examples.
 *
 * @param withoutStack what the package of the suite, which cannot start a local stack, shows in place of a text
 */
export const suiteHelp =
  (text: string, withoutStack: Readonly<Record<string, string>> = {}) =>
  ({ command }: Pick<AddHelpTextContext, 'command'>): string =>
    programOf(command).name() === suiteName ? ofSuite(text, withoutStack) : text

function ofSuite(text: string, withoutStack: Readonly<Record<string, string>>): string {
  const replaced = Object.entries(withoutStack).reduce(
    (before, [from, to]) => before.replaceAll(from, to),
    text,
  )
  return replaced.replaceAll(/polgate(?!-conformance)/g, suiteName)
}

const programOf = (command: Command): Command =>
  command.parent === null ? command : programOf(command.parent)
