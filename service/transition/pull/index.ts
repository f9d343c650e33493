// The door of the pull.
// It must not know anything beyond it.
export { newPlatforms, pullDesign, type PullOutcome } from './pull';
