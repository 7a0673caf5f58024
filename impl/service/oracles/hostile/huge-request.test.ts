import { hostileGuest } from './hostileCases.fixture.ts'

hostileGuest('huge-request')
