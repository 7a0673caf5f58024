import type { ViewFlow } from './studioContext.ts'

export const consoleFlow: ViewFlow = async (_page, { show }) => show('console')
