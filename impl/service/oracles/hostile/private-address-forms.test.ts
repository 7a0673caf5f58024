import { hostileRequests } from './hostileCases.fixture.ts'

hostileRequests('private-address-forms')
