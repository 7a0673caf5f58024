import type { ViewFlow } from './studioContext.ts'

export const playgroundFlow: ViewFlow = async (_page, { show }) => show('playground')
