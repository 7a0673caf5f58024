import { relative } from 'node:path'
import { AppError } from 'polgate-lib/errors/appError.ts'
import { errorText } from 'polgate-lib/errors/errorText.ts'
import { stringifyExact } from 'polgate-protocol/exactJson.ts'
import { RegoError } from 'polgate-rego/errors.ts'
import { loadPolicyPackage } from '../package/loadPolicyPackage.ts'
import type { PolicyPackage } from '../package/policyPackage.ts'
import { withClientErrors } from '../stack/asCommandFailure.ts'
import { clientOf } from '../stack/serviceTarget.ts'
import { affectedTests, type ChangeKind, changeKinds, mayDecideOtherwise } from './changeKinds.ts'
import type { Decision, DevEvent, Report, Stage } from './devEvents.ts'
import { type CheckedPackage, createDevPublisher } from './devPublisher.ts'
import type { DevStack } from './devStack.ts'
import { devTests } from './devTests.ts'
import { decisionOf, type LastIntent, lastIntent } from './lastIntent.ts'
import type { RunFacts } from './rerun.ts'

export type DevSession = {
  /**
   * Does what a change needs, and reports it; an error too.
   *
   * @returns whether everything was done
   * @throws the reason of the signal
   */
  readonly run: (changed: readonly string[], about: RunFacts) => Promise<boolean>
}

/** A package that is developed on a stack: what is in force, and what was decided last. */
export async function createDevSession(
  stack: DevStack,
  folder: string,
  { report: tell, tests }: { readonly report: Report; readonly tests: boolean },
): Promise<DevSession> {
  const { target } = stack
  /** Whether the run has reported anything: files that are nothing to the package are not mentioned. */
  let reported = false
  const report: Report = (event) => {
    reported = true
    tell(event)
  }
  let stage: Stage = 'package'
  const enter = (next: Stage) => {
    stage = next
  }
  const publisher = await createDevPublisher(stack, { report, stage: enter })
  const client = clientOf(target)
  /** What is in force; undefined before the first one, and after a failure that may have changed something. */
  let inForce: CheckedPackage | undefined
  /** The decision by what is in force. */
  let last: { readonly intent: string; readonly decision: Decision } | undefined

  /** The decision by the version before, also on a task that came from elsewhere meanwhile. */
  async function decisionBefore(signal: AbortSignal): Promise<Decision | null> {
    const version = publisher.current()
    if (version === undefined || inForce === undefined) return null
    const intent = await lastIntent(target, version.client, inForce.given).catch(() => undefined)
    if (intent === undefined) return last?.decision ?? null
    if (last?.intent === keyOf(intent)) return last.decision
    return await decisionOf(client, intent, signal)
  }

  async function decide(given: PolicyPackage, from: Decision | null, job: RunFacts): Promise<void> {
    enter('evaluate')
    const intent = await lastIntent(target, publisher.current()!.client, given)
    if (intent === undefined) {
      const hint = 'Create a task, or add intent or cases to policy.yaml.'
      report({ event: 'note', message: `no intent to evaluate. ${hint}` })
      return
    }
    const after = await decisionOf(client, intent, job.signal)
    last = { intent: keyOf(intent), decision: after }
    const { from: source, name } = intent.about
    const shown = source === 'file' ? relative(given.directory, name) : name
    report({
      ...{ event: 'decision', intent: { from: source, name: shown }, before: from, after },
      ms: Math.round(performance.now() - job.since),
    })
  }

  async function work(changed: readonly string[], job: RunFacts): Promise<boolean> {
    const { signal } = job
    enter('package')
    const given = await loadPolicyPackage(folder).catch((error) => {
      // What a missing or broken file is for is known once it is repaired.
      report(changedOf(changed, folder, []))
      throw error
    })
    const found = changeKinds(changed, given, inForce?.mocks.files ?? [])
    if (found.size === 0) return true
    const kinds = new Set([...found.values()].flatMap((each) => [...each]))
    report(changedOf([...found.keys()], given.directory, [...kinds]))
    if (mayDecideOtherwise(kinds)) {
      const checked = await publisher.check(given, signal)
      const from = await decisionBefore(signal)
      await publisher.apply(checked, signal)
      inForce = checked
      await decide(given, from, job)
    }
    if (!tests) return true
    const parts = affectedTests(kinds)
    if (given.tests.length === 0 && given.cases === undefined) return true
    enter('tests')
    report(await devTests(folder, parts, signal))
    return true
  }

  return {
    async run(changed, about) {
      const { signal } = about
      let done = false
      reported = false
      try {
        done = await withClientErrors(() => work(changed, about))
      } catch (error) {
        signal.throwIfAborted()
        const { message, hint } = described(error)
        const policy = publisher.current()?.policy ?? null
        const text = message.slice(0, longestMessage)
        report({ event: 'error', stage, message: text, hint, inForce: policy })
      }
      signal.throwIfAborted()
      if (reported) report({ event: 'waiting' })
      return done
    },
  }
}

const keyOf = ({ asked }: LastIntent): string => stringifyExact(asked)

const changedOf = (
  files: readonly string[],
  directory: string,
  kinds: readonly ChangeKind[],
): DevEvent => ({
  event: 'changed',
  files: files.map((file) => relative(directory, file)),
  kinds,
})

function described(error: unknown): { readonly message: string; readonly hint: string | null } {
  if (error instanceof RegoError)
    return { message: error.text, hint: 'polgate rego check shows all errors.' }
  if (error instanceof AppError) return { message: error.message, hint: error.hint ?? null }
  return { message: errorText(error).replace(/^error: /, ''), hint: null }
}

const longestMessage = 4_000
