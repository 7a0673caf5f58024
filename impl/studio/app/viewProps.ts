import type { Route } from './data/useRoute.ts'

/** What every view is given: its place in the page. */
export type ViewProps = { readonly route: Route }
