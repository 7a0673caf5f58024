import type { Commands } from './commandDefinition.ts'

/** Commands on policies, which need nothing of the service. */
export const regoCommands = {
  regorus: {
    summary: 'evaluate and inspect policies with the engine of the service',
    load: async () => (await import('./regorus.ts')).regorus,
  },
  opa: {
    summary: 'run the unit tests of policies; format and check as OPA does',
    load: async () => (await import('./opa.ts')).opa,
  },
  rego: {
    summary: 'format policies, and search them for errors and for what fails open',
    load: async () => (await import('./rego.ts')).rego,
  },
} satisfies Commands
