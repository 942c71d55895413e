import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import {
  allZones,
  isZone,
  localTimeAt,
  occurrencesOf,
  offsetName,
  ownZone,
  timeInZone,
} from './zoned-time.js';

/** Returns the state of a {@link TimeField}, and the instant in it: undefined without a complete time. */
export function useTypedTime(initial: string | null | undefined, zone: string) {
  const [local, setLocal] = useState(initial == null ? '' : localTimeAt(new Date(initial), zone));
  /** The chosen one of two instants, if the clocks show the time twice. */
  const [chosen, setChosen] = useState(initial ?? '');
  const { instants = [], isSkipped = false } = occurrencesOf(local, zone) ?? {};
  const at =
    instants.length > 1 ? instants.find((one) => one.toISOString() === chosen) : instants[0];
  return { local, setLocal, setChosen, instants, isSkipped, zone, at, isEmpty: local === '' };
}

/** True if each time is complete or empty, and at least one is complete. */
export function areComplete(times: readonly ReturnType<typeof useTypedTime>[]): boolean {
  return times.every(({ at, isEmpty }) => at ?? isEmpty) && times.some(({ at }) => at);
}

interface TimeFieldProps {
  label: string;
  description?: string;
  time: ReturnType<typeof useTypedTime>;
  error: string | undefined;
}

/** A date and time in a zone. Shows UTC, and says what changes of the clocks do to it. */
export function TimeField({ label, description, time, error }: TimeFieldProps) {
  const { local, setLocal, setChosen, instants, isSkipped, zone, at } = time;
  const clock = local.slice(11);
  return (
    <Stack gap="xs">
      <TextInput
        type="datetime-local"
        label={label}
        description={description}
        value={local}
        error={error}
        onChange={({ currentTarget }) => {
          setLocal(currentTarget.value);
        }}
      />
      {instants.length > 1 && (
        <Radio.Group
          label={`The clocks show ${clock} twice on this day. Choose one.`}
          value={at?.toISOString() ?? ''}
          onChange={setChosen}
        >
          <Stack gap="xs" mt="xs">
            {instants.map((one, index) => (
              <Radio
                key={one.toISOString()}
                value={one.toISOString()}
                label={`${index === 0 ? 'First' : 'Second'}: ${clock} (${offsetName(one, zone)})`}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <Text size="sm" c="dimmed" role="status">
        {at && isSkipped && `The clocks skip ${clock} on this day: ${timeInZone(at, zone)}. `}
        {at && timeInZone(at, 'UTC')}
      </Text>
    </Stack>
  );
}

/** Returns the state of a {@link ZoneField}. The zone is the one of the browser until another one is complete. */
export function useZone(initial: string | null | undefined) {
  const [text, setText] = useState(initial != null && isZone(initial) ? initial : ownZone());
  const isKnown = isZone(text.trim());
  return { text, setText, isKnown, zone: isKnown ? text.trim() : ownZone() };
}

/** A time zone. Typing searches the list of all. */
export function ZoneField({ text, setText, isKnown }: ReturnType<typeof useZone>) {
  const id = useId();
  const [zones] = useState(allZones);
  return (
    <>
      <TextInput
        label="Time zone"
        list={id}
        autoComplete="off"
        value={text}
        error={isKnown ? undefined : 'Enter a time zone, such as Europe/Berlin.'}
        onFocus={({ currentTarget }) => {
          currentTarget.select();
        }}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
        }}
      />
      <datalist id={id}>
        {zones.map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
