import { hostilePeer } from './hostileCases.fixture.ts'

hostilePeer('crumbled-response')
