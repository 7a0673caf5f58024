import type { Trial } from 'polgate-conformance/proof/trial.ts'
import { clauses } from 'polgate-conformance/register/register.ts'
import type { Mutant } from './mutant.ts'
import { changedAnswer, wrapListener } from './wrappedListeners.ts'

/** A trial with a known outcome: if it differs, the other trials mean nothing. */
export type Control = {
  readonly mutant: Mutant
  readonly expects: string
  readonly holds: (trial: Trial) => boolean
}

/** Clauses that every response of the gateway must satisfy. */
const everyAnswer = ['4.1-06', '4.1-08']

/** The service without a fault, with all checks of the campaign. */
export const baseline = (asked: readonly string[]): Control => ({
  mutant: { id: 'control.baseline', fault: 'none', clauses: asked },
  expects: 'no check fails on the service without a fault',
  holds: ({ verdict, failed, asked: count }) =>
    verdict === 'void' && failed.length === 0 && count > 0,
})

export const controls: readonly Control[] = [
  {
    mutant: {
      id: 'control.canary',
      fault: 'answers every call with an internal error',
      clauses: everyAnswer,
      parts: changedAnswer('*', () => ({ error: { code: -32603, message: 'no' }, id: 0 })),
    },
    expects: 'a gateway without valid responses is killed',
    holds: ({ verdict }) => verdict === 'killed',
  },
  {
    mutant: {
      id: 'control.same',
      fault: 'has no fault, but the wrapper of one',
      clauses: everyAnswer,
      parts: changedAnswer('*', (answer) => answer),
    },
    expects: 'a mutant equal to the original is void',
    holds: ({ verdict, failed }) => verdict === 'void' && failed.length === 0,
  },
  {
    mutant: {
      id: 'control.harmless',
      fault: 'claims to be a fault, and does nothing',
      clauses: everyAnswer,
      parts: (markFired) =>
        wrapListener('wrapGatewayFetch', (asked, pass) => {
          markFired()
          return pass(asked.request)
        })(),
    },
    expects: 'a fault that no check can see survives',
    holds: ({ verdict, unproven }) =>
      verdict === 'survived' && unproven.length === everyAnswer.length,
  },
  {
    mutant: {
      id: 'control.dead',
      fault: 'does not boot',
      clauses: everyAnswer,
      config: () => {
        throw new Error('as expected')
      },
    },
    expects: 'a mutant that does not boot is broken, not killed',
    holds: ({ verdict, reason }) => verdict === 'broken' && reason === 'as expected',
  },
]

/** Clauses with checks, which a mutant can be tested for. */
export const testable: ReadonlySet<string> = new Set(
  clauses.filter(({ noCheck }) => noCheck === undefined).map(({ id }) => id),
)
