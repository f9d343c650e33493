// The door of the pull.
export { newPlatforms, PULL_DURATION, pullDesign, type PullRequest } from './pull';
