import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import classes from './page.module.css';
import { FailureAlert } from './failure-alert.js';

/** Replaces a page that threw an error. */
export function PageFailure({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const boundary = useQueryErrorResetBoundary();
  const tryAgain = () => {
    boundary.reset();
    reset();
    void router.invalidate();
  };
  return (
    <div className={classes.page}>
      <FailureAlert error={error} onRetry={tryAgain} />
    </div>
  );
}
