import { hostileGuest } from './hostileCases.fixture.ts'

hostileGuest('no-component')
