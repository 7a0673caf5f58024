import type { BuildOptions, Plugin } from 'esbuild'

/** How esbuild makes one script of a module, for `loadScript`; with `scriptPlugins`. */
export declare const scriptOptions: Pick<
  BuildOptions,
  'format' | 'splitting' | 'minifyWhitespace' | 'charset' | 'supported' | 'banner' | 'footer'
>
/** Before other plugins. */
export declare const scriptPlugins: readonly Plugin[]
