import { TextInput } from '@mantine/core';
import { useSearchState } from '../search-state.js';

/** A moment as a field of the browser writes it: in the reader's zone, to the minute. */
function localOf(iso: string | undefined): string {
  const time = new Date(iso ?? '');
  if (Number.isNaN(time.getTime())) return '';
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** A filter by time, in the reader's zone; kept in UTC in the address bar. */
export function TimeFilter({ label, name }: { label: string; name: string }) {
  const [state, change] = useSearchState();
  return (
    <TextInput
      type="datetime-local"
      label={label}
      // The field is given its value once for each address: while a year is typed, it is no time yet.
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
