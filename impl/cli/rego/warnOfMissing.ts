import { missingBuiltins } from 'polgate-rego/report/availability.ts'
import type { Module } from 'polgate-rego/syntax/ast.ts'
import { colours } from '../colours.ts'
import type { UsedCapabilities } from './usedCapabilities.ts'

/** Warns about calls that the service would refuse (decision R11). */
export function warnOfMissing(
  modules: readonly Module[],
  { latest, service }: UsedCapabilities,
): void {
  for (const { name, location } of missingBuiltins(modules, latest, service)) {
    const { yellow, dim } = colours(process.stderr)
    const place = dim(`${location.file}:${location.row}:${location.col}`)
    console.error(`${yellow('warning:')} the service does not have ${name} ${place}`)
  }
}
