import type { LintContext, LintFault, LintRule } from '../lintRule.ts'
import { type Read, readsOf } from '../reads.ts'

export const oracleErrors: LintRule = {
  id: 'unhandled-oracle-error',
  title: 'an oracle whose error no rule reads',
  why: `An oracle that fails gives \`{"error": ...}\` instead of its output. Every condition on its members is
undefined then: a deny rule does not hold, and the policy allows what it could not check. Deny when the error
is there, or when a member that must be there is not.`,
  bad: [
    `package policy

deny contains "recipient is listed" if data.wasm.sanctions.listed`,
  ],
  good: [
    `package policy

deny contains "screening failed" if not screened

deny contains "recipient is listed" if data.wasm.sanctions.listed

screened if {
	not data.wasm.sanctions.error
	is_boolean(data.wasm.sanctions.listed)
}`,
  ],
  check: unhandledErrors,
}

function unhandledErrors({ program, policies }: LintContext): readonly LintFault[] {
  const reads = readsOf(program.tree, policies).filter(({ path }) => path[0] === 'wasm')
  // `some output in data.wasm` reads all of them.
  if (reads.some(({ path }) => path.length === 1)) return []
  const first = new Map<string, Read>()
  const handled = new Set<string>()
  for (const read of reads) {
    const [, pack = '', member] = read.path
    if (!first.has(pack)) first.set(pack, read)
    if (member === 'error' || (member === undefined && read.isArgument)) handled.add(pack)
  }
  return [...first]
    .filter(([pack]) => !handled.has(pack))
    .map(([pack, { span }]) => ({
      span,
      message: `the policy reads data.wasm.${pack}, but not its error`,
      help: `deny if the oracle failed: \`deny contains "${pack} failed" if data.wasm.${pack}.error\``,
    }))
}
