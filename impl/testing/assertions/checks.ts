import { describeVerdict } from './describeVerdict.ts'
import { type TaskVerdict, taskVerdict } from './taskVerdict.ts'

/** Whether an expectation holds, and what to say where it does not, or where its opposite was expected. */
export type Checked = {
  readonly holds: boolean
  /** Neither the expectation nor its opposite can be said to hold. */
  readonly undecided: boolean
  readonly message: string
  readonly opposite: string
}

type Task = unknown

const checked = (
  verdict: TaskVerdict,
  what: { readonly holds: boolean; readonly undecided?: boolean; readonly expected: string },
): Checked => ({
  holds: what.holds,
  undecided: what.undecided ?? verdict.decision === 'undecided',
  message: `expected the task to ${what.expected}\n\n${describeVerdict(verdict)}`,
  opposite: `expected the task not to ${what.expected}\n\n${describeVerdict(verdict)}`,
})

/** Whether the policy allowed it. */
export async function checkAllowed(task: Task): Promise<Checked> {
  const verdict = await taskVerdict(task)
  return checked(verdict, { holds: verdict.decision === 'allowed', expected: 'be allowed' })
}

/** Whether the policy denied it with this reason, among others. */
export async function checkDeniedFor(task: Task, reason: string | RegExp): Promise<Checked> {
  const verdict = await taskVerdict(task)
  const matches = verdict.reasons.some((text) =>
    typeof reason === 'string' ? text === reason : text.search(reason) >= 0,
  )
  const expected = `be denied for ${typeof reason === 'string' ? JSON.stringify(reason) : reason}`
  const { decision, reasonsKnown } = verdict
  const undecided = decision === 'undecided' || (decision === 'denied' && !reasonsKnown)
  return checked(verdict, { holds: decision === 'denied' && matches, undecided, expected })
}

/** Whether a contract has used up its attestation. */
export async function checkSpent(task: Task): Promise<Checked> {
  const verdict = await taskVerdict(task)
  const { record } = verdict
  if (record !== undefined)
    return checked(verdict, { holds: record.spent, undecided: false, expected: 'be spent' })
  const error = verdict.error ?? 'no stack of this process has the task: was it restored since?'
  return checked({ ...verdict, error }, { holds: false, undecided: true, expected: 'be spent' })
}
