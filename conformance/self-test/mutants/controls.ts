import type { Trial } from 'polgate-conformance/proof/trial.ts'
import { clauses } from 'polgate-conformance/register/register.ts'
import { changedAnswer, door } from './doors.ts'
import type { Mutant } from './mutant.ts'

/** A trial whose outcome is known before: where it comes out otherwise, the others say nothing. */
export type Control = {
  readonly mutant: Mutant
  readonly expects: string
  readonly holds: (trial: Trial) => boolean
}

/** Clauses that every answer of the gateway bears on. */
const everyAnswer = ['4.1-06', '4.1-08']

/** The service without a fault, asked whatever the mutants of the campaign will be asked. */
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
    expects: 'a gateway that answers nothing is killed',
    holds: ({ verdict }) => verdict === 'killed',
  },
  {
    mutant: {
      id: 'control.same',
      fault: 'none, though it is wrapped as a fault would be',
      clauses: everyAnswer,
      parts: changedAnswer('*', (answer) => answer),
    },
    expects: 'a mutant equal to the original is void',
    holds: ({ verdict, failed }) => verdict === 'void' && failed.length === 0,
  },
  {
    mutant: {
      id: 'control.harmless',
      fault: 'says that it is one, and does nothing',
      clauses: everyAnswer,
      parts: (fire) =>
        door('gatewayDoor', (asked, pass) => {
          fire()
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
        throw new Error('as it should')
      },
    },
    expects: 'a mutant that does not boot is broken, not killed',
    holds: ({ verdict, reason }) => verdict === 'broken' && reason === 'as it should',
  },
]

/** Clauses that a mutant can be asked for: those with checks. */
export const askable: ReadonlySet<string> = new Set(
  clauses.filter(({ noCheck }) => noCheck === undefined).map(({ id }) => id),
)
