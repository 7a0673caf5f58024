/** Types of threadTime.mjs, for TypeScript importers. */

export function ownTimeFile(): string | undefined
export function cpuTimeMs(file: string | undefined): number | undefined
export function createThreadClock(): () => number
