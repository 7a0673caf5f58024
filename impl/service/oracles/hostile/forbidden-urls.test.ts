import { hostileRequests } from './hostileCases.fixture.ts'

hostileRequests('forbidden-urls')
