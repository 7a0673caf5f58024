import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('private-redirect')
