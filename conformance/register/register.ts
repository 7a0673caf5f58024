import { section1 } from './1-service.ts'
import { section2_1 } from './2.1-scalars.ts'
import { section2_2 } from './2.2-task-intent.ts'
import { section2_3 } from './2.3-policy-data-input.ts'
import { section2_4 } from './2.4-policy-task-data.ts'
import { section2_5 } from './2.5-task-result.ts'
import { section2_6 } from './2.6-simulation-results.ts'
import { section2_7 } from './2.7-secrets-schema.ts'
import { section2_8 } from './2.8-failure-notification.ts'
import { section2_9 } from './2.9-explorer-task.ts'
import { section2_10 } from './2.10-explorer-policy.ts'
import { section3 } from './3-states.ts'
import { section4_1 } from './4.1-conventions.ts'
import { section4_2 } from './4.2-create-task.ts'
import { section4_3 } from './4.3-send-task.ts'
import { section4_4 } from './4.4-simulate-task.ts'
import { section4_5 } from './4.5-store-encrypted-secrets.ts'
import { section4_6 } from './4.6-simulate-policy-data.ts'
import { section4_7 } from './4.7-simulate-with-client.ts'
import { section4_8 } from './4.8-simulate-policy.ts'
import { section4_9 } from './4.9-webhooks.ts'
import { section4_10 } from './4.10-sealed-data.ts'
import { section4_11 } from './4.11-asynchronous-channel.ts'
import { section4_12 } from './4.12-explorer.ts'
import { section5_1 } from './5.1-keys.ts'
import { section5_2 } from './5.2-ownership.ts'
import { section5_3 } from './5.3-secrets-handling.ts'
import { section5_4 } from './5.4-intent-signature.ts'
import { section5_5 } from './5.5-webhook-signature.ts'
import { section5_6 } from './5.6-explorer-keys.ts'
import { section6_1 } from './6.1-task-updates.ts'
import { section6_2 } from './6.2-failure-notifications.ts'
import { section6_3 } from './6.3-failure-types.ts'
import { section7_1 } from './7.1-standard-errors.ts'
import { section7_2 } from './7.2-service-errors.ts'
import { section7_3 } from './7.3-messages.ts'
import { section7_4 } from './7.4-http-statuses.ts'
import { section7_5 } from './7.5-conditions.ts'
import { section7_6 } from './7.6-explorer-errors.ts'
import { section8 } from './8-limits.ts'
import { section9 } from './9-versioning.ts'
import type { Clause } from './clause.ts'

/** Every clause of the sections that this suite covers, in the order of the specification. */
export const clauses: readonly Clause[] = [
  section1,
  section2_1,
  section2_2,
  section2_3,
  section2_4,
  section2_5,
  section2_6,
  section2_7,
  section2_8,
  section2_9,
  section2_10,
  section3,
  section4_1,
  section4_2,
  section4_3,
  section4_4,
  section4_5,
  section4_6,
  section4_7,
  section4_8,
  section4_9,
  section4_10,
  section4_11,
  section4_12,
  section5_1,
  section5_2,
  section5_3,
  section5_4,
  section5_5,
  section5_6,
  section6_1,
  section6_2,
  section6_3,
  section7_1,
  section7_2,
  section7_3,
  section7_4,
  section7_5,
  section7_6,
  section8,
  section9,
].flat()
