import type { ViewFlow } from './studioContext.ts'

export const conformanceFlow: ViewFlow = async (_page, { show }) => show('conformance')
