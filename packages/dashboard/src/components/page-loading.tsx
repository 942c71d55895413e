import { Skeleton, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import classes from './page.module.css';

/** A skeleton that flashes for less time is worse than nothing. */
const SHOW_AFTER = 150;

/** Returns true after something has been loading for a while. */
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
  /** Number of rows. */
  rows: number;
  /** Height of a row, in px. */
  height?: number;
}

/** A skeleton with the final height. It is invisible at first. */
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

/** Skeleton of a page whose code or data is loading. */
export function PageLoading() {
  return (
    <div className={classes.page}>
      <LoadingLines rows={10} height={28} />
    </div>
  );
}
