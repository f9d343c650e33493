// Which tests exist and how they run: `unit` beside the code, `stories` on the real engine.
// Knows nothing of what any test is about.
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
  moduleNameMapper: {
    '^pulumi-oneops$': '<rootDir>/sdk/index.ts',
    '^pulumi-oneops/dynamic$': '<rootDir>/provider/dynamic/index.ts',
  },
  resolver: '<rootDir>/test/source-resolver.cjs',
};

/** Stories of `make soak`: what they show on the engine, the suites in process show in every `make test`. */
const SOAKED = ['owner-and-guest', 'taking-over', 'yaml-options'];

module.exports = {
  maxWorkers: 2,
  testTimeout: 60_000,
  reporters: ['default', '<rootDir>/test/plain-summary-reporter.cjs'],
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/dist/', '<rootDir>/test/stories/'],
    },
    {
      ...shared,
      displayName: 'stories',
      testMatch: ['<rootDir>/test/stories/**/*.test.ts'],
      testPathIgnorePatterns: process.env['SOAK'] ? [] : SOAKED.map((name) => `/test/stories/${name}\\.test\\.ts$`),
      setupFilesAfterEnv: ['<rootDir>/test/stories-timeout.ts'],
    },
  ],
};
