import { api } from './api.ts'

/** The control API of the local stack (`impl/local/README.md`). All functions throw ApiError. */
export const control = {
  get: <T>(path: string, signal?: AbortSignal) => api<T>(`/control${path}`, { signal }),
  post: <T>(path: string, body: unknown = {}) =>
    api<T>(`/control${path}`, { method: 'POST', body }),
  put: <T>(path: string, body: unknown) => api<T>(`/control${path}`, { method: 'PUT', body }),
  delete: <T>(path: string) => api<T>(`/control${path}`, { method: 'DELETE', body: {} }),
}
