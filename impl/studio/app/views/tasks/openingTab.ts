import type { KnownTask } from './useTaskTrace.ts'

/** The tab with the reason: of a denial the policy, otherwise the path, where a failed part is selected. */
export const openingTab = ({ summary, path }: Pick<KnownTask, 'summary' | 'path'>): string =>
  summary?.decision?.allow === false && (path?.evaluations.length ?? 0) > 0 ? 'policy' : 'path'
