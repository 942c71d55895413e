// Real processes share two cores with the tests that watch them: what fails once is tried again, and the failure is shown.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
