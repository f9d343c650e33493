// Gives a story, a whole life of a stack on the real engine, the time it needs on a slow machine.
// A project of jest's configuration has no time limit of its own to set.
jest.setTimeout(10 * 60_000);
