import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'packages/*/dist/',
      'docs-site/dist/',
      'packages/dashboard/src/api/*-schema.ts',
      'packages/client/src/schema.ts',
      'node_modules/',
      'coverage/',
      '.data/',
      '.tmp/',
      'openapi.json',
      // Its test compiles it, with types that the test generates.
      'test/openapi/generated-client/',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['*.mjs', '*.cjs', 'scripts/*.mjs', 'packages/dashboard/*.mjs'],
        },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      complexity: ['error', 15],
      // Callers fill the parameters of functions. Nest fills those of constructors, one for each injected repository.
      'no-restricted-syntax': [
        'error',
        {
          selector: ':function[params.length>5]:not(MethodDefinition[kind="constructor"] > *)',
          message: 'A function has at most 5 parameters.',
        },
        {
          selector: 'MethodDefinition[kind="constructor"] > FunctionExpression[params.length>8]',
          message: 'A class has at most 8 injected providers. Split it.',
        },
      ],
      '@typescript-eslint/consistent-type-imports': 'off',
      // Nest and TypeORM require classes for modules, controllers and entities.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: false }],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'Only src/platform/config reads the environment: inject Config.',
        },
      ],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^\\.{1,2}/(.*/)?packages/',
              message: 'Import a package of this repository by its name, @document-service/….',
            },
          ],
        },
      ],
      'no-console': 'error',
      // DTO classes describe the shape of responses. Presenters return plain objects of that shape.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  {
    // The environment is read here. Tools are not part of the service.
    files: [
      'src/platform/config/**',
      'src/entrypoints/boot/serve.ts',
      'src/entrypoints/cli/**',
      'test/**',
      'bench/**',
      'scripts/**',
      'packages/text-analysis/scripts/**',
      'packages/client/src/access.ts',
      'packages/dashboard/*.mjs',
      'ormconfig.ts',
      'jest.*.config.mjs',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // To be split: services that were merged, and the Markdown reader. Do not add files.
    files: [
      'packages/markdown/src/read-markdown.ts',
      'src/features/analysis/enhancements/enhancements.service.ts',
      'src/features/analysis/enhancements/suggestion-review.service.ts',
      'src/features/events/stream/event-streams.ts',
      'src/features/people/sessions/links/link-use.service.ts',
      'src/features/people/sessions/users/user-security.service.ts',
      'src/features/webhooks/delivery-log/deliveries.service.ts',
      'src/features/webhooks/delivery/send-delivery.ts',
      'src/features/webhooks/webhooks.service.ts',
    ],
    rules: { complexity: ['error', 25], 'no-restricted-syntax': 'off' },
  },
  {
    // Copying rows to plain objects is intended.
    files: ['src/features/**/*.{service,repository}.ts'],
    rules: { '@typescript-eslint/no-misused-spread': 'off' },
  },
  {
    // The dashboard is a program and exports nothing.
    files: ['test/dashboard-ui/**'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    // Tests read responses of any shape.
    files: ['test/**'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
    },
  },
  {
    files: [
      'bench/**',
      'scripts/**',
      'packages/text-analysis/scripts/**',
      'test/container/try-image.ts',
      'test/upgrade/release-dump.ts',
    ],
    rules: { 'no-console': 'off' },
  },
  {
    // Runs in the browser unchanged.
    files: ['docs-site/assets/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      parserOptions: { projectService: false },
      globals: {
        AbortController: 'readonly',
        addEventListener: 'readonly',
        document: 'readonly',
        fetch: 'readonly',
        FormData: 'readonly',
        localStorage: 'readonly',
        location: 'readonly',
        matchMedia: 'readonly',
        navigator: 'readonly',
        requestAnimationFrame: 'readonly',
        ResizeObserver: 'readonly',
        scrollBy: 'readonly',
        sessionStorage: 'readonly',
        setTimeout: 'readonly',
        TextDecoderStream: 'readonly',
        URL: 'readonly',
        window: 'readonly',
      },
    },
  },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        window: 'readonly',
        document: 'readonly',
        URL: 'readonly',
      },
    },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { globals: { require: 'readonly', exports: 'writable' } },
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
