import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('invalid-http')
