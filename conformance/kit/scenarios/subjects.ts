import { fixture } from './fixtures.ts'
import type { Subject } from './refusedMember.ts'
import { acceptedTask, taskParams } from './requests.ts'
import { acceptedSimulation, allowingPolicy, simulationParams } from './simulation.ts'
import { acceptedTaskSimulation, taskSimulationParams } from './taskSimulation.ts'
import { expectSent } from './updates.ts'

const needs = ['key:read', 'sender', 'chain', `client:${fixture.simple}`] as const

export const createTaskSubject: Subject<'createTask'> = {
  method: 'createTask',
  needs,
  twin: 'createTask with a valid value',
  params: (t) => taskParams(t),
  accepted: acceptedTask,
}

export const sendTaskSubject: Subject<'sendTask'> = {
  method: 'sendTask',
  needs,
  twin: 'sendTask with a valid value',
  params: (t) => taskParams(t),
  accepted: async (t) =>
    expectSent(await t.once('sent task', (gateway) => gateway.call('sendTask', taskParams(t)))),
}

export const simulatePolicySubject: Subject<'simulatePolicy'> = {
  method: 'simulatePolicy',
  needs,
  twin: 'simulatePolicy with a valid value',
  params: (t) => simulationParams(t, allowingPolicy),
  accepted: acceptedSimulation,
}

export const simulateTaskSubject: Subject<'simulateTask'> = {
  method: 'simulateTask',
  needs,
  twin: 'simulateTask with a valid value',
  params: (t) => taskSimulationParams(t),
  accepted: acceptedTaskSimulation,
}
