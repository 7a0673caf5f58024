import { hostilePeer } from './hostileCases.ts'

hostilePeer('crumbled-response')
