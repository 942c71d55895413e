import { Skeleton, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './page.module.css';

/** Sooner, a flash of grey is worse than nothing. */
const SHOW_AFTER = 150;

/** Whether something has been loading for long enough to say so. */
function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSlow(true);
    }, SHOW_AFTER);
    return () => {
      clearTimeout(timer);
    };
  }, []);
  return isSlow;
}

interface LinesProps {
  /** Rows of the final content. */
  rows: number;
  /** Their height, in px. */
  height?: number;
}

/** Grey lines of the final height; invisible for the first moment. */
export function LoadingLines({ rows, height = 20 }: LinesProps) {
  const isSlow = useIsSlow();
  return (
    <Stack gap="sm" role="group" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={height} visible={isSlow} animate={false}>
          &nbsp;
        </Skeleton>
      ))}
    </Stack>
  );
}

/** A whole page whose code or data is on its way. */
export function PageLoading() {
  return (
    <div className={classes.page}>
      <LoadingLines rows={10} height={28} />
    </div>
  );
}
