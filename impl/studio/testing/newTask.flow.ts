import type { ViewFlow } from './studioContext.ts'

export const newTaskFlow: ViewFlow = async (_page, { show }) => show('newTask')
