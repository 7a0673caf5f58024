import { fromJson } from 'polgate-rego/values/json.ts'
import type { Value } from 'polgate-rego/values/value.ts'

/** What `opa.runtime()` is in a command of OPA 1.2; the service has nothing there. */
export const opaRuntime = (profile: string): { readonly runtime?: Value } =>
  profile === 'service'
    ? {}
    : {
        runtime: fromJson({
          ...{ authorization_enabled: false, commit: '', version: '1.2.0' },
          env: { ...process.env },
        }),
      }
