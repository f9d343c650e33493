// How tests run: `unit` in this process, `stories` on the real engine. Which of them a command runs
// says test/tiers/tiers.cjs.
const shared = {
  rootDir: __dirname,
  testEnvironment: 'node',
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleFileExtensions: ['ts', 'js', 'cjs', 'mjs', 'json', 'node'],
  runner: '<rootDir>/test/tiers/shared-modules-runner.cjs',
  moduleNameMapper: {
    '^pulumi-oneops$': '<rootDir>/sdk/index.ts',
    '^pulumi-oneops/dynamic$': '<rootDir>/provider/faces/dynamic/index.ts',
  },
  resolver: '<rootDir>/test/source-resolver.cjs',
  setupFilesAfterEnv: ['<rootDir>/test/exit-matcher.ts', '<rootDir>/test/fixed-seed.ts'],
  // Other packages of this name: the bundled plugins, and one that a benchmark compares with.
  modulePathIgnorePatterns: ['<rootDir>/dist/plugins/', '<rootDir>/test/bench/engine/at-once/'],
};

module.exports = {
  maxWorkers: 2,
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/test/tiers/summary-reporter.cjs'],
  testSequencer: '<rootDir>/test/tiers/longest-first.cjs',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/test/engine/'],
    },
    {
      ...shared,
      displayName: 'stories',
      testMatch: ['<rootDir>/test/engine/**/*.test.ts'],
      setupFilesAfterEnv: [...shared.setupFilesAfterEnv, '<rootDir>/test/stories-setup.ts'],
    },
  ],
};
