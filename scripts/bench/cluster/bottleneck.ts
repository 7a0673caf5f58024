import { type Kind, kinds, type UsageBetween } from './usage.ts'

export type Bottleneck = {
  /** The saturated kind of process, `cores` if all cores are, `none` if nothing is. */
  readonly name: Kind | 'cores' | 'none'
  readonly why: string
}

/** From this part of a core on a main thread is saturated, and of all cores the machine. */
const saturated = 0.9

/**
 * What limits the throughput first. A saturated main thread limits its kind even on a machine with
 * free cores; with all cores in use, no kind can be told to be the limit.
 */
export function bottleneckOf(
  usage: Pick<UsageBetween, 'total' | 'busiestThread' | 'machine' | 'own'>,
) {
  const percent = (part: number) => `${(part * 100).toFixed(0)} %`
  const sum = kinds.reduce((all, kind) => all + usage.total[kind], 0)
  const [largest] = [...kinds].sort((a, b) => usage.total[b] - usage.total[a])
  const [thread] = Object.entries(usage.busiestThread).sort(([, a], [, b]) => b - a)
  const others = Math.max(0, usage.machine - usage.own)
  const share = `by others ${percent(others)}; most of the rest ${largest}, ${percent(usage.total[largest!] / sum)}`
  if (usage.machine >= saturated)
    return bottleneck('cores', `${percent(usage.machine)} of all cores in use, ${share}`)
  if (thread !== undefined && thread[1] >= saturated)
    return bottleneck(thread[0] as Kind, `a main thread uses ${percent(thread[1])} of a core`)
  return bottleneck('none', `${percent(usage.machine)} of all cores in use: callers wait`)
}

const bottleneck = (name: Bottleneck['name'], why: string): Bottleneck => ({ name, why })
