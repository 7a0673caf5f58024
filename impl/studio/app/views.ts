import type { ComponentType } from 'preact'
import type { ViewProps } from './viewProps.ts'

export type View = {
  /** First part of the hash. */
  readonly path: string
  readonly title: string
  readonly load: () => Promise<ComponentType<ViewProps>>
}

/** The views, in the order of the navigation. Each is a chunk of its own. */
export const views: readonly View[] = [
  {
    path: 'tasks',
    title: 'Tasks',
    load: async () => (await import('./views/tasks/TasksView.tsx')).TasksView,
  },
  {
    path: 'playground',
    title: 'Playground',
    load: async () => (await import('./views/playground/PlaygroundView.tsx')).PlaygroundView,
  },
  {
    path: 'newTask',
    title: 'New task',
    load: async () => (await import('./views/newTask/NewTaskView.tsx')).NewTaskView,
  },
  {
    path: 'policies',
    title: 'Policies and clients',
    load: async () => (await import('./views/policies/PoliciesView.tsx')).PoliciesView,
  },
  {
    path: 'webhooks',
    title: 'Webhooks and updates',
    load: async () => (await import('./views/webhooks/WebhooksView.tsx')).WebhooksView,
  },
  {
    path: 'operators',
    title: 'Operators',
    load: async () => (await import('./views/operators/OperatorsView.tsx')).OperatorsView,
  },
  {
    path: 'chain',
    title: 'Chain',
    load: async () => (await import('./views/chain/ChainView.tsx')).ChainView,
  },
  {
    path: 'conformance',
    title: 'Conformance',
    load: async () => (await import('./views/conformance/ConformanceView.tsx')).ConformanceView,
  },
  {
    path: 'console',
    title: 'Console',
    load: async () => (await import('./views/console/ConsoleView.tsx')).ConsoleView,
  },
]
