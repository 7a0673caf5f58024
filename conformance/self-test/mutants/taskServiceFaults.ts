import type { CreateTaskParams } from 'polgate-protocol/methods/createTask.ts'
import type { TaskUpdate } from 'polgate-protocol/taskUpdate.ts'
import type { ServiceParts } from 'polgate-service/serviceParts.ts'
import type { TaskService } from 'polgate-service/tasks/taskService.ts'
import type { MarkFired } from './mutant.ts'

/** Replaces well-formed params of a task. */
export const taking =
  (change: (params: CreateTaskParams) => CreateTaskParams) =>
  (markFired: MarkFired): ServiceParts => {
    const taken = (params: CreateTaskParams) => {
      const instead = change(params)
      if (instead !== params) markFired()
      return instead
    }
    return {
      tasks: (tasks) => ({
        ...tasks,
        createTask: (params, caller) => tasks.createTask(taken(params), caller),
        sendTask: (params, caller) => tasks.sendTask(taken(params), caller),
      }),
    }
  }

/** Removes a member if it was sent. */
export const ignoring = (name: keyof CreateTaskParams) =>
  taking((params) => {
    if (params[name] === undefined) return params
    const { [name]: _, ...rest } = params
    return rest as CreateTaskParams
  })

/** Replaces one method of the task service; `ended` waits for the last update of a task. */
export const taskMethod =
  <M extends 'createTask' | 'sendTask'>(
    method: M,
    otherwise: (given: {
      readonly tasks: TaskService
      readonly ended: (taskId: string) => Promise<TaskUpdate>
      readonly markFired: MarkFired
    }) => TaskService[M],
  ) =>
  (markFired: MarkFired): ServiceParts => {
    const ends = new Map<string, TaskUpdate>()
    const waiting = new Map<string, (end: TaskUpdate) => void>()
    return {
      taskDeps(deps) {
        deps.updates.subscribeAll((news) => {
          if (news.kind !== 'update' || news.update.data.result === null) return
          ends.set(news.update.task_id, news.update)
          waiting.get(news.update.task_id)?.(news.update)
        })
        return deps
      },
      tasks: (tasks) => {
        const ended = (taskId: string) =>
          new Promise<TaskUpdate>((resolve) => {
            const end = ends.get(taskId)
            if (end === undefined) waiting.set(taskId, resolve)
            else resolve(end)
          })
        return { ...tasks, [method]: otherwise({ tasks, ended, markFired }) }
      },
    }
  }
