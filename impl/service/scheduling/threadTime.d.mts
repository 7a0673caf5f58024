/** Types of threadTime.mjs, for those who import it from TypeScript. */

export function ownTimeFile(): string | undefined
export function cpuTimeMs(file: string | undefined): number | undefined
