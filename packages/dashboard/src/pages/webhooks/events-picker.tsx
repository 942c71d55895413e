import { TextInput } from '@mantine/core';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { SELECTABLE_EVENTS, type SelectableEvent } from '../../api/event-types.js';
import { FilterChip } from '../../components/filter-chips.js';
import { Icon } from '../../components/icons.js';
import { covers, groupsOf, toggled } from './event-choices.js';
import classes from './events-picker.module.css';

interface EventsPickerProps {
  events: readonly SelectableEvent[];
  problem: string | undefined;
  disabled: boolean;
  onChange: (events: SelectableEvent[]) => void;
  /** The search field. */
  ref?: Ref<HTMLInputElement>;
}

/** Selects events: a field that searches, and the matching events in groups. */
export function EventsPicker({ events, problem, disabled, onChange, ref }: EventsPickerProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState<SelectableEvent>();
  const groups = groupsOf(typed);
  const shown = groups.flatMap((group) => group.events);
  const current = active !== undefined && shown.includes(active) ? active : undefined;
  const toggle = (event: SelectableEvent) => {
    if (!disabled) onChange(toggled(events, event));
  };
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      const index = current === undefined ? -1 : shown.indexOf(current);
      const next = index === -1 && step === -1 ? shown.length - 1 : index + step;
      setActive(shown[Math.max(0, Math.min(shown.length - 1, next))]);
    } else if (event.key === 'Enter') {
      // Enter would submit the form.
      event.preventDefault();
      const chosen = current ?? (typed.trim() === '' ? undefined : shown[0]);
      if (chosen !== undefined) toggle(chosen);
    } else if (event.key === 'Escape' && typed !== '') {
      setTyped('');
    }
  };
  return (
    <div role="group" aria-label="Events">
      <TextInput
        ref={ref}
        label="Events"
        description="Choose what to send. Type to search."
        placeholder="Search events"
        type="search"
        value={typed}
        disabled={disabled}
        role="combobox"
        // The first Escape clears the search, and the next one closes the dialog.
        {...(typed !== '' && { 'data-mantine-stop-propagation': 'true' })}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(current !== undefined && { 'aria-activedescendant': optionId(id, current) })}
        leftSection={<Icon name="search" size={16} />}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setActive(undefined);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          setActive(undefined);
        }}
      />
      {/* The dialog compares its fields to know whether something would be lost. */}
      <input type="hidden" value={events.join()} />
      <div className={classes.chosen} role="group" aria-label="Selected events">
        {events.map((event) => (
          <FilterChip
            key={event}
            name={chipName(event)}
            disabled={disabled}
            onRemove={() => {
              onChange(events.filter((one) => one !== event));
            }}
          />
        ))}
        {events.length === 0 && <span>No events selected</span>}
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        className={classes.list}
        role="listbox"
        aria-label="Events"
        aria-multiselectable="true"
        aria-disabled={disabled || undefined}
        tabIndex={-1}
      >
        {groups.map(({ title, events: members }) => (
          <div key={title} role="group" aria-label={title}>
            <div className={classes.title} aria-hidden="true">
              {title}
            </div>
            {members.map((event) => {
              const isChosen = events.includes(event) || covers(events, event);
              return (
                <div
                  key={event}
                  id={optionId(id, event)}
                  className={classes.option}
                  role="option"
                  aria-selected={isChosen}
                  aria-disabled={disabled || undefined}
                  data-active={event === current || undefined}
                  // Keeps the focus in the field.
                  onMouseDown={(down) => {
                    down.preventDefault();
                  }}
                  onClick={() => {
                    toggle(event);
                  }}
                >
                  <span className={classes.box}>{isChosen && <Icon name="check" size={12} />}</span>
                  <span>
                    {event === '*' ? <b>{chipName(event)}</b> : <code>{event}</code>}
                    <span className={classes.meaning}>{SELECTABLE_EVENTS[event]}</span>
                  </span>
                </div>
              );
            })}
          </div>
        ))}
      </div>
      {shown.length === 0 && (
        <p className={classes.none} role="status">
          No events match “{typed.trim()}”.
        </p>
      )}
      {problem !== undefined && (
        <span role="alert" className={classes.problem}>
          {problem}
        </span>
      )}
    </div>
  );
}

function optionId(list: string, event: SelectableEvent): string {
  return `${list}-${event}`;
}

function chipName(event: SelectableEvent): string {
  return event === '*' ? 'All events' : event;
}
