// What the linter holds every file to; each rule here stands for a line of CONTRIBUTING.md.
// Formatting is Prettier's business and has no rule here.
import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

const nodeGlobals = Object.fromEntries(
  [
    'AbortController',
    'AbortSignal',
    'Buffer',
    'URL',
    'clearInterval',
    'clearTimeout',
    'console',
    'fetch',
    'process',
    'setImmediate',
    'setInterval',
    'setTimeout',
    'structuredClone',
  ].map((name) => [name, 'readonly']),
);

const commonJsGlobals = { __dirname: 'readonly', __filename: 'readonly', module: 'writable', require: 'readonly' };

const browserGlobals = { document: 'readonly', location: 'readonly', navigator: 'readonly', window: 'readonly' };

const noDefaultExport = { selector: 'ExportDefaultDeclaration', message: 'Export by name: one spelling everywhere.' };

const noModuleState = {
  selector:
    'Program > VariableDeclaration[kind="let"], Program > ExportNamedDeclaration > VariableDeclaration[kind="let"]',
  message: 'No mutable state at module level: hand it in, or keep it in the one host file of provider/faces/dynamic.',
};

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'node_modules/', 'sdks/', '**/fixtures/', '**/golden/', 'templates/'] },
  // The code style has no switch-offs in comments: a rule that does not fit is discussed here.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/consistent-type-exports': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      // The types of jest are a namespace, and a matcher of ours has to be declared in it.
      '@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      // The host replaces a function of a module of the SDK. In a bundle, a namespace is a copy of the module.
      '@typescript-eslint/no-require-imports': ['error', { allowAsImport: true }],
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/return-await': ['error', 'error-handling-correctness-only'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // An async function without await turns every throw into a rejection: wanted at the doors.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', noDefaultExport, noModuleState],
      'no-empty': ['error', { allowEmptyCatch: false }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
    },
  },
  {
    // The one folder with a file that contains state for the life of a process.
    files: ['provider/faces/dynamic/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', noDefaultExport] },
  },
  {
    // The faces to a person: writing to the terminal is their work.
    files: ['cli/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // jest's matchers (`expect.any`, `expect.objectContaining`) and parsed output are `any`.
    files: ['**/*.test.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-console': 'off',
      'no-restricted-syntax': ['error', noDefaultExport],
    },
  },
  {
    // Programs that a person copies: Pulumi's own template settings are theirs, not ours.
    files: ['examples/**/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { 'no-console': 'off', 'no-restricted-syntax': 'off' },
  },
  { files: ['**/*.{js,cjs,mjs}'], languageOptions: { globals: nodeGlobals } },
  { files: ['**/*.{js,cjs}'], languageOptions: { sourceType: 'commonjs', globals: commonJsGlobals } },
  {
    // Runs in the reader's browser, in old ones, too.
    files: ['**/assets/*.js'],
    languageOptions: { sourceType: 'script', globals: browserGlobals },
  },
);
