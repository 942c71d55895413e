import { Button, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useSearchState } from '../search-state.js';
import classes from './filters.module.css';
import { ChoiceList } from './choice-list.js';
import { FilterPopover } from './filter-popover.js';
import { Icon } from './icons.js';
import { localTime, timeIn } from './typed-time.js';

/** URL parameters of a time range. They contain times in UTC. */
export interface TimeRangeNames {
  after: string;
  before: string;
}

const HOUR_MS = 3_600_000;
const CUSTOM = 'custom';

const RANGES = [
  ['1', 'Last hour'],
  ['24', 'Last 24 hours'],
  ['168', 'Last 7 days'],
  ['720', 'Last 30 days'],
  [CUSTOM, 'Custom range'],
] as const;

/** Returns "since 27 Nov, 12:42", "27 Nov, 12:42 to 28 Nov, 08:00", or undefined without a range. */
export function rangeName(after: string | undefined, before: string | undefined) {
  const [from, until] = [after, before].map((time) => time && nameOf(time));
  if (from === undefined && until === undefined) return undefined;
  if (until === undefined) return `since ${from ?? ''}`;
  return from === undefined ? `until ${until}` : `${from} to ${until}`;
}

const NAME = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function nameOf(time: string): string {
  const at = new Date(time);
  return Number.isNaN(at.getTime()) ? time : NAME.format(at);
}

/** Filters a list by time: a preset, or a range that is typed. */
export function TimeRangeMenu(names: TimeRangeNames) {
  return (
    <FilterPopover name="Time" rightSection={<Icon name="down" size={14} />}>
      {(close) => <RangeChoices {...names} onDone={close} />}
    </FilterPopover>
  );
}

function RangeChoices({ onDone, ...names }: TimeRangeNames & { onDone: () => void }) {
  const [, change] = useSearchState();
  const [isCustom, setCustom] = useState(false);
  const choose = (hours: string) => {
    if (hours === CUSTOM) {
      setCustom(true);
      return;
    }
    const from = new Date(Date.now() - Number(hours) * HOUR_MS);
    change({ [names.after]: from.toISOString(), [names.before]: undefined });
    onDone();
  };
  if (isCustom) return <CustomRange {...names} onDone={onDone} />;
  return <ChoiceList label="Time" choices={RANGES} onChoose={choose} />;
}

function CustomRange({ after, before, onDone }: TimeRangeNames & { onDone: () => void }) {
  const [state, change] = useSearchState();
  const [from, setFrom] = useState(localTime(state[after]));
  const [until, setUntil] = useState(localTime(state[before]));
  const [isSent, setSent] = useState(false);
  const problemOf = (text: string) =>
    isSent && text.trim() !== '' && timeIn(text) === undefined
      ? 'Enter a date and time, such as 2026-01-31 14:00.'
      : undefined;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    setSent(true);
    if ([from, until].some((text) => text.trim() !== '' && timeIn(text) === undefined)) return;
    change({ [after]: timeIn(from), [before]: timeIn(until) });
    onDone();
  };
  return (
    <form className={classes.typed} onSubmit={send} noValidate>
      <TextInput
        label="From"
        placeholder="2026-01-31 14:00"
        value={from}
        data-autofocus
        error={problemOf(from)}
        onChange={({ currentTarget }) => {
          setFrom(currentTarget.value);
        }}
      />
      <TextInput
        label="Until"
        description="In your time zone. Leave empty for now."
        placeholder="2026-01-31 18:00"
        value={until}
        error={problemOf(until)}
        onChange={({ currentTarget }) => {
          setUntil(currentTarget.value);
        }}
      />
      <Button type="submit" size="xs">
        Apply time
      </Button>
    </form>
  );
}
