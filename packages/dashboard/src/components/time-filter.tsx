import { TextInput } from '@mantine/core';
import { useSearchState } from '../search-state.js';

/** Returns a time as the value of a browser's date field: in local time, to the minute. */
function localOf(iso: string | undefined): string {
  const time = new Date(iso ?? '');
  if (Number.isNaN(time.getTime())) return '';
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** A time filter in local time. The URL stores it in UTC. */
export function TimeFilter({ label, name }: { label: string; name: string }) {
  const [state, change] = useSearchState();
  return (
    <TextInput
      type="datetime-local"
      label={label}
      // Sets the field once per URL, because an incomplete year is not a time.
      key={state[name] ?? ''}
      defaultValue={localOf(state[name])}
      onBlur={({ currentTarget }) => {
        if (currentTarget.value === localOf(state[name])) return;
        const time = new Date(currentTarget.value);
        change({ [name]: Number.isNaN(time.getTime()) ? undefined : time.toISOString() });
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}
