// The door of the pull.
// It must not know anything beyond it.
export { newPlatforms, PULL_DURATION, pullDesign } from './pull';
