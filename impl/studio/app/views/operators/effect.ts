import type {
  OperatorFault,
  OperatorReport,
  QuorumReport,
  QuorumStanding,
} from 'polgate-protocol/control/operators.ts'

/** What the buttons of an operator do. */
export type Action = 'stop' | 'start' | OperatorFault['kind']

export const actionTitles: Readonly<Record<Action, string>> = {
  stop: 'Stop',
  start: 'Start',
  none: 'Restore',
  delay: 'Delay',
  'lie-data': 'Lie about data',
  'lie-decision': 'Lie about the decision',
  refuse: 'Refuse',
}

const truthful: ReadonlySet<string> = new Set(['none', 'delay'])

/** The actions that change something now. */
export function actionsOf({ running, fault, noFaults }: OperatorReport): Action[] {
  const power: Action = running ? 'stop' : 'start'
  if (noFaults !== undefined) return [power]
  const faults: Action[] = ['delay', 'lie-data', 'lie-decision', 'refuse']
  const others = faults.filter((kind) => kind !== fault.kind || kind === 'delay')
  return [power, ...others, ...(fault.kind === 'none' ? [] : (['none'] as const))]
}

/** The quorum after an action on an operator. */
export function standingAfter(
  quorum: QuorumReport,
  { index, running, fault }: OperatorReport,
  action: Action,
): QuorumStanding {
  const member = quorum.operators.find((each) => each.index === index)
  if (member === undefined) return quorum.now
  const runs = action === 'start' || (running && action !== 'stop')
  const kind = action === 'start' || action === 'stop' ? fault.kind : action
  return runs && truthful.has(kind) ? member.with : member.without
}

/** Whether tasks succeed now, and would not after the action. */
export const breaksQuorum = (
  quorum: QuorumReport,
  operator: OperatorReport,
  action: Action,
): boolean => quorum.now.holds && !standingAfter(quorum, operator, action).holds

/** The fault in words. */
export const faultText = (fault: OperatorFault): string =>
  fault.kind === 'delay'
    ? `answers ${fault.delayMs} ms later`
    : {
        none: 'no fault',
        'lie-data': 'lies about data',
        'lie-decision': 'lies about decisions',
        refuse: 'refuses',
      }[fault.kind]

/** Share of the tasks that it took part in, in percent; undefined without one. */
export function agreementOf(activity: OperatorReport['activity']): number | undefined {
  const { agreed = 0, differed = 0 } = activity ?? {}
  return agreed + differed === 0 ? undefined : Math.floor((100 * agreed) / (agreed + differed))
}

/** A share of the total stake in percent; 0 of nothing. */
export function shareOf(stake: string, total: string): number {
  const whole = BigInt(total)
  return whole === 0n ? 0 : Number((BigInt(stake) * 10_000n) / whole) / 100
}
