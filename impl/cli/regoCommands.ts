import type { Commands } from './commandDefinition.ts'

/** Commands on policies, which need nothing of the service. */
export const regoCommands = {
  opa: {
    summary: 'test, check, format and evaluate policies as OPA does',
    group: 'Rego',
    isCommon: true,
    load: async () => (await import('./opa.ts')).opa,
  },
  rego: {
    summary: 'search policies for errors and for what fails open',
    group: 'Rego',
    isCommon: true,
    load: async () => (await import('./rego.ts')).rego,
  },
  regorus: {
    summary: 'evaluate policies with the engine of the service',
    group: 'Rego',
    isCommon: true,
    load: async () => (await import('./regorus.ts')).regorus,
  },
} satisfies Commands
