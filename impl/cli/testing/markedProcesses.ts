import { readdirSync, readFileSync } from 'node:fs'

/** For tests: a variable of the environment that what a process starts inherits. */
export const markVariable = 'POLGATE_TEST_MARK'

/** Processes with this mark in their environment: what was started, however it is related. */
export function marked(mark: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
        if (!environment.includes(`${markVariable}=${mark}`)) return []
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        // A zombie has no command line, and holds nothing.
        return command === '' ? [] : [`${pid} ${command}`]
      } catch {
        return []
      }
    })
}
