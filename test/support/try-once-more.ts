// Real processes share two cores with the tests that watch them. A failed test is retried once, and the failure is shown.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
