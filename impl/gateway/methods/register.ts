import { createTask } from './createTask.ts'
import { getPrivacyPublicKey } from './getPrivacyPublicKey.ts'
import { getSecretsPublicKey } from './getSecretsPublicKey.ts'
import type { Handlers } from './handler.ts'
import { simulatePolicy } from './simulatePolicy.ts'
import { simulateTask } from './simulateTask.ts'

/** A handler for every row of the method table; the type fails when one is missing. */
export const handlers: Handlers = {
  createTask,
  simulateTask,
  simulatePolicy,
  getSecretsPublicKey,
  getPrivacyPublicKey,
}
