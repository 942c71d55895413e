import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { countOf } from '../../components/numbers.js';
import classes from './document-page.module.css';
import type { SessionView } from './editor/document-session.js';

interface SaveStateProps {
  view: SessionView;
  onSave: () => void;
}

/** Shows whether everything is saved, and if not, why and what happens next. */
export function SaveState({ view, onSave }: SaveStateProps) {
  const { state, presence } = view;
  const isFailing = state.status === 'Not saved' && state.failure !== undefined;
  return (
    <>
      <span
        role="status"
        aria-label="Saving"
        className={classes.saveState}
        data-status={state.status}
      >
        {wordsOf(view)}
        {isRateLimited(view) && state.retryAt !== undefined && (
          // Screen readers must not read it every second.
          <span aria-hidden>
            <Countdown until={state.retryAt} />
          </span>
        )}
      </span>
      {isFailing && presence === 'here' && (
        <Button
          size="compact-xs"
          variant="default"
          className={classes.retry}
          onMouseDown={(event) => {
            // Keeps the focus in the text.
            event.preventDefault();
          }}
          onClick={onSave}
        >
          Try again
        </Button>
      )}
    </>
  );
}

function wordsOf(view: SessionView): string {
  const { state, presence, storesDrafts, isUnsaved } = view;
  const { status, failure, conflicts, titleConflict } = state;
  if (presence !== 'here') {
    if (!isUnsaved) return '';
    return storesDrafts ? 'Not saved. Kept in this browser.' : `Not saved. ${NO_STORAGE}`;
  }
  if (status === 'New') return 'Not created yet';
  const held = conflicts.length + (titleConflict ? 1 : 0);
  if (status === 'Saved' && held > 0) return `Saved, except ${countOf(held, 'passage')}`;
  if (status !== 'Not saved' || !failure) return status;
  if (failure.isUnavailable)
    return storesDrafts ? 'Offline. Kept in this browser.' : `Offline. ${NO_STORAGE}`;
  if (isRateLimited(view)) {
    const window = failure.details.window ?? 'minute';
    return `Too many changes this ${window}. Saving again`;
  }
  return `Not saved: ${failure.message}`;
}

const NO_STORAGE = "This browser can't store drafts. Keep this tab open.";

function isRateLimited({ state: { failure, status }, presence }: SessionView): boolean {
  return presence === 'here' && status === 'Not saved' && failure?.status === 429;
}

/** Returns " in 12 s.". */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1_000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return ` in ${String(Math.max(1, Math.ceil((until - now) / 1_000)))} s.`;
}
