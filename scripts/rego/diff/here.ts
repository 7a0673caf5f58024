import type { Builtin } from 'polgate-rego/builtins/builtin.ts'
import { profileBuiltins } from 'polgate-rego/builtins/capabilities.ts'
import type { ProfileName } from 'polgate-rego/builtins/profiles.ts'
import type { Dialect } from 'polgate-rego/compile/dialect.ts'
import { createEngine } from 'polgate-rego/engine.ts'
import { LimitError, RegoError } from 'polgate-rego/errors.ts'
import { stringify } from 'polgate-rego/values/json.ts'
import { type Answer, type DiffProgram, type PeerName, valueAnswer } from './answers.ts'

/** The profile that is compared with each peer. */
export const PROFILE_OF: Readonly<Record<PeerName, ProfileName>> = {
  opa: 'opa-1.2',
  regorus: 'service',
}

const LIMITS = { deadlineMs: 5_000, steps: 1e8, memoryBytes: 256 * 1024 * 1024 }

/** This engine in one profile, with counts of the built-ins that returned a value. */
export class Here {
  readonly answered = new Map<string, number>()
  private readonly builtins: ReadonlyMap<string, Builtin>
  private readonly dialect: Dialect

  /** `replaced`: built-ins in place of those of the same name, for a defect to be found. */
  constructor(profile: ProfileName, replaced: readonly Builtin[] = []) {
    this.dialect = profile === 'service' ? 'engine-0.9' : 'opa-1.2'
    const all = new Map(profileBuiltins(profile))
    for (const builtin of replaced) all.set(builtin.name, builtin)
    this.builtins = new Map([...all].map(([name, builtin]) => [name, this.counted(builtin)]))
  }

  private counted(builtin: Builtin): Builtin {
    return {
      ...builtin,
      call: (ctx, ...args) => {
        const result = builtin.call(ctx, ...args)
        if (result !== undefined) {
          this.answered.set(builtin.name, (this.answered.get(builtin.name) ?? 0) + 1)
        }
        return result
      },
    }
  }

  answer({ modules, query, input, data, strict }: DiffProgram): Answer {
    try {
      const engine = createEngine({
        modules,
        builtins: this.builtins,
        dialect: this.dialect,
        limits: LIMITS,
        strict,
        nowNs: () => 1_700_000_000_000_000_000n,
        seed: () => new Uint8Array(16),
        ...(data === undefined ? {} : { dataJson: data }),
      })
      const [row] = engine.prepare(query).evaluate(input === undefined ? {} : { inputJson: input })
      const value = row?.expressions[0]?.value
      return value === undefined ? { kind: 'undefined' } : valueAnswer(stringify(value))
    } catch (error) {
      if (error instanceof LimitError) return { kind: 'none', message: error.message }
      if (!(error instanceof RegoError)) throw error
      // A fault of the engine is an answer that no peer gives.
      const { code, cause } = error
      const why =
        code === 'eval_internal_error' && cause instanceof Error ? `: ${cause.message}` : ''
      return { kind: 'error', codes: [code], message: `${error.message}${why}` }
    }
  }
}
