// The tests share the processor with servers, workers and browsers. A failed test is retried once, and both failures are
// shown. `.ci/run` lists the tests that passed at the second try: each of them has a race to fix.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
