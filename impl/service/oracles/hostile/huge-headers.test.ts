import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('huge-headers')
