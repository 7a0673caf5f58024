import type { Address } from 'polgate-protocol/scalars.ts'

/** Who asks: the key, and whose policy clients it may use (sections 5.1, 5.2). Owners in lower case. */
export type Caller = { readonly keyId: string; readonly owners: readonly Address[] }
