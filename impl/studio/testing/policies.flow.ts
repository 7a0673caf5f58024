import type { ViewFlow } from './studioContext.ts'

export const policiesFlow: ViewFlow = async (_page, { show }) => show('policies')
