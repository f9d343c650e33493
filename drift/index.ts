// The door of drift reviews: what a review finds, how it is made, shown and decided on.
// It must not know the commands that use it.
export * from './preview';
export * from './review';
