import type { Builtin } from '../builtins/builtin.ts'
import { templateBuiltins } from '../builtins/renderTemplate.ts'

/** `strings.render_template` */
export const templates: readonly Builtin[] = templateBuiltins
