import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('silent-server')
