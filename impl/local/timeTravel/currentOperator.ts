import type { OperatorSwitch } from '../operatorSwitch.ts'

/** The operator of the service that runs now. */
export const currentOperator = (current: () => OperatorSwitch): OperatorSwitch => ({
  get address() {
    return current().address
  },
  get id() {
    return current().id
  },
  get running() {
    return current().running
  },
  stop: () => current().stop(),
  start: () => current().start(),
})
