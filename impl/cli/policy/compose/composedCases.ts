import type { CasesFile, DecisionCase } from '../../package/casesSchema.ts'
import { changed, readIntent } from '../../package/resolvedCase.ts'
import { parseJson } from '../inputFiles.ts'
import { loadCases } from '../test/loadCases.ts'
import type { ComposedPart } from './composedPolicy.ts'

/**
 * The decision table: the intent is allowed, and whatever one of the policies refuses is refused, because all must
 * allow. Cases with arguments of their own are left out where other policies have some too: a task has one set of
 * arguments for all oracles.
 *
 * @throws CommandError
 */
export async function composedCases(parts: readonly ComposedPart[]): Promise<CasesFile> {
  const cases: DecisionCase[] = [{ name: 'the intent is allowed', expect: 'allow' }]
  for (const { given, namespace } of parts) {
    if (given.cases === undefined) continue
    const intent = await readIntent(given.intent)
    const { params: file } = given
    const othersHaveArguments = parts.some(
      (part) => part.given !== given && part.given.oracles.some(({ wasmArgs }) => wasmArgs),
    )
    const params = file === undefined ? {} : parseJson(file.path, file.text)
    for (const each of await loadCases(given.cases, given)) {
      const { place: _, allowsDespite: __, expect, ...own } = each
      if (expect === 'allow' || (own.wasmArgs && othersHaveArguments)) continue
      cases.push({
        ...own,
        name: `${given.name}: ${own.name}`.slice(0, 200),
        intent: changed(intent, own.intent),
        ...(own.params && { params: { [namespace]: changed(params, own.params) } }),
        expect: 'denyOrFail',
      })
    }
  }
  return { cases }
}
