import { api, type Target } from './api.ts'

let known: Target | undefined

/** Reads what this page shows; once, before anything is rendered. @throws ApiError */
export async function loadTarget(): Promise<Target> {
  known = await api<Target>('/target')
  return known
}

/** @throws Error before `loadTarget` */
export function target(): Target {
  if (known === undefined) throw new Error('the target is not loaded')
  return known
}
