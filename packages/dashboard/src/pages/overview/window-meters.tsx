import type { components } from '../../api/v1-schema.js';
import { Meter } from '../../components/meter.js';
import { Section } from '../../components/page.js';
import { useNow } from '../../components/time.js';
import { countdown } from './countdown.js';
import classes from './overview.module.css';

type Windows = components['schemas']['Windows'];

const WINDOWS = ['minute', 'hour', 'day'] as const;

interface WindowMetersProps {
  windows: Windows;
  /** By how much the reader's clock is ahead of the service's, in ms. */
  clockSkewMs: number;
}

/** Requests in the plan's three rate-limit windows, with the time until each resets. */
export function WindowMeters({ windows, clockSkewMs }: WindowMetersProps) {
  const now = new Date(useNow(1_000).getTime() - clockSkewMs);
  return (
    <Section title="Rate limits">
      <div className={classes.meters}>
        {WINDOWS.map((name) => (
          <WindowMeter key={name} name={name} now={now} {...windows[name]} />
        ))}
      </div>
    </Section>
  );
}

type WindowMeterProps = Windows['minute'] & { name: (typeof WINDOWS)[number]; now: Date };

function WindowMeter({ name, now, limit, used, resetAt }: WindowMeterProps) {
  const end = resetAt === null ? undefined : new Date(resetAt);
  const isOver = end === undefined || end <= now;
  return (
    <Meter
      name={`Requests this ${name}`}
      // A window that is over is empty until the next request begins another.
      used={isOver && used !== null ? 0 : used}
      limit={limit}
      hint={isOver ? 'starts with the next request' : `resets in ${countdown(end, now)}`}
    />
  );
}
