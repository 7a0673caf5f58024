import { spawnSync } from 'node:child_process'

/** The command `opa`, from OPA or the path; undefined if not found. */
export function findOpa(): string | undefined {
  const command = process.env.OPA ?? 'opa'
  return spawnSync(command, ['version']).error === undefined ? command : undefined
}
